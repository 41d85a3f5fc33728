package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/store"
)

// A Verifier proves that what is kept of a run is what was written: a store.Auditor.
type Verifier interface {
	Verify(context.Context, rein.RunID) (store.Verdict, error)
}

// verifyOperations are those of proof.
func (s *server) verifyOperations() []operation {
	return []operation{{
		method: "GET", path: "/v1/runs/{id}/verify", name: "verifyRun", tag: "records", summary: "Check that the log of a run, its texts, and what lists show of it are what was written",
		needs: rein.ScopeRead, wide: true, answers: ok(api.Verdicts{}), do: s.verifyRun,
		query: []parameter{
			{name: "tree", about: "check all runs below this one too", flag: true},
			{name: "after", about: "for a tree: only runs after this one: `next` of the previous page"},
			{name: "limit", about: "for a tree: how many runs at most", most: api.MaxLimit},
		},
	}}
}

// verifyRun checks a run, or a page of its tree.
func (s *server) verifyRun(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	if s.Verifier == nil {
		return rein.Errorf(rein.CodeUnavailable, "this process does not check runs")
	}
	ids, next, err := s.runsToVerify(r, info)
	if err != nil {
		return err
	}
	page := api.Verdicts{Verdicts: []api.Verdict{}, Next: next}
	for _, id := range ids {
		verdict, err := s.verdict(r.Context(), id)
		if err != nil {
			return err
		}
		page.Verdicts = append(page.Verdicts, verdict)
	}
	return answer(w, http.StatusOK, page)
}

func (s *server) runsToVerify(r *http.Request, info rein.RunInfo) (ids []rein.RunID, next rein.RunID, err error) {
	query, limit := r.URL.Query(), number(r, "limit", api.DefaultLimit)
	after := rein.RunID(query.Get("after"))
	if !flag(r, "tree") {
		if after != "" {
			return nil, "", rein.Errorf(rein.CodeInvalid, "parameter after is for a tree: send tree=1 too, or leave it out")
		}
		return []rein.RunID{info.ID}, "", nil
	}
	if after != "" && after != info.ID && !isBelow(after, info.ID) {
		return nil, "", rein.Errorf(rein.CodeInvalid, "parameter after is %.100q; it must be a run of the tree of %s", string(after), info.ID)
	}
	for one, err := range s.Store.Runs(r.Context(), store.Filter{Tree: info.ID, After: after, Limit: limit + 1}) {
		if err != nil {
			return nil, "", err
		}
		if len(ids) == limit {
			return ids, ids[limit-1], nil
		}
		ids = append(ids, one.ID)
	}
	return ids, "", nil
}

// isBelow reports whether a run is below another one.
func isBelow(id, above rein.RunID) bool {
	for ; id != ""; id = id.Parent() {
		if id.Parent() == above {
			return true
		}
	}
	return false
}

// verdict checks one run. What is wrong may quote what the store has: it is shown without secrets.
func (s *server) verdict(ctx context.Context, id rein.RunID) (api.Verdict, error) {
	v, err := s.Verifier.Verify(ctx, id)
	if err != nil {
		return api.Verdict{}, err
	}
	if m, ok := s.Store.(masker); ok {
		v = m.Verdict(v)
	}
	return api.Verdict{Run: v.Run, Events: v.Events, Erased: v.Erased, Head: v.Head, OK: len(v.Wrong) == 0, Wrong: v.Wrong}, nil
}
