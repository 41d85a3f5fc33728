package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"rein"
	"rein/store"
)

// Asks implements store.Views.
func (s *Store) Asks(ctx context.Context, f store.AskFilter) (asks []rein.Ask, err error) {
	where := ` WHERE 1`
	if f.Tree != "" {
		where += ` AND ` + below
	}
	if f.Pending {
		where += ` AND a.state = 'pending'`
	}
	err = s.view(ctx, func(v *snapshot) error {
		asks, err = v.asks(where+` ORDER BY a.n`, string(f.Tree))
		return err
	})
	return asks, err
}

// Ask implements store.Views.
func (s *Store) Ask(ctx context.Context, id rein.AskID) (ask rein.Ask, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		asks, err := v.asks(` WHERE a.id = ?`, string(id))
		if err == nil && len(asks) == 0 {
			return rein.Errorf(rein.CodeNotFound, "there is no ask %q", string(id))
		}
		if err == nil {
			ask = asks[0]
		}
		return err
	})
	return ask, err
}

func (v *snapshot) asks(where string, args ...any) (asks []rein.Ask, err error) {
	type row struct {
		household int64
		blob      []byte
	}
	var rows []row
	err = v.each(func(r *sql.Rows) error {
		var row row
		err := r.Scan(&row.household, &row.blob)
		rows = append(rows, row)
		return err
	}, `SELECT s.household_n, a.data FROM asks a JOIN runs r ON r.n = a.run_n JOIN sessions s ON s.n = r.session_n`+where, args...)
	for _, row := range rows {
		if err != nil {
			return nil, err
		}
		var ask rein.Ask
		ask, err = decodeAsk(row.blob, v.texts(row.household))
		asks = append(asks, ask)
	}
	return asks, err
}

// Receipts implements store.Views.
func (s *Store) Receipts(ctx context.Context, run rein.RunID) (receipts []rein.Receipt, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		row, err := v.run(run)
		if err != nil {
			return err
		}
		return v.each(func(rows *sql.Rows) error {
			var seq int64
			var r rein.Receipt
			var key sql.NullString
			err := rows.Scan(&seq, &key, &r.Kind, &r.State, &r.Step, &r.Started, &r.Reason)
			r.Key = key.String
			r.Command = rein.NewCommandID(run, seq)
			receipts = append(receipts, r)
			return err
		}, `SELECT seq, key, kind, state, step, started, reason FROM commands WHERE run_n = ? ORDER BY seq`, row.n)
	})
	return receipts, err
}

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
		`SELECT l.cap, l.depth, l.used, l.overrun FROM ledgers l JOIN runs r ON r.n = l.run_n WHERE r.id = ?`, string(root)), root)
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
