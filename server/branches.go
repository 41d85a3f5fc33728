package server

import (
	"context"
	"net/http"
	"slices"

	"rein"
	"rein/api"
	"rein/household/branches"
	"rein/household/past"
	"rein/server/wire"
	"rein/store"
)

// branchOperations are about sessions that begin where an earlier message of another was edited.
func (s *server) branchOperations() []operation {
	return []operation{
		{
			method: "POST", path: "/v1/sessions/{id}/branches", name: "branchSession", tag: "sessions",
			summary: "Edit an earlier message of a session: start a new session that has all that came before it, with a run for the edited message. With `Accept: text/event-stream`, the answer is the stream of the run",
			needs:   rein.ScopeAct, once: true, body: api.NewBranch{}, answers: startReplies(), query: startQuery(), do: s.branchSession,
		},
		{
			method: "GET", path: "/v1/sessions/{id}/branches", name: "listBranches", tag: "sessions", summary: "List the runs of a session, with those that it inherits, beside which there are branches: which sessions go another way there",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Branches{}), do: s.listBranches,
		},
		{
			method: "GET", path: "/v1/sessions/{id}/history", name: "sessionHistory", tag: "sessions", summary: "List the root runs of the whole conversation of a session: those that it inherits from the session it branched from, and its own",
			needs: rein.ScopeRead, wide: true, answers: ok(api.Runs{}), do: s.sessionHistory,
			query: []parameter{
				{name: "newest", about: "list the newest first instead of the oldest", flag: true},
				{name: "after", about: "only runs after this one: `next` of the previous page"},
				{name: "limit", about: "how many at most", most: api.MaxLimit},
			},
		},
	}
}

// read reads tables; where there are none, nothing is a branch.
func (s *server) read(ctx context.Context, do func(context.Context, store.Query) error) error {
	if s.Tables == nil {
		return nil
	}
	return s.Tables.Read(ctx, do)
}

// origins returns what a session is a branch of.
func (s *server) origins(ctx context.Context, p rein.Place) (origins []branches.Row, err error) {
	err = s.read(ctx, func(ctx context.Context, q store.Query) error {
		origins, err = branches.Origins(ctx, q, p)
		return err
	})
	return origins, err
}

// branchesOf returns what each branch of a household is a branch of.
func (s *server) branchesOf(ctx context.Context, household string) (map[string]rein.Branch, error) {
	found := map[string]rein.Branch{}
	err := s.read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := branches.Of(ctx, q, household)
		for _, row := range rows {
			found[row.Session] = row.From
		}
		return err
	})
	return found, err
}

// A talk is a session with all that it inherits.
type talk struct {
	rein.Place
	origins []branches.Row // the nearest first
	runs    []rein.RunInfo
}

// seenTalk returns a session that the sender may see.
func (s *server) seenTalk(ctx context.Context, id string, who rein.Identity) (talk, error) {
	user, err := s.sessionOf(ctx, id, who)
	if err != nil {
		return talk{}, err
	}
	return s.talk(ctx, rein.Place{Household: who.Household, User: user, Session: id})
}

// ownTalk returns a session of the sender, who need not be allowed to read it.
func (s *server) ownTalk(ctx context.Context, id string, who rein.Identity) (talk, error) {
	t, err := s.talk(ctx, rein.Place{Household: who.Household, User: who.User, Session: id})
	if err != nil || len(t.runs) > 0 {
		return t, err
	}
	user, err := s.sessionOf(ctx, id, who)
	if err == nil {
		err = rein.Errorf(rein.CodeForbidden, "session %.100q belongs to %s: only your own sessions can be branched", id, user)
	}
	return talk{}, err
}

func (s *server) talk(ctx context.Context, p rein.Place) (t talk, err error) {
	t.Place = p
	if t.origins, err = s.origins(ctx, t.Place); err != nil {
		return t, err
	}
	t.runs, err = past.Runs(ctx, s.Store, t.Place, t.origins)
	return t, err
}

