package sqlite

import (
	"context"
	"database/sql"

	"rein"

	"rein/store"
)

// isAct is what makes an event an act.
const isAct = `(e.kind LIKE 'command.%' AND e.by <> '' OR e.kind IN ('run.started', 'run.resumed', 'step.intent', 'run.completed', 'run.stopped', 'run.failed'))`

// Acts implements store.Views.
func (s *Store) Acts(ctx context.Context, f store.ActFilter) (acts []rein.Act, err error) {
	where, limit := ` WHERE `+isAct, f.Limit
	for _, part := range []struct {
		given bool
		sql   string
	}{
		{f.Tree != "", below},
		{f.Before > 0, `e.n < ?2`},
		{f.Household != "", `h.name = ?3`},
		{f.User != "", `s.user = ?4`},
		{f.By != "", `e.by = ?5`},
	} {
		if part.given {
			where += ` AND ` + part.sql
		}
	}
	if limit == 0 {
		limit = -1
	}
	err = s.view(ctx, func(v *snapshot) error {
		return v.each(func(rows *sql.Rows) error {
			var a rein.Act
			var at int64
			err := rows.Scan(&a.N, &at, &a.Household, &a.User, &a.Run, &a.Seq, &a.Kind, &a.Step, &a.By)
			a.At = micros(at)
			acts = append(acts, a)
			return err
		}, `SELECT e.n, e.at, h.name, s.user, r.id, e.seq, e.kind, e.step, e.by
			FROM events e JOIN runs r ON r.n = e.run_n JOIN sessions s ON s.n = r.session_n JOIN households h ON h.n = s.household_n`+
			where+` ORDER BY e.n DESC LIMIT ?6`, string(f.Tree), f.Before, f.Household, f.User, f.By, limit)
	})
	return acts, err
}
