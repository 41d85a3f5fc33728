package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// Folders are what the folders of workspaces bring, and what people decided about it. Only those on the machine itself
// decide: over the network trust can be read.
type Folders interface {
	Trust(ctx context.Context, who rein.Identity, workspace, folder string) (api.Trust, error)
	Decide(ctx context.Context, who rein.Identity, workspace string, d api.NewTrust) (api.Trust, error)
	Trusted(ctx context.Context, who rein.Identity) ([]api.TrustedFolder, error)
	Revoke(ctx context.Context, who rein.Identity, id string) (api.TrustedFolder, error)
	Commands(ctx context.Context, who rein.Identity, workspace, folder string) ([]api.SlashCommand, error)
}

// withFolders is do for a server that knows folders.
func (s *server) withFolders(do handler) handler {
	if s.Folders != nil {
		return do
	}
	return func(http.ResponseWriter, *http.Request, rein.Identity) error { return noWorkspaces() }
}

func (s *server) getTrust(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	found, err := s.Folders.Trust(r.Context(), who, r.PathValue("name"), r.URL.Query().Get("folder"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, found)
}

func (s *server) decideTrust(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewTrust
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	if s.Folders == nil {
		return noWorkspaces()
	}
	ctx, cancel := lasting(r)
	defer cancel()
	decided, err := s.Folders.Decide(ctx, who, r.PathValue("name"), body)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, decided)
}

func (s *server) listTrust(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list, err := s.Folders.Trusted(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.TrustedFolders{Folders: append([]api.TrustedFolder{}, list...)})
}

func (s *server) revokeTrust(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	revoked, err := s.Folders.Revoke(ctx, who, r.PathValue("id"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, revoked)
}

func (s *server) listCommands(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list, err := s.Folders.Commands(r.Context(), who, r.PathValue("name"), r.URL.Query().Get("folder"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.SlashCommands{Commands: append([]api.SlashCommand{}, list...)})
}

func (s *server) trustOperations() []operation {
	folder := []parameter{{name: "folder", about: "where in the workspace you work, with slashes; default: its root"}}
	return []operation{
		{
			method: "GET", path: "/v1/workspaces/{name}/trust", name: "getTrust", tag: "workspaces", summary: "List what the folder of a workspace brings (instructions, rules, skills, commands, MCP servers), and whether somebody trusts it",
			needs: rein.ScopeRead, query: folder, answers: ok(api.Trust{}), do: s.withFolders(s.getTrust),
		},
		{
			method: "POST", path: "/v1/workspaces/{name}/trust", name: "decideTrust", tag: "workspaces", summary: "Trust what the folder of a workspace brings, or decline to. Only on the machine itself, over its unix socket",
			needs: rein.ScopeAdmin, body: api.NewTrust{}, answers: ok(api.Trust{}), do: s.decideTrust,
		},
		{
			method: "GET", path: "/v1/trust", name: "listTrust", tag: "workspaces", summary: "List the folders that somebody trusts",
			needs: rein.ScopeAdmin, answers: ok(api.TrustedFolders{}), do: s.withFolders(s.listTrust),
		},
		{
			method: "DELETE", path: "/v1/trust/{id}", name: "revokeTrust", tag: "workspaces", summary: "Revoke the trust in a folder, whatever it brought. Only on the machine itself, over its unix socket",
			needs: rein.ScopeAdmin, answers: ok(api.TrustedFolder{}), do: s.withFolders(s.revokeTrust),
		},
		{
			method: "GET", path: "/v1/workspaces/{name}/commands", name: "listCommands", tag: "workspaces", summary: "List the commands that a task in the workspace can begin with: your own and those of its folder, if somebody trusts it",
			needs: rein.ScopeRead, query: folder, answers: ok(api.SlashCommands{}), do: s.withFolders(s.listCommands),
		},
	}
}
