package cli

import (
	"cmp"
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"rein/app"
)

func (c *call) printLimits(ctx context.Context, s app.Counted) error {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	all, err := app.Accounts(ctx, s, settings.Limits.Accounts, time.Now())
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
	if !c.json {
		fmt.Fprintln(table, "WHO\tWHAT\tUSED\tOF")
	}
	for _, a := range all {
		if c.json {
			if err := c.printJSON(a); err != nil {
				return err
			}
			continue
		}
		for _, use := range app.LimitUses(a) {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", safe(use.Who), use.What, use.Used, cmp.Or(use.Most, "no limit"))
		}
	}
	return table.Flush()
}

const recountHelp = `Counts what users and households use again, from the logs and files. It is only needed if
rein doctor or rein audit verify say that an account is wrong, as when the file was changed by
another program. No other process may have the data open.`

func runRecount(ctx context.Context, c *call) error {
	if err := c.setup().Recount(ctx); err != nil {
		return c.nothing(err)
	}
	c.note("rein: the accounts are counted again")
	return nil
}
