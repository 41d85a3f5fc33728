package sqlite

import (
	"context"
	"database/sql"
	"time"

	"rein/store"
)

// Accounts implements store.Accounts.
func (s *Store) Accounts(ctx context.Context, household, user string, at time.Time) (accounts []store.Account, err error) {
	all := store.Account{Household: household, Most: s.limits.Household}
	all.Renew(at)
	mine := store.Account{Household: household, User: user, Most: s.limits.User}
	mine.Renew(at)
	err = s.view(ctx, func(v *snapshot) error {
		return v.each(func(r *sql.Rows) error {
			one := store.Account{Household: household, Most: s.limits.User}
			one.Renew(at)
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
	})
	if user != "" {
		return []store.Account{mine}, err
	}
	return append([]store.Account{all}, accounts...), err
}

// selectAccounts includes users who have files and no run yet.
const selectAccounts = `SELECT user, max(driven), max(bytes), max(hour), max(frames), max(day), max(tokens), max(micros), max(kept) FROM (
		SELECT a.user, a.driven, a.bytes, a.hour, a.frames, a.day, a.tokens, a.micros, 0 AS kept
			FROM accounts a JOIN households h ON h.n = a.household_n WHERE h.name = ?1
		UNION ALL SELECT user_name, 0, 0, 0, 0, 0, 0, 0, bytes FROM kept_bytes WHERE household = ?1
	) GROUP BY user ORDER BY user`
