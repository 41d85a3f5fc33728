// Package branches keeps which sessions are branches: they began where an earlier message of another session was edited,
// and inherit what was said before it. It has the types and the SQL of its table.
package branches

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Row is a session that is a branch.
type Row struct {
	rein.Place
	From rein.Branch
	// Until is when the run began that the branch replaces: files of the other session that changed later are not
	// inherited.
	Until time.Time
	Made  time.Time
}

// First is the first run of the branch: they have the same name.
func (r Row) First() rein.RunID { return rein.RunID(r.Session) }

// Keep writes that a session is a branch. It is for the transaction that makes the session.
func Keep(ctx context.Context, tx rein.Tx, r Row) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO session_branches (household, user_name, session, origin, run, until, created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		r.Household, r.User, r.Session, r.From.Session, string(r.From.Run), r.Until.UnixMicro(), r.Made.UnixMicro())
	return err
}

const selectRows = `SELECT b.household, b.user_name, b.session, b.origin, b.run, b.until, b.created FROM session_branches b`

// maxDeep ends a search in a table that somebody has made go round in circles.
const maxDeep = 10_000

// Origins returns the branch that a session is, then the one that its origin is, and so on. A session that is not a
// branch has none.
func Origins(ctx context.Context, q store.Query, p rein.Place) ([]Row, error) {
	return list(ctx, q, `WITH RECURSIVE up (session, deep) AS (
			SELECT CAST(? AS TEXT), 0
			UNION ALL SELECT b.origin, u.deep + 1 FROM up u JOIN session_branches b
				ON b.household = ? AND b.user_name = ? AND b.session = u.session WHERE u.deep < ?)
		`+selectRows+` JOIN up u ON b.session = u.session WHERE b.household = ? AND b.user_name = ? ORDER BY u.deep`,
		p.Session, p.Household, p.User, maxDeep, p.Household, p.User)
}

// At returns the branches that leave a session, in the order in which they were made.
func At(ctx context.Context, q store.Query, p rein.Place) ([]Row, error) {
	return list(ctx, q, selectRows+` WHERE b.household = ? AND b.user_name = ? AND b.origin = ? ORDER BY b.n`, p.Household, p.User, p.Session)
}

// Of returns all branches of a household.
func Of(ctx context.Context, q store.Query, household string) ([]Row, error) {
	return list(ctx, q, selectRows+` WHERE b.household = ? ORDER BY b.n`, household)
}

// Family returns the sessions that have an origin in common with a session, its own name first.
func Family(ctx context.Context, q store.Query, p rein.Place) ([]string, error) {
	origins, err := Origins(ctx, q, p)
	if err != nil {
		return nil, err
	}
	root := p.Session
	if len(origins) > 0 {
		root = origins[len(origins)-1].From.Session
	}
	below, err := list(ctx, q, `WITH RECURSIVE down (session, deep) AS (
			SELECT CAST(? AS TEXT), 0
			UNION ALL SELECT b.session, d.deep + 1 FROM down d JOIN session_branches b
				ON b.household = ? AND b.user_name = ? AND b.origin = d.session WHERE d.deep < ?)
		`+selectRows+` JOIN down d ON b.session = d.session WHERE b.household = ? AND b.user_name = ? ORDER BY b.n`,
		root, p.Household, p.User, maxDeep, p.Household, p.User)
	names := []string{p.Session}
	for _, name := range append([]string{root}, sessions(below)...) {
		if name != p.Session {
			names = append(names, name)
		}
	}
	return names, err
}

func sessions(rows []Row) (names []string) {
	for _, r := range rows {
		names = append(names, r.Session)
	}
	return names
}

func list(ctx context.Context, q store.Query, query string, args ...any) (all []Row, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (r Row, err error) {
	var until, made int64
	err = rows.Scan(&r.Household, &r.User, &r.Session, &r.From.Session, &r.From.Run, &until, &made)
	r.Until, r.Made = time.UnixMicro(until).UTC(), time.UnixMicro(made).UTC()
	return r, err
}
