package server

import (
	"context"
	"net/http"
	"net/url"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// Workspaces are the folders that runs can work in.
type Workspaces interface {
	// MayName says whether somebody may name a workspace in a task.
	MayName(ctx context.Context, who rein.Identity, name string) error
	List(ctx context.Context, who rein.Identity) ([]rein.Workspace, error)
	Add(ctx context.Context, who rein.Identity, w rein.Workspace, force bool) (rein.Workspace, error)
	Remove(ctx context.Context, who rein.Identity, name string) error
}

// mayName refuses a task that names a workspace which its sender may not.
func (s *server) mayName(ctx context.Context, task rein.Task, who rein.Identity) error {
	switch {
	case task.Workspace == "":
		return nil
	case s.Workspaces == nil:
		return rein.Errorf(rein.CodeInvalid, "this process has no workspaces: leave workspace out")
	}
	return s.Workspaces.MayName(ctx, who, task.Workspace)
}

// withWorkspaces is do for a server that has workspaces.
func (s *server) withWorkspaces(do handler) handler {
	if s.Workspaces != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error { return noWorkspaces() }
}

func noWorkspaces() error {
	return rein.Errorf(rein.CodeUnavailable, "this process has no workspaces")
}

func (s *server) listWorkspaces(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list, err := s.Workspaces.List(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Workspaces{Workspaces: append([]rein.Workspace{}, list...)})
}

func (s *server) addWorkspace(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewWorkspace
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	switch {
	case s.Workspaces == nil:
		return noWorkspaces()
	case !who.Operates():
		return notOperator()
	}
	ctx, cancel := lasting(r)
	defer cancel()
	added, err := s.Workspaces.Add(ctx, who, rein.Workspace{
		Name: body.Name, Root: body.Root, Vault: body.Vault, Include: body.Include, Exclude: body.Exclude,
		Ask: body.Ask, Deny: body.Deny, Shared: body.Shared,
	}, body.Force)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/workspaces/"+url.PathEscape(added.Name))
	return answer(w, http.StatusCreated, added)
}

func (s *server) removeWorkspace(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	if !who.Operates() {
		return notOperator()
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Workspaces.Remove(ctx, who, r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// notOperator is for admins of other households: folders belong to the machine.
func notOperator() error {
	return rein.Errorf(rein.CodeForbidden, "this names folders of the machine: only admins of the household that owns the server may do it")
}

func (s *server) workspaceOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/workspaces", name: "listWorkspaces", tag: "workspaces", summary: "List the workspaces that you can name in a task. Admins also see their folders",
			needs: rein.ScopeRead, answers: ok(api.Workspaces{}), do: s.withWorkspaces(s.listWorkspaces),
		},
		{
			method: "POST", path: "/v1/workspaces", name: "addWorkspace", tag: "workspaces", summary: "Add a workspace. Adding the same one again changes nothing",
			needs: rein.ScopeAdmin, body: api.NewWorkspace{}, answers: []reply{{status: http.StatusCreated, value: rein.Workspace{}}}, do: s.addWorkspace,
		},
		{
			method: "DELETE", path: "/v1/workspaces/{name}", name: "removeWorkspace", tag: "workspaces", summary: "Remove a workspace. Its folder stays",
			needs: rein.ScopeAdmin, answers: []reply{{status: http.StatusNoContent}}, do: s.withWorkspaces(s.removeWorkspace),
		},
	}
}
