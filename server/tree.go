package server

import (
	"context"
	"iter"
	"net/http"

	"rein"
	"rein/api"
	"rein/journal"
	"rein/store"
)

// showTree shows a run with everything below it, what it waits for and what it is doing.
func (s *server) showTree(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, id := r.Context(), rein.RunID(r.PathValue("id"))
	if _, err := s.run(ctx, id, who); err != nil {
		return err
	}
	var runs []rein.RunInfo
	for info, err := range s.Store.Runs(ctx, store.Filter{Tree: id}) {
		if err != nil {
			return err
		}
		runs = append(runs, info)
	}
	asks, err := s.Store.Asks(ctx, store.AskFilter{Tree: id, Pending: true})
	if err != nil {
		return err
	}
	root, err := s.tree(ctx, runs, asks)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, root)
}

// tree builds the tree of runs, the first of which is above all others.
func (s *server) tree(ctx context.Context, runs []rein.RunInfo, asks []rein.Ask) (api.Node, error) {
	b := limbs{below: map[rein.RunID][]rein.RunInfo{}, asks: map[rein.RunID][]rein.Ask{}, doing: map[rein.RunID][]api.Doing{}}
	for _, info := range runs {
		b.below[info.ID.Parent()] = append(b.below[info.ID.Parent()], info)
		doing, err := s.doing(ctx, info)
		if err != nil {
			return api.Node{}, err
		}
		b.doing[info.ID] = doing
	}
	for _, ask := range asks {
		b.asks[ask.Run] = append(b.asks[ask.Run], ask)
	}
	return b.node(runs[0]), nil
}

// limbs are the parts of a tree, by the run that they belong to.
type limbs struct {
	below map[rein.RunID][]rein.RunInfo
	asks  map[rein.RunID][]rein.Ask
	doing map[rein.RunID][]api.Doing
}

func (b limbs) node(info rein.RunInfo) api.Node {
	n := api.Node{Run: info, Doing: b.doing[info.ID], Asks: b.asks[info.ID]}
	for _, child := range b.below[info.ID] {
		n.Children = append(n.Children, b.node(child))
	}
	return n
}

// doing reads which steps of an unfinished run have begun and are not done.
func (s *server) doing(ctx context.Context, info rein.RunInfo) ([]api.Doing, error) {
	if info.Status.Ended() {
		return nil, nil
	}
	steps, err := journal.OpenAt(info.Seq, func(after int64) iter.Seq2[rein.Event, error] { return s.Store.Events(ctx, info.ID, after) })
	if err != nil {
		return nil, err
	}
	var out []api.Doing
	for _, step := range steps {
		if step.Start == nil || step.Inside != "" {
			continue // it waits for its turn, or is a part of another
		}
		d := api.Doing{Step: step.Key, About: step.About, Child: step.Child, Since: step.Began}
		if step.Start.Call != nil {
			d.Tool = step.Start.Call.Name
		}
		out = append(out, d)
	}
	return out, nil
}
