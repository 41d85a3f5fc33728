package sqlite

import (
	"context"
	"database/sql"

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
