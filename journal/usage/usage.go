// Package usage totals what runs have used, from the views of a store and the logs of unfinished runs.
package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"rein"
	"rein/store"
)

// By sums up the trees that the filter selects, by what they have in common, in that order (sessions in the
// order in which they began). What unfinished runs have only reserved does not count. By session it may be a
// page, and next is where the next one begins.
func (c *Counter) By(ctx context.Context, s store.Reader, f store.UsageFilter) (sums []rein.UsageSum, next string, err error) {
	u, err := s.Usage(ctx, f)
	if err != nil {
		return nil, "", err
	}
	open := map[string]rein.UsageSum{}
	for _, tree := range u.Open {
		spent, err := c.spent(ctx, s, tree)
		if err != nil {
			return nil, "", err
		}
		what := whatOf(tree.Root, f)
		sum := open[what]
		sum.Runs, sum.Used = sum.Runs+1, sum.Used.Plus(spent)
		open[what] = sum
	}
	sums = append([]rein.UsageSum{}, u.Sums...)
	for i := range sums {
		more := open[sums[i].What]
		delete(open, sums[i].What)
		sums[i].Runs, sums[i].Used = sums[i].Runs+more.Runs, sums[i].Used.Plus(more.Used)
	}
	for _, what := range slices.Sorted(maps.Keys(open)) {
		sum := open[what]
		sum.What = what
		sums = append(sums, sum)
	}
	if f.By != store.BySession {
		slices.SortFunc(sums, func(a, b rein.UsageSum) int { return cmp.Compare(a.What, b.What) })
	}
	return sums, u.Next, nil
}

func whatOf(root rein.RunInfo, f store.UsageFilter) string {
	switch f.By {
	case store.BySession:
		return root.Session
	case store.ByUser:
		return root.User
	case store.ByFlow:
		return root.Flow
	}
	zone := f.Zone
	if zone == nil {
		zone = time.UTC
	}
	return root.Started.In(zone).Format(time.DateOnly)
}

// spent is what an unfinished tree has used, without what its runs have only reserved.
func (c *Counter) spent(ctx context.Context, s store.Reader, tree store.OpenTree) (rein.Amount, error) {
	spent := tree.Used
	for _, run := range tree.Runs {
		held, err := c.Held(ctx, s, run)
		if rein.CodeOf(err) == rein.CodeDamaged {
			continue // a sum is not an audit: the run counts with all that it reserved
		}
		if err != nil {
			return spent, err
		}
		spent = spent.Minus(held)
	}
	return spent, nil
}