// point is where a session begins that replaces a run: what was said before the first run of a branch was said before
// the run that this one replaces.
func (t talk) point(run rein.RunInfo) rein.Branch {
	for _, o := range t.origins {
		if o.First() == run.ID {
			return o.From
		}
	}
	return rein.Branch{Session: run.Session, Run: run.ID}
}

// find returns a run of the conversation.
func (t talk) find(id rein.RunID) (rein.RunInfo, error) {
	i := slices.IndexFunc(t.runs, func(info rein.RunInfo) bool { return info.ID == id })
	if i < 0 {
		return rein.RunInfo{}, rein.Errorf(rein.CodeNotFound, "session %.100q has no run %.600q: name the run that its message started", t.Session, string(id))
	}
	return t.runs[i], nil
}

// branchSession starts a session that is a branch, with its first run.
func (s *server) branchSession(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewBranch
	if err := wire.ReadLongJSON(w, r, &body, api.MaxRun); err != nil {
		return err
	}
	if s.Tables == nil {
		return rein.Errorf(rein.CodeUnavailable, "this process does not keep branches: send the request to the process that owns the data")
	}
	if err := mayStream(r, who); err != nil {
		return err
	}
	t, err := s.ownTalk(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	run, err := t.find(body.Run)
	if err != nil {
		return err
	}
	if body.Task.Session != "" {
		return rein.Errorf(rein.CodeInvalid, "the task names session %.100q, but a branch is a session of its own: leave it out", body.Task.Session)
	}
	from := t.point(run)
	return s.starts(w, r, api.NewRun{ID: body.ID, Preset: body.Preset, Task: body.Task}, who, func(task *rein.Task) { task.Branch = &from })
}

func (s *server) sessionHistory(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	t, err := s.seenTalk(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	runs, limit := t.runs, number(r, "limit", api.DefaultLimit)
	if flag(r, "newest") {
		slices.Reverse(runs)
	}
	if after := rein.RunID(r.URL.Query().Get("after")); after != "" {
		if _, err := t.find(after); err != nil {
			return err
		}
		runs = runs[1+slices.IndexFunc(runs, func(info rein.RunInfo) bool { return info.ID == after }):]
	}
	page := api.Runs{Runs: append([]api.Run{}, runs[:min(len(runs), limit)]...)}
	if len(runs) > limit {
		page.Next = runs[limit-1].ID
	}
	return answer(w, http.StatusOK, page)
}

func (s *server) listBranches(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	t, err := s.seenTalk(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	beside, err := s.beside(r.Context(), t)
	if err != nil {
		return err
	}
	list := api.Branches{Points: []api.BranchPoint{}}
	for _, run := range t.runs {
		from := t.point(run)
		if len(beside[from.Run]) == 0 {
			continue
		}
		point := api.BranchPoint{Run: run.ID}
		for _, id := range append([]rein.RunID{from.Run}, beside[from.Run]...) {
			info, err := s.Store.Run(r.Context(), id)
			if err != nil {
				return err
			}
			point.Siblings = append(point.Siblings, api.Sibling{Session: info.Session, Run: id, Title: info.Title, Started: info.Started, Erased: info.Erased})
		}
		list.Points = append(list.Points, point)
	}
	return answer(w, http.StatusOK, list)
}

// beside returns the first runs of the branches that leave a conversation anywhere, by the run that they replace.
func (s *server) beside(ctx context.Context, t talk) (map[rein.RunID][]rein.RunID, error) {
	found := map[rein.RunID][]rein.RunID{}
	err := s.read(ctx, func(ctx context.Context, q store.Query) error {
		names := []string{t.Session}
		for _, o := range t.origins {
			names = append(names, o.From.Session)
		}
		for _, name := range names {
			rows, err := branches.At(ctx, q, rein.Place{Household: t.Household, User: t.User, Session: name})
			if err != nil {
				return err
			}
			for _, row := range rows {
				found[row.From.Run] = append(found[row.From.Run], row.First())
			}
		}
		return nil
	})
	return found, err
}
