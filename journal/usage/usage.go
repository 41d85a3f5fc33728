// Package usage totals what runs have used, from their ledgers and logs.
package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"rein"
	"rein/store"
)

// By sums up the trees that the filter selects, by what of says they have in common, in that order.
func By(ctx context.Context, s store.Reader, f store.Filter, of func(rein.RunInfo) string) ([]rein.UsageSum, error) {
	f.Roots = true
	sums := map[string]*rein.UsageSum{}
	for info, err := range s.Runs(ctx, f) {
		if err != nil {
			return nil, err
		}
		spent, err := Spent(ctx, s, info)
		if err != nil {
			return nil, err
		}
		what := of(info)
		sum := cmp.Or(sums[what], &rein.UsageSum{What: what})
		sum.Runs++
		sum.Used = sum.Used.Plus(spent)
		sums[what] = sum
	}
	all := make([]rein.UsageSum, 0, len(sums))
	for _, what := range slices.Sorted(maps.Keys(sums)) {
		all = append(all, *sums[what])
	}
	return all, nil
}

// Spent is what the tree of a root has used, without what its unfinished runs have only reserved.
func Spent(ctx context.Context, s store.Reader, root rein.RunInfo) (rein.Amount, error) {
	ledger, err := s.Ledger(ctx, root.ID)
	if err != nil || root.Status.Ended() { // then everything below it has ended too
		return ledger.Used, err
	}
	spent := ledger.Used
	for info, err := range s.Runs(ctx, store.Filter{Tree: root.ID, Unfinished: true}) {
		if err != nil {
			return spent, err
		}
		held, err := Held(ctx, s, info.ID)
		if rein.CodeOf(err) == rein.CodeDamaged {
			continue // a sum is no audit: the run counts with all that it reserved
		}
		if err != nil {
			return spent, err
		}
		spent = spent.Minus(held)
	}
	return spent, nil
}
