package people

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Change is one thing that was done to the people of a household. It holds no secret.
type Change struct {
	N      int64     `json:"n"` // its place among all changes
	At     time.Time `json:"at"`
	By     string    `json:"by"`  // the user who did it
	Via    string    `json:"via"` // what they were recognised by, as Identity.Via
	What   What      `json:"what"`
	On     string    `json:"on"` // the user whom it is about
	Detail string    `json:"detail,omitempty"`
}

// What was done.
type What string

const (
	UserAdded    What = "user added"    // detail: the role
	RoleSet      What = "role set"      // detail: from what to what
	UserDisabled What = "user disabled" // they are refused at once, and their credentials are revoked
	UserEnabled  What = "user enabled"  // but what was revoked stays so
	TokenMade    What = "token made"    // detail: its ID, scopes and end
	TokenRevoked What = "token revoked" // detail: its ID
	LinkMade     What = "login link made"
	LoggedIn     What = "logged in"  // detail: the browser's ID
	LoggedOut    What = "logged out" // detail: the browser's ID
)

// maxChanges is how many changes one answer has at most.
const maxChanges = 1000

// Changes returns what was done to the people of the asker's household after a place, the oldest
// first. A limit of 0, or one that is too large, is 1000.
func (p *People) Changes(ctx context.Context, by Identity, after int64, limit int) (found []Change, err error) {
	if err := mayAdmin(by); err != nil {
		return nil, err
	}
	if limit <= 0 || limit > maxChanges {
		limit = maxChanges
	}
	err = p.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = list(ctx, q, func(rows *sql.Rows) (c Change, err error) {
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
func (p *People) note(ctx context.Context, tx rein.Tx, by Identity, what What, household, user, detail string) error {
	last, err := list(ctx, tx, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, `SELECT coalesce(max(n), 0) FROM people_changes`)
	if err != nil {
		return err
	}
	return changeRecords.insert(ctx, tx, p.chain(), last[0]+1, household, micros(p.now()), by.User, by.Via, string(what), user, detail)
}
