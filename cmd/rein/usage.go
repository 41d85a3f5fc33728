package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"rein"
	"rein/store"
)

const usageHelp = `What the runs of the data folder have used, summed up by day (of their start), session or
user: trees of runs, tokens and money. What is only reserved does not count.`

// A used line is a sum.
type used struct {
	What   string      `json:"what"`
	Runs   int64       `json:"runs"` // trees
	Amount rein.Amount `json:"used"`
}

func runUsage(ctx context.Context, c *call) error {
	of, ok := map[string]func(store.RunInfo) string{
		"":        func(r store.RunInfo) string { return r.Started.Local().Format("2006-01-02") },
		"day":     func(r store.RunInfo) string { return r.Started.Local().Format("2006-01-02") },
		"session": func(r store.RunInfo) string { return r.Session },
		"user":    func(r store.RunInfo) string { return r.User + " of " + r.Household },
	}[c.by]
	if !ok {
		return usagef("--by cannot be %q: it is day, session or user", c.by)
	}
	s, err := c.open(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer s.Close()
	sums := map[string]*used{}
	for info, err := range s.Runs(ctx, store.Filter{Roots: true}) {
		if err != nil {
			return err
		}
		tree, err := readTree(ctx, s, info.ID)
		if err != nil {
			return err
		}
		sum := cmp.Or(sums[of(info)], &used{What: of(info)})
		sum.Runs++
		sum.Amount = sum.Amount.Plus(tree[0].Ledger.Used.Minus(tree[0].Held))
		sums[sum.What] = sum
	}
	return c.printUsage(sums)
}

func (c *call) printUsage(sums map[string]*used) error {
	table := tabwriter.NewWriter(c.stdout, 0, 8, 2, ' ', 0)
	if !c.json {
		fmt.Fprintln(table, "WHAT\tRUNS\tTOKENS\tTOOL CALLS\tCOST")
	}
	for _, what := range slices.Sorted(maps.Keys(sums)) {
		sum := sums[what]
		if c.json {
			if err := c.printJSON(sum); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", short(what, 60), number(sum.Runs), number(sum.Amount.Tokens), number(sum.Amount.ToolCalls), money(sum.Amount.Micros))
	}
	return table.Flush()
}
