package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"rein"

	"rein/store"
)

// Accounts implements store.Accounts.
func (s *Store) Accounts(ctx context.Context, household, user string, at time.Time) (accounts []rein.Account, err error) {
	all := rein.Account{Household: household, Most: s.limits.Household}
	store.Renew(&all, at)
	mine := rein.Account{Household: household, User: user, Most: s.limits.User}
	store.Renew(&mine, at)
	err = s.view(ctx, func(v *snapshot) error {
		err := v.each(func(r *sql.Rows) error {
			one := rein.Account{Household: household, Most: s.limits.User}
			store.Renew(&one, at)
			var t tally
			var kept int64
			if err := r.Scan(&one.User, &t.driven, &t.bytes, &t.hour, &t.frames, &t.day, &t.tokens, &t.micros, &kept); err != nil {
				return err
			}
			one.Used = t.at(store.Hour(at), store.Day(at)).quota()
			one.Used.Bytes += kept
			all.Used = all.Used.Plus(one.Used)
			if one.User != "" {
				accounts = append(accounts, one)
			}
			if one.User == user {
				mine = one
			}
			return nil
		}, selectAccounts, household)
		return errors.Join(err, s.limitMoney(ctx, v, &mine), s.limitMoney(ctx, v, pointers(accounts)...))
	})
	if user != "" {
		return []rein.Account{mine}, err
	}
	return append([]rein.Account{all}, accounts...), err
}

// limitMoney lowers what users may spend to what their roles let them.
func (s *Store) limitMoney(ctx context.Context, v *snapshot, accounts ...*rein.Account) error {
	if s.roles == nil {
		return nil
	}
	for _, a := range accounts {
		most, role, err := s.roles.DayMicros(ctx, v.tx, a.Household, a.User)
		if err != nil {
			return err
		}
		store.ByRole(a, role, most)
	}
	return nil
}

func pointers(accounts []rein.Account) []*rein.Account {
	all := make([]*rein.Account, len(accounts))
	for i := range accounts {
		all[i] = &accounts[i]
	}
	return all
}

// selectAccounts includes users who have files and no run yet.
const selectAccounts = `SELECT user, max(driven), max(bytes), max(hour), max(frames), max(day), max(tokens), max(micros), max(kept) FROM (
		SELECT a.user, a.driven, a.bytes, a.hour, a.frames, a.day, a.tokens, a.micros, 0 AS kept
			FROM accounts a JOIN households h ON h.n = a.household_n WHERE h.name = ?1
		UNION ALL SELECT user_name, 0, 0, 0, 0, 0, 0, 0, bytes FROM kept_bytes WHERE household = ?1
	) GROUP BY user ORDER BY user`
