package cli

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"rein/api"
	"rein/internal/units"
	"rein/store"
	"rein/store/sqlite"
)

// accounts returns what every household and user of the data uses, with the limits of the settings.
func accounts(ctx context.Context, s store.Store, limits store.Limits, at time.Time) (all []store.Account, err error) {
	households := []string{}
	for session, err := range s.Sessions(ctx) {
		if err != nil {
			return nil, err
		}
		if !slices.Contains(households, session.Household) {
			households = append(households, session.Household)
		}
	}
	slices.Sort(households)
	for _, household := range households {
		some, err := s.Accounts(ctx, household, "", at)
		if err != nil {
			return nil, err
		}
		for _, a := range some {
			a.Most = limits.User
			if a.User == "" {
				a.Most = limits.Household
			}
			all = append(all, a)
		}
	}
	return all, nil
}

// limitNames are the limits as people read them, in the order of store.QuotaParts.
var limitNames = [...]string{"runs under way", "frames this hour", "kept", "tokens today", "money today"}

func limitAmount(part int, n int64) string {
	switch store.QuotaParts[part] {
	case "bytes":
		return units.Size(n)
	case "day_micros":
		return units.Money(n)
	}
	return units.Number(n)
}

func whose(a store.Account) string {
	if a.User == "" {
		return "household " + a.Household
	}
	return a.User + " of " + a.Household
}

func (c *call) printLimits(ctx context.Context, s store.Store) error {
	settings, err := c.settings()
	if err != nil {
		return err
	}
	all, err := accounts(ctx, s, settings.Limits.Accounts, time.Now())
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(c.stdout, 0, 8, 2, ' ', 0)
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
		used, most := a.Used.Parts(), a.Most.Parts()
		for i, name := range limitNames {
			of := "no limit"
			if most[i] > 0 {
				of = limitAmount(i, most[i])
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", safe(whose(a)), name, limitAmount(i, used[i]), of)
		}
	}
	return table.Flush()
}

// nearLimit is how much of a limit may be used before the doctor says so, in percent.
const nearLimit = 80

// checkLimits looks for users and households that will soon be refused something.
func (d *doctor) checkLimits(ctx context.Context, c *call, s store.Store) error {
	settings, err := c.settings()
	if err != nil {
		return nil // that was said
	}
	all, err := accounts(ctx, s, settings.Limits.Accounts, time.Now())
	if err != nil {
		d.find(wrong, "limits", "restore a backup", "%v", err)
		return ctx.Err()
	}
	near := false
	for _, a := range all {
		used, most := a.Used.Parts(), a.Most.Parts()
		for i, name := range limitNames {
			if most[i] > 0 && used[i] >= most[i]*nearLimit/100 {
				near = true
				d.find(warn, "limits", d.tip("usage --by limit")+" shows all; [limits] in rein.toml sets them", "%s: %s is %s of %s", whose(a), name, limitAmount(i, used[i]), limitAmount(i, most[i]))
			}
		}
	}
	if !near {
		d.find(fine, "limits", "", "nobody is near one")
	}
	return d.checkAccounts(ctx, s)
}

// checkCalls tells how many model calls the process that has the data open makes now. It is asked, since
// nothing of it is in the data; what it does not tell, as an older one, is left out.
func (d *doctor) checkCalls(ctx context.Context, l *link) {
	limits, err := l.Limits(ctx)
	if err != nil || len(limits.Calls) == 0 {
		return
	}
	all := limits.Calls[0]
	if all.Waiting == 0 {
		d.find(fine, "calls", "", "%d of %d model calls are under way, none waits", all.UnderWay, all.Most)
		return
	}
	d.find(warn, "calls", "[limits] in rein.toml sets how many, with calls and all_calls", "%d of %d model calls are under way, %d wait for others to end", all.UnderWay, all.Most, all.Waiting)
	for _, c := range limits.Calls[1:] {
		if c.Waiting > 0 {
			d.find(warn, "calls", "", "%s of %s has %d under way and %d that wait", c.User, c.Household, c.UnderWay, c.Waiting)
		}
	}
}

// checkAccounts counts what users use again.
func (d *doctor) checkAccounts(ctx context.Context, s store.Store) error {
	found, err := s.VerifyAccounts(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(wrong, "accounts", "restore a backup", "%v", err)
	case len(found) > 0:
		d.find(wrong, "accounts", d.tip("audit recount")+" counts them again", "%s", found[0])
	default:
		d.find(fine, "accounts", "", "what everyone uses is what the logs say")
	}
	return nil
}

const recountHelp = `Counts what users and households use again, from the logs and files. It is only needed if
rein doctor or rein audit verify say that an account is wrong, as when the file was changed by
another program. No other process may have the data open.`

func runRecount(ctx context.Context, c *call) error {
	p, err := c.place()
	if err != nil {
		return err
	}
	if s, err := openData(ctx, p); err != nil {
		return c.nothing(err)
	} else if err := s.Close(); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, p.path, sqlite.Options{Recount: true})
	if err != nil {
		return err
	}
	c.note("rein: the accounts are counted again")
	return s.Close()
}

// calls says how many model calls a user has under way, or the household if the user is empty.
func (o *owner) calls(household, user string) api.Calls {
	underWay, waiting := o.worker.Pace.Calls(household, user)
	return api.Calls{Household: household, User: user, UnderWay: underWay, Waiting: waiting, Most: o.settings.Limits.AllCalls}
}
