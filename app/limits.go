package app

import (
	"context"
	"slices"
	"time"

	"rein"
	"rein/api"
	"rein/internal/units"
	"rein/store"
	"rein/store/sqlite"
)

// Counted is the part of a store that knows what people use.
type Counted interface {
	store.Views
	store.Accounts
}

// Accounts returns what every household and user of the data uses, with the limits of the settings.
func Accounts(ctx context.Context, s Counted, limits store.Limits, at time.Time) (all []rein.Account, err error) {
	households := []string{}
	for session, err := range s.Sessions(ctx, store.SessionFilter{}) {
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

// A LimitUse is how much of a limit somebody uses, in words.
type LimitUse struct {
	Who, What, Used string
	Most            string // empty: there is no limit
	near            bool   // of being refused something
}

// limitNames are the limits as people read them, in the order of rein.QuotaParts.
var limitNames = [...]string{"running runs", "frames this hour", "stored", "tokens today", "money today"}

// nearLimit is how much of a limit may be used before the doctor says so, in percent.
const nearLimit = 80

// LimitUses says how much of each limit an account uses. Amounts of money are in the currency.
func LimitUses(a rein.Account, currency units.Currency) (all []LimitUse) {
	used, most := a.Used.Parts(), a.Most.Parts()
	for i, name := range limitNames {
		use := LimitUse{Who: whose(a), What: name, Used: limitAmount(i, used[i], currency)}
		if most[i] > 0 {
			use.Most, use.near = limitAmount(i, most[i], currency), used[i] >= most[i]*nearLimit/100
		}
		all = append(all, use)
	}
	return all
}

func limitAmount(part int, n int64, currency units.Currency) string {
	switch rein.QuotaParts[part] {
	case "bytes":
		return units.Size(n)
	case "day_micros":
		return currency.Money(n)
	}
	return units.Number(n)
}

func whose(a rein.Account) string {
	if a.User == "" {
		return "household " + a.Household
	}
	return a.User + " of " + a.Household
}

// Recount counts what users and households use again, from the logs and files. No process may have the
// data open.
func (s *Setup) Recount(ctx context.Context) error {
	p, err := s.Place()
	if err != nil {
		return err
	}
	d, err := openReader(ctx, p)
	if err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	counted, err := sqlite.Open(ctx, p.Path, sqlite.Options{Recount: true})
	if err != nil {
		return err
	}
	return counted.Close()
}

// calls says how many model calls a user has under way, or the household if the user is empty.
func (o *owner) calls(household, user string) api.Calls {
	underWay, waiting := o.worker.Pace.Calls(household, user)
	return api.Calls{Household: household, User: user, UnderWay: underWay, Waiting: waiting, Most: o.settings.Limits.AllCalls}
}
