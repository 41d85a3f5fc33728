package server

import (
	"context"
	"net/http"
	"slices"

	"rein"
	"rein/api"
)

// Background has the commands that run in the background of the process.
type Background interface {
	// Running lists those of a household, the oldest first.
	Running(household string) ([]api.BackgroundCommand, error)
	// Stop ends one, and returns when nothing of it is left.
	Stop(ctx context.Context, household, id string) error
}

// background lists the commands that the sender may see.
func (s *server) background(who rein.Identity) ([]api.BackgroundCommand, error) {
	if s.Background == nil {
		return nil, nil
	}
	all, err := s.Background.Running(who.Household)
	return slices.DeleteFunc(all, func(c api.BackgroundCommand) bool { return !who.Sees(who.Household, c.User) }), err
}

func (s *server) listBackground(w http.ResponseWriter, _ *http.Request, who rein.Identity) error {
	all, err := s.background(who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.BackgroundCommands{Commands: append([]api.BackgroundCommand{}, all...)})
}

func (s *server) stopBackground(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	all, err := s.background(who)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	i := slices.IndexFunc(all, func(c api.BackgroundCommand) bool { return c.ID == id })
	if i < 0 {
		return rein.Errorf(rein.CodeNotFound, "no command %.80q runs in the background: rein commands lists them", id)
	}
	if !who.Changes(who.Household, all[i].User) {
		return rein.Errorf(rein.CodeForbidden, "the command belongs to %s: only they and admins may end it", all[i].User)
	}
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Background.Stop(ctx, who.Household, id); err != nil {
		return err
	}
	return answer(w, http.StatusOK, all[i])
}

func (s *server) backgroundOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/background", name: "listBackground", tag: "runs", summary: "List the commands that run in the background: your own, or those of the whole household if you are an admin. They go on after their runs",
			needs: rein.ScopeRead, answers: ok(api.BackgroundCommands{}), do: s.listBackground,
		},
		{
			method: "DELETE", path: "/v1/background/{id}", name: "stopBackground", tag: "runs", summary: "End a command that runs in the background, with everything that it started",
			needs: rein.ScopeAct, answers: ok(api.BackgroundCommand{}), do: s.stopBackground,
		},
	}
}
