package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/store"
)

// showBudget shows what the tree of a run has used, and of what. A tree has one budget, which its root was
// given.
func (s *server) showBudget(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx := r.Context()
	info, err := s.run(ctx, rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	budget := api.TreeBudget{}
	if budget.Ledger, err = s.Store.Ledger(ctx, info.ID.Root()); err != nil {
		return err
	}
	if budget.Held, err = s.held(ctx, info.ID.Root()); err != nil {
		return err
	}
	return answer(w, http.StatusOK, budget)
}

// held is what the unfinished runs of a tree have only reserved.
func (s *server) held(ctx context.Context, root rein.RunID) (sum rein.Amount, err error) {
	for info, err := range s.Store.Runs(ctx, store.Filter{Tree: root, Unfinished: true}) {
		if err != nil {
			return sum, err
		}
		held, err := s.counter.Held(ctx, s.Store, store.OpenRun{ID: info.ID, Seq: info.Seq})
		if rein.CodeOf(err) == rein.CodeDamaged {
			continue // this is not an audit: the run counts with all that it reserved
		}
		if err != nil {
			return sum, err
		}
		sum = sum.Plus(held)
	}
	return sum, nil
}

// listReceipts lists what happened to the commands that a run was sent.
func (s *server) listReceipts(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	info, err := s.run(r.Context(), rein.RunID(r.PathValue("id")), who)
	if err != nil {
		return err
	}
	receipts, err := s.Store.Receipts(r.Context(), info.ID)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Receipts{Receipts: append([]rein.Receipt{}, receipts...)})
}
