package sqlite

import (
	"context"
	"errors"

	"rein"
	"rein/store"
)

// FindRuns implements store.Views.
func (s *Store) FindRuns(ctx context.Context, f store.Filter) (runs []rein.RunInfo, next rein.RunID, err error) {
	if f.Limit <= 0 {
		return nil, "", errors.New("FindRuns needs a limit")
	}
	return s.find(ctx, newRunsQuery(f), mostLooked)
}

// find looks at so many runs, or a few more.
func (s *Store) find(ctx context.Context, q *runsQuery, most int) (runs []rein.RunInfo, next rein.RunID, err error) {
	for looked := 0; ; {
		over := false
		err := s.view(ctx, func(v *snapshot) error {
			found, err := q.page(v, min(q.Limit-len(runs), page))
			if err == nil {
				err = v.countAsks(found.runs)
			}
			if err != nil {
				return err
			}
			runs, looked, over = append(runs, found.runs...), looked+found.looked, found.over
			if !over && (len(runs) == q.Limit || looked >= most) {
				over = true
				return v.tx.QueryRowContext(ctx, `SELECT id FROM runs WHERE n = ?`, q.after).Scan(&next)
			}
			return nil
		})
		if over || err != nil {
			return runs, next, err
		}
	}
}

// countAsks counts the open asks of runs and of everything below them. A run that has ended has none.
func (v *snapshot) countAsks(runs []rein.RunInfo) error {
	for i := range runs {
		if runs[i].Status.Ended() {
			continue
		}
		if err := v.tx.QueryRowContext(v.ctx, selectAsksBelow, string(runs[i].ID)).Scan(&runs[i].Asks); err != nil {
			return err
		}
	}
	return nil
}

const selectAsksBelow = `SELECT count(*) FROM runs r CROSS JOIN asks a INDEXED BY asks_pending ON a.run_n = r.n AND a.state = 'pending' WHERE ` + below
