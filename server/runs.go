package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/server/port"
	"rein/store"
)

// run returns a run that the caller may see.
func (s *server) run(ctx context.Context, id rein.RunID, who rein.Identity) (rein.RunInfo, error) {
	return port.Run(ctx, s.Store, id, who)
}

func (s *server) showRun(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	if !info.Status.Ended() {
		asks, err := s.Store.Asks(r.Context(), store.AskFilter{Tree: info.ID, Pending: true})
		if err != nil {
			return err
		}
		info.Asks = int64(len(asks))
	}
	given, err := s.feedbackOn(r.Context(), info)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.ShownRun{RunInfo: info, Feedback: given})
}

// statuses are what a list of runs can be narrowed to.
var statuses = []string{
	api.Unfinished, api.Paused, string(rein.StatusReady), string(rein.StatusRunning), string(rein.StatusWaiting), string(rein.StatusBlocked),
	string(rein.EndDone), string(rein.EndLimit), string(rein.EndDeclined), string(rein.EndStopped),
	string(rein.EndCancelled), string(rein.EndDeleted), string(rein.EndFailed),
}

func (s *server) listRuns(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	query := r.URL.Query()
	status, limit := query.Get("status"), number(r, "limit", api.DefaultLimit)
	if who.Household == "" {
		return answer(w, http.StatusOK, api.Runs{Runs: []api.Run{}})
	}
	filter := store.Filter{
		Tree: rein.RunID(query.Get("tree")), After: rein.RunID(query.Get("after")), Session: query.Get("session"),
		Roots: flag(r, "roots"), Newest: flag(r, "newest"), Household: who.Household, Limit: limit + 1,
	}
	switch status {
	case api.Unfinished:
		filter.Unfinished = true
	case api.Paused:
		filter.Paused = true
	default:
		filter.Status = rein.Status(status)
	}
	var err error
	if filter.User, err = userOf(query.Get("user"), who); err != nil {
		return err
	}
	filter.Text, filter.Flow, filter.Workspace = query.Get("q"), query.Get("flow"), query.Get("workspace")
	filter.Since, filter.MinMicros = moment(r, "since"), int64(number(r, "min_micros", 0))
	for _, id := range []rein.RunID{filter.Tree, filter.After} {
		if id == "" {
			continue
		}
		if _, err := s.run(r.Context(), id, who); err != nil {
			return err
		}
	}
	runs, next, err := s.Store.FindRuns(r.Context(), filter)
	if err != nil {
		return err
	}
	page := api.Runs{Runs: append([]api.Run{}, runs[:min(len(runs), limit)]...), Next: next}
	if len(runs) > limit {
		page.Next = runs[limit-1].ID
	}
	return answer(w, http.StatusOK, page)
}

// resume lets a paused run go on, or tries a blocked one again.
func (s *server) resume(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
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
