package people

import (
	"context"
	"database/sql"

	"rein"
	"rein/store"
)

// maxChanges is how many changes one answer has at most.
const maxChanges = 1000

// Changes returns what was done to the people of the asker's household after a place, the oldest
// first. A limit of 0, or one that is too large, is 1000.
func (p *People) Changes(ctx context.Context, by rein.Identity, after int64, limit int) (found []rein.PeopleChange, err error) {
	if err := mayAdmin(by); err != nil {
		return nil, err
	}
	if limit <= 0 || limit > maxChanges {
		limit = maxChanges
	}
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, func(rows *sql.Rows) (c rein.PeopleChange, err error) {
			var at int64
			err = rows.Scan(&c.N, &at, &c.By, &c.Via, &c.What, &c.On, &c.Detail)
			c.At = timeOf(at)
			return c, err
		}, `SELECT n, changed, by_user, via, what, on_user, detail FROM people_changes
			WHERE household = ? AND n > ? ORDER BY n LIMIT ?`, by.Household, after, limit)
		return err
	})
	return found, err
}

// note records a change in the transaction that makes it.
func (p *People) note(ctx context.Context, tx rein.Tx, by rein.Identity, what rein.ChangeKind, household, user, detail string) error {
	last, err := list(ctx, tx, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, `SELECT coalesce(max(n), 0) FROM people_changes`)
	if err != nil {
		return err
	}
	return changeRecords.insert(ctx, tx, p.chain(), last[0]+1, household, micros(p.now()), by.User, by.Via, string(what), user, detail)
}
