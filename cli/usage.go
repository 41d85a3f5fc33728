package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"rein"
	"rein/internal/units"
	"rein/journal/usage"
	"rein/store"
)

const usageHelp = `What the runs of the data folder have used, summed up by day (of their start), session or
user: trees of runs, tokens and money. What is only reserved does not count.
By limit: what each user and the household use of what they may; there, what is reserved counts.`

// byLimit is the sum that is held against what is allowed.
const byLimit = "limit"

func runUsage(ctx context.Context, c *call) error {
	of, ok := map[string]func(rein.RunInfo) string{
		"":        func(r rein.RunInfo) string { return r.Started.Local().Format("2006-01-02") },
		"day":     func(r rein.RunInfo) string { return r.Started.Local().Format("2006-01-02") },
		"session": func(r rein.RunInfo) string { return r.Session },
		"user":    func(r rein.RunInfo) string { return r.User + " of " + r.Household },
	}[c.by]
	if !ok && c.by != byLimit {
		return usagef("--by cannot be %q: it is day, session, user or limit", c.by)
	}
	s, err := c.setup().Read(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer s.Close()
	if c.by == byLimit {
		return c.printLimits(ctx, s)
	}
	sums, err := usage.By(ctx, s, store.Filter{}, of)
	if err != nil {
		return err
	}
	return c.printUsage(sums)
}

func (c *call) printUsage(sums []rein.UsageSum) error {
	table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
	if !c.json {
		fmt.Fprintln(table, "WHAT\tRUNS\tTOKENS\tTOOL CALLS\tCOST")
	}
	for _, sum := range sums {
		if c.json {
			if err := c.printJSON(sum); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", short(sum.What, 60), units.Number(sum.Runs), units.Number(sum.Used.Tokens), units.Number(sum.Used.ToolCalls), units.Money(sum.Used.Micros))
	}
	return table.Flush()
}
