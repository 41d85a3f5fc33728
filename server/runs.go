package server

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"rein"
	"rein/api"
	"rein/people"
	"rein/server/port"
	"rein/store"
)

// lasting is the context of what is carried out even if the one who asked has gone.
func lasting(r *http.Request) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(r.Context()), time.Minute)
}

// run returns a run that the caller may see.
func (s *server) run(ctx context.Context, id rein.RunID, who people.Identity) (store.RunInfo, error) {
	return port.Run(ctx, s.Store, id, who)
}

// startRun starts a run for its sender. Starting it again is the same run.
func (s *server) startRun(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	var body api.NewRun
	if err := readBody(w, r, &body); err != nil {
		return err
	}
	id, task := body.ID, body.Task
	if task.User != "" && task.User != who.User || task.Household != "" && task.Household != who.Household {
		return rein.Errorf(rein.CodeForbidden, "the task is of user %q of household %q; you are %q of %q: leave both out", task.User, task.Household, who.User, who.Household)
	}
	task.User, task.Household = who.User, who.Household
	if id == "" {
		id = api.NewRunID(time.Now())
	}
	if err := id.Check(); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	status := http.StatusCreated
	switch info, err := s.Store.Run(ctx, id); {
	case err == nil && (info.User != who.User || info.Household != who.Household):
		return rein.Errorf(rein.CodeConflict, "run ID %q is taken: choose another", string(id))
	case err == nil:
		status = http.StatusOK
	case rein.CodeOf(err) != rein.CodeNotFound:
		return err
	}
	info, err := s.Engine.Start(ctx, id, task)
	if err != nil {
		return err
	}
	w.Header().Set("Location", "/v1/runs/"+url.PathEscape(string(id)))
	return answer(w, status, info)
}

func (s *server) showRun(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, info)
}

// statuses are what a list of runs can be narrowed to.
var statuses = []string{
	api.Unfinished, string(store.Ready), string(store.Running), string(store.Waiting), string(store.Blocked),
	string(rein.EndDone), string(rein.EndLimit), string(rein.EndDeclined), string(rein.EndStopped),
	string(rein.EndCancelled), string(rein.EndDeleted), string(rein.EndFailed),
}

func (s *server) listRuns(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	query := r.URL.Query()
	status, limit := query.Get("status"), number(r, "limit", api.DefaultLimit)
	filter := store.Filter{
		Tree: rein.RunID(query.Get("tree")), After: rein.RunID(query.Get("after")), Session: query.Get("session"),
		Roots: flag(r, "roots"), Unfinished: status == api.Unfinished,
	}
	for _, id := range []rein.RunID{filter.Tree, filter.After} {
		if id == "" {
			continue
		}
		if _, err := s.run(r.Context(), id, who); err != nil {
			return err
		}
	}
	page := api.Runs{Runs: []api.Run{}}
	for info, err := range s.Store.Runs(r.Context(), filter) {
		if err != nil {
			return err
		}
		if !who.Sees(info.Household, info.User) || status != "" && status != api.Unfinished && status != string(info.Status) {
			continue
		}
		if len(page.Runs) == limit {
			page.Next = page.Runs[limit-1].ID
			break
		}
		page.Runs = append(page.Runs, info)
	}
	return answer(w, http.StatusOK, page)
}

// resume tries a blocked run again.
func (s *server) resume(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	id := rein.RunID(r.PathValue("id"))
	if _, err := port.Changeable(ctx, s.Store, id, who); err != nil {
		return err
	}
	if err := s.Engine.Resume(ctx, id, who.User); err != nil {
		return err
	}
	info, err := s.run(ctx, id, who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, info)
}
