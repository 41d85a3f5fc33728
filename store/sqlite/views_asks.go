package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"rein"
	"rein/store"
)

// Asks implements store.Views.
func (s *Store) Asks(ctx context.Context, f store.AskFilter) (asks []rein.Ask, err error) {
	if f.Pending {
		f.State = rein.AskPending
	}
	err = s.view(ctx, func(v *snapshot) error {
		asks, err = v.askPage(f)
		return err
	})
	return asks, err
}

const (
	ofAsks     = ` CROSS JOIN sessions s ON s.n = r.session_n CROSS JOIN households h ON h.n = s.household_n WHERE a.n > ?2`
	fromAsks   = ` FROM asks a CROSS JOIN runs r ON r.n = a.run_n` + ofAsks
	fromTree   = ` FROM runs r CROSS JOIN asks a ON a.run_n = r.n` + ofAsks + ` AND ` + below
	listedAsks = ` FROM view_asks v CROSS JOIN asks a ON a.n = v.ask_n CROSS JOIN runs r ON r.n = a.run_n` + ofAsks + `
		AND v.household_n = (SELECT n FROM households WHERE name = ?3) AND v.state = +?5 AND v.ask_n > ?2`
	// An ask is in the lists of several users, and must not be found twice.
	listedForOne    = ` AND v.user = +?4`
	listedForAdults = ` AND (v.user = +?4 OR v.user = '` + rein.ForAdults + `' AND NOT EXISTS (SELECT 1 FROM view_asks o
		WHERE o.household_n = v.household_n AND o.user = +?4 AND o.state = v.state AND o.ask_n = v.ask_n))`
	pendingAsks = ` FROM asks a INDEXED BY asks_pending CROSS JOIN runs r ON r.n = a.run_n` + ofAsks + ` AND a.state = 'pending'`
	isListed    = ` AND EXISTS (SELECT 1 FROM view_asks v WHERE v.household_n = s.household_n AND v.user IN (+?4, +?8) AND v.state = '' AND v.ask_n = a.n)`
)

// askPage reads the asks that a filter selects. What nobody can see from the outside of an ask, for whom it
// is, the lists know, once they are filled.
func (v *snapshot) askPage(f store.AskFilter) ([]rein.Ask, error) {
	var after int64
	if f.After != "" {
		err := v.tx.QueryRowContext(v.ctx, `SELECT n FROM asks WHERE id = ?`, string(f.After)).Scan(&after)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, rein.Errorf(rein.CodeNotFound, "there is no ask %q", string(f.After))
		}
		if err != nil {
			return nil, err
		}
	}
	m, err := v.mark()
	if err != nil {
		return nil, err
	}
	query, known := asksQuery(f, m.filled)
	limit := f.Limit
	if limit == 0 || !known || f.For != "" {
		limit = -1
	}
	listed := ""
	if f.State != rein.AskPending {
		listed = string(f.State)
	}
	asks, err := v.asks(query, string(f.Tree), after, f.Household, f.User, listed, string(f.State), limit, others(f))
	if err != nil {
		return nil, err
	}
	return keepAsks(asks, f, known), nil
}

// asksQuery selects asks, and reports whether it knows for whom they are.
func asksQuery(f store.AskFilter, filled bool) (query string, known bool) {
	from, order, where := fromAsks, `a.n`, ``
	switch {
	case f.Tree != "":
		from, order = fromTree, `+a.n`
	case f.State == rein.AskPending:
		from, order = pendingAsks, `+a.n`
	case f.Household != "" && filled:
		from, order = listedAsks, `v.ask_n`
		if f.User != "" && f.Adult {
			where += listedForAdults
		} else {
			where += listedForOne
		}
	}
	if f.Household != "" {
		where += ` AND h.name = +?3`
	}
	if f.User != "" && filled && order != `v.ask_n` {
		where += isListed
	}
	if f.State != "" && from != pendingAsks {
		where += ` AND a.state = +?6`
	}
	return from + where + ` ORDER BY ` + order + ` LIMIT ?7`, filled || f.User == ""
}

// keepAsks leaves out what the query could not.
func keepAsks(asks []askOf, f store.AskFilter, known bool) (kept []rein.Ask) {
	for _, ask := range asks {
		switch {
		case f.For != "" && ask.For != "" && ask.For != f.For && !(f.Adult && ask.For == rein.ForAdults):
		case !known && ask.user != f.User && ask.For != f.User && !(f.Adult && ask.For == rein.ForAdults):
		case f.Limit > 0 && len(kept) == f.Limit:
			return kept
		default:
			kept = append(kept, ask.Ask)
		}
	}
	return kept
}

// Ask implements store.Views.
func (s *Store) Ask(ctx context.Context, id rein.AskID) (ask rein.Ask, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		asks, err := v.asks(` FROM asks a JOIN runs r ON r.n = a.run_n JOIN sessions s ON s.n = r.session_n WHERE a.id = +?`, string(id))
		if err == nil && len(asks) == 0 {
			return rein.Errorf(rein.CodeNotFound, "there is no ask %q", string(id))
		}
		if err == nil {
			ask = asks[0].Ask
		}
		return err
	})
	return ask, err
}

// An askOf is an ask, with the user of its run.
type askOf struct {
	rein.Ask
	user string
}

func (v *snapshot) asks(from string, args ...any) (asks []askOf, err error) {
	type row struct {
		household int64
		user      string
		blob      []byte
	}
	var rows []row
	err = v.each(func(r *sql.Rows) error {
		var row row
		err := r.Scan(&row.household, &row.user, &row.blob)
		rows = append(rows, row)
		return err
	}, `SELECT s.household_n, s.user, a.data`+from, args...)
	for _, row := range rows {
		if err != nil {
			return nil, err
		}
		ask := askOf{user: row.user}
		ask.Ask, err = decodeAsk(row.blob, v.texts(row.household))
		asks = append(asks, ask)
	}
	return asks, err
}

// asksOf are the asks of one run.
const asksOf = ` FROM asks a JOIN runs r ON r.n = a.run_n JOIN sessions s ON s.n = r.session_n WHERE a.run_n = +?`

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

// others is the list, beside that of the user, in which an ask may be.
func others(f store.AskFilter) string {
	if f.Adult {
		return rein.ForAdults
	}
	return f.User
}
