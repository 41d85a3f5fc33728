package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
)

// Changes tells what runs changed in files and notes.
type Changes interface {
	// List returns changes of a user, the newest first.
	List(ctx context.Context, household, user string, q api.ChangeQuery) ([]api.FileChange, error)
}

func (s *server) listFileChanges(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	q := api.ChangeQuery{Session: r.URL.Query().Get("session"), Workspace: r.URL.Query().Get("workspace")}
	return s.answerChanges(w, r, who.Household, who.User, q)
}

// listRunChanges lists what a run that the sender may see changed, with its children.
func (s *server) listRunChanges(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	return s.answerChanges(w, r, info.Household, info.User, api.ChangeQuery{Run: info.ID})
}

func (s *server) answerChanges(w http.ResponseWriter, r *http.Request, household, user string, q api.ChangeQuery) error {
	page := api.FileChanges{Changes: []api.FileChange{}}
	if s.Changes == nil || household == "" {
		return answer(w, http.StatusOK, page)
	}
	q.Limit = number(r, "limit", api.DefaultLimit)
	found, err := s.Changes.List(r.Context(), household, user, q)
	if err != nil {
		return err
	}
	page.Changes = append(page.Changes, found...)
	return answer(w, http.StatusOK, page)
}

// changeOperations are those of what runs changed.
func (s *server) changeOperations() []operation {
	limit := parameter{name: "limit", about: "how many at most", most: api.MaxLimit}
	return []operation{
		{
			method: "GET", path: "/v1/undoable", name: "listFileChanges", tag: "runs", summary: "List what your runs changed in files and notes, newest first. A run of the flow `undo`, with the settings `run` and `step`, undoes a change",
			needs: rein.ScopeRead, answers: ok(api.FileChanges{}), do: s.listFileChanges,
			query: []parameter{
				{name: "session", about: "only changes of this session"},
				{name: "workspace", about: "only changes in this workspace"},
				limit,
			},
		},
		{
			method: "GET", path: "/v1/runs/{id}/changes", name: "listRunChanges", tag: "runs", summary: "List what a run and its children changed in files and notes, newest first",
			needs: rein.ScopeRead, answers: ok(api.FileChanges{}), do: s.listRunChanges, query: []parameter{limit},
		},
	}
}
