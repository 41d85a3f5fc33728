package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"rein"
)

// Ledger implements store.Views.
func (s *Store) Ledger(ctx context.Context, root rein.RunID) (ledger rein.Ledger, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		l, err := v.ledger(root)
		if err == nil {
			ledger = *l
		}
		return err
	})
	return ledger, err
}

func (v *snapshot) ledger(root rein.RunID) (*rein.Ledger, error) {
	l, err := scanLedger(v.tx.QueryRowContext(v.ctx,
		`SELECT l.cap, l.depth, l.used, l.overrun FROM ledgers l JOIN runs r ON r.n = l.run_n WHERE r.id = +?`, string(root)), root)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, rein.Errorf(rein.CodeNotFound, "there is no ledger of run %q: name the root of a tree", string(root))
	}
	return l, err
}

// Sessions implements store.Views.
func (s *Store) Sessions(ctx context.Context) iter.Seq2[rein.SessionInfo, error] {
	return func(yield func(rein.SessionInfo, error) bool) {
		for after := int64(0); ; {
			sessions, last, err := s.sessionsPage(ctx, after)
			if err != nil {
				yield(rein.SessionInfo{}, err)
				return
			}
			for _, session := range sessions {
				if !yield(session, nil) {
					return
				}
			}
			if len(sessions) < page {
				return
			}
			after = last
		}
	}
}

func (s *Store) sessionsPage(ctx context.Context, after int64) (sessions []rein.SessionInfo, last int64, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		return v.each(func(r *sql.Rows) error {
			var info rein.SessionInfo
			var started, changed int64
			err := r.Scan(&last, &info.ID, &info.Household, &info.User, &started, &changed, &info.Runs, &info.Active)
			info.Started, info.Changed = micros(started), micros(changed)
			sessions = append(sessions, info)
			return err
		}, `SELECT s.n, s.id, h.name, s.user, s.started, s.changed, s.runs,
				coalesce((SELECT r.id FROM runs r WHERE r.session_n = s.n AND r.done = 0 AND r.depth = 0 ORDER BY r.n DESC LIMIT 1), '')
			FROM sessions s JOIN households h ON h.n = s.household_n WHERE s.n > ? ORDER BY s.n LIMIT ?`, after, page)
	})
	return sessions, last, err
}
