package app

import (
	"context"
	"time"

	"rein/internal/units"
	"rein/store"
)

// checkLimits looks for users and households that will soon be refused something.
func (d *doctor) checkLimits(ctx context.Context, s *Data) error {
	settings, err := d.setup.Settings()
	if err != nil {
		return nil // that was said
	}
	all, err := Accounts(ctx, s, settings.Limits.Accounts, time.Now())
	if err != nil {
		d.find(Wrong, "limits", restore, "%v", err)
		return ctx.Err()
	}
	currency := units.NewCurrency(d.setup.currencyOf(settings), false) // the sign of one may not be what the terminal can show
	near := false
	for _, a := range all {
		for _, use := range LimitUses(a, currency) {
			if use.near {
				near = true
				d.find(Warn, "limits", d.tip("usage --by limit")+" shows all; [limits] in rein.toml sets them", "%s: %s is %s of %s", use.Who, use.What, use.Used, use.Most)
			}
		}
	}
	if !near {
		d.find(Fine, "limits", "", "nobody is close to a limit")
	}
	return d.checkAccounts(ctx, s)
}

// checkCalls tells how many model calls the process that has the data open makes now. It is asked, since
// nothing of it is in the data; what it does not tell, as an older one, is left out.
func (d *doctor) checkCalls(ctx context.Context, a *App) {
	limits, err := a.Limits(ctx)
	if err != nil || len(limits.Calls) == 0 {
		return
	}
	all := limits.Calls[0]
	if all.Waiting == 0 {
		d.find(Fine, "calls", "", "%d of %d model calls are running, none is waiting", all.UnderWay, all.Most)
		return
	}
	d.find(Warn, "calls", "limits.calls and limits.all_calls in rein.toml set how many may run", "%d of %d model calls are running, %d are waiting", all.UnderWay, all.Most, all.Waiting)
	for _, c := range limits.Calls[1:] {
		if c.Waiting > 0 {
			d.find(Warn, "calls", d.tip("runs")+" lists them, "+d.tip("stop RUN")+" ends one", "%s of %s has %d running and %d waiting", c.User, c.Household, c.UnderWay, c.Waiting)
		}
	}
}

// checkAccounts counts what users use again.
func (d *doctor) checkAccounts(ctx context.Context, s store.Accounts) error {
	found, err := s.VerifyAccounts(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(Wrong, "accounts", restore, "%v", err)
	case len(found) > 0:
		d.find(Wrong, "accounts", d.tip("audit recount")+" counts them again", "%s", found[0])
	default:
		d.find(Fine, "accounts", "", "the accounts match the logs")
	}
	return nil
}
