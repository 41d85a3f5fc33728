package memory

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

// A Row is one thing that is known of someone, whatever its table, with where it comes from.
type Row struct {
	Kind   string // memory, snapshot, summary or preference
	User   string // whose it is; of a preference: who set it
	Text   string
	About  string // of a summary: the session, or the day; of a preference: its name
	Wide   bool   // others of the household read it too
	Source rein.RunID
	Run    rein.RunID // whose step wrote it
	At     time.Time

	n int64
}

// Rows returns all that is known in a household.
func Rows(ctx context.Context, q store.Query, household string) (all []Row, err error) {
	for _, part := range []struct{ kind, query string }{
		{"memory", `SELECT n, user_name, text, '', CASE scope WHEN 'household' THEN 1 ELSE 0 END, source, run, created FROM memories WHERE household = ? ORDER BY n`},
		{"snapshot", `SELECT n, user_name, text, '', CASE scope WHEN 'household' THEN 1 ELSE 0 END, source, run, created FROM snapshots WHERE household = ? ORDER BY n`},
		{"summary", `SELECT n, user_name, text, about, 0, '', run, created FROM session_summaries WHERE household = ? ORDER BY n`},
		{"preference", `SELECT 0, CASE user_name WHEN '' THEN set_by ELSE user_name END, key || ': ' || value, key, user_name = '', source, '', changed FROM preferences WHERE household = ? ORDER BY user_name, key`},
	} {
		if all, err = appendRows(ctx, q, all, part.kind, part.query, household); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func appendRows(ctx context.Context, q store.Query, all []Row, kind, query, household string) ([]Row, error) {
	rows, err := q.QueryContext(ctx, query, household)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRow(rows)
		if err != nil {
			return nil, err
		}
		r.Kind = kind
		all = append(all, r)
	}
	return all, rows.Err()
}

func scanRow(rows *sql.Rows) (r Row, err error) {
	var at int64
	err = rows.Scan(&r.n, &r.User, &r.Text, &r.About, &r.Wide, &r.Source, &r.Run, &at)
	r.At = timeOf(at)
	return r, err
}

// Erase takes rows away. What one of them had replaced holds again.
func Erase(ctx context.Context, tx rein.Tx, household string, rows []Row) (err error) {
	tables := map[string]string{"memory": "memories", "snapshot": "snapshots", "summary": "session_summaries"}
	for _, r := range rows {
		if table := tables[r.Kind]; table != "" {
			err = exec(ctx, tx, `DELETE FROM `+table+` WHERE n = ?`, r.n)
		} else {
			of := r.User
			if r.Wide {
				of = ""
			}
			err = exec(ctx, tx, `DELETE FROM preferences WHERE household = ? AND user_name = ? AND key = ?`, household, of, r.About)
		}
		if err != nil {
			return err
		}
	}
	return exec(ctx, tx, `UPDATE memories SET replaced_by = '' WHERE household = ? AND replaced_by <> '' AND replaced_by NOT IN
		(SELECT id FROM memories WHERE household = ? AND forgotten = 0)`, household, household)
}
