package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"rein"
)

// Lists and sums are kept a little behind the runs, many runs at a time: so an append pays nothing for them.
// Whoever reads them adds what is newer than the mark, on the same snapshot. A run that ends after the mark
// has passed it is added by the append that ends it.
const (
	foldAt   = 256 // how many runs may be newer than the mark
	foldMost = 512 // how many runs one transaction folds
)

// unknownMark makes the writer read the mark again.
const unknownMark = -1

// A folder moves the mark when the writer says that it has fallen behind.
type folder struct {
	kick   chan struct{}
	cancel context.CancelFunc
	over   chan struct{}
}

func (f *folder) start(s *Store) {
	ctx, cancel := context.WithCancel(context.Background())
	f.kick, f.cancel, f.over = make(chan struct{}, 1), cancel, make(chan struct{})
	f.kick <- struct{}{} // an older file may have many runs to fold
	go func() {
		defer close(f.over)
		for {
			select {
			case <-f.kick:
			case <-ctx.Done():
				return
			}
			for behind := true; behind && ctx.Err() == nil; {
				var err error
				if behind, err = s.foldSome(ctx); err != nil {
					break // the disk is full, or the store is being closed: the next run tries again
				}
			}
		}
	}()
}

// foldSome folds some runs, if many are newer than a mark, and reports whether it did.
func (s *Store) foldSome(ctx context.Context) (bool, error) {
	lists, err := s.fold(ctx, foldAt)
	if err != nil {
		return false, err
	}
	typed, err := s.foldTyped(ctx, foldAt)
	return lists || typed, err
}

// wake never waits.
func (f *folder) wake() {
	select {
	case f.kick <- struct{}{}:
	default:
	}
}

func (f *folder) stop() {
	if f.cancel != nil {
		f.cancel()
		<-f.over
	}
}

// fold folds some runs if more than spare are newer than the mark, and reports whether it did.
func (s *Store) fold(ctx context.Context, spare int64) (folded bool, err error) {
	err = s.submit(ctx, &request{do: func(w *writer) error {
		folded, err = w.fold(spare)
		return err
	}})
	return folded, err
}

// A mark is how far the lists have come.
type mark struct {
	run, session int64
	filled       bool
}

func (v *snapshot) mark() (m mark, err error) {
	err = v.tx.QueryRowContext(v.ctx, `SELECT run_n, session_n, filled FROM view_mark`).Scan(&m.run, &m.session, &m.filled)
	return m, err
}

func (w *writer) fold(spare int64) (bool, error) {
	v := &snapshot{ctx: context.Background(), tx: w.conn}
	m, err := v.mark()
	if err != nil {
		return false, err
	}
	var newest int64
	if err := w.conn.QueryRowContext(v.ctx, `SELECT coalesce(max(n), 0) FROM runs`).Scan(&newest); err != nil {
		return false, err
	}
	if newest-m.run <= spare && m.filled {
		w.folded = m.run
		return false, nil
	}
	f := &folding{writer: w, snapshot: v, after: m.run, upto: min(m.run+foldMost, newest), filled: m.filled}
	f.reached = f.upto == newest
	if err := f.fold(); err != nil {
		return false, err
	}
	w.folded = f.upto
	return true, nil
}

// A folding adds the runs of one transaction to the lists.
type folding struct {
	*writer
	*snapshot
	after, upto     int64
	filled, reached bool
}

// The two rows of an entry: the user's, and the household's.
const both = ` CROSS JOIN (SELECT 0 AS whole UNION ALL SELECT 1) w `

func (f *folding) fold() error {
	f.wrote = true
	const (
		owner = `s.household_n, CASE w.whole WHEN 1 THEN '' ELSE s.user END`
		some  = ` FROM runs r JOIN sessions s ON s.n = r.session_n` + both + `WHERE r.n > ?1 AND r.n <= ?2`
	)
	statements := []string{
		`INSERT OR IGNORE INTO view_runs SELECT ` + owner + `, r.n` + some,
		`INSERT OR IGNORE INTO view_ends SELECT ` + owner + `, r.status, r.n` + some + ` AND r.done = 1 AND r.status <> 'done'`,
		`INSERT OR IGNORE INTO view_sessions SELECT ` + owner + `, s.n` + some + ` AND r.depth = 0`,
	}
	for _, statement := range statements {
		if _, err := f.conn.ExecContext(f.ctx, statement, f.after, f.upto); err != nil {
			return err
		}
	}
	if err := f.usage(); err != nil {
		return err
	}
	if !f.filled {
		if err := f.asks(); err != nil {
			return err
		}
	}
	_, err := f.conn.ExecContext(f.ctx, `UPDATE view_mark SET run_n = ?2, filled = ?3,
		session_n = max(session_n, coalesce((SELECT max(session_n) FROM runs WHERE n > ?1 AND n <= ?2), 0))`, f.after, f.upto, f.filled || f.reached)
	return err
}

// usage adds what the ended trees have used.
func (f *folding) usage() error {
	sums := map[usageDay]usageParts{}
	err := f.each(func(r *sql.Rows) error {
		day, key, used, err := scanUsage(r)
		if err == nil {
			sums[day] = sums[day].add(key, 1, used)
		}
		return err
	}, selectUsage+` WHERE r.n > ? AND r.n <= ? AND r.done = 1 AND r.depth = 0`, f.after, f.upto)
	if err != nil {
		return err
	}
	for day, parts := range sums {
		if err := f.addUsage(f.ctx, day, parts); err != nil {
			return err
		}
	}
	return nil
}

// asks adds the asks of these runs that there were before there was a list.
func (f *folding) asks() error {
	type row struct {
		household int64
		user      string
		blob      []byte
	}
	var rows []row
	err := f.each(func(r *sql.Rows) error {
		var one row
		err := r.Scan(&one.household, &one.user, &one.blob)
		rows = append(rows, one)
		return err
	}, `SELECT s.household_n, s.user, a.data FROM asks a JOIN runs r ON r.n = a.run_n JOIN sessions s ON s.n = r.session_n
		WHERE a.run_n > ? AND a.run_n <= ?`, f.after, f.upto)
	for _, one := range rows {
		if err != nil {
			return err
		}
		ask, damaged := decodeAsk(one.blob, f.snapshot.texts(one.household))
		if damaged != nil {
			continue // verify says so
		}
		err = f.listAsk(one.household, one.user, ask, "")
		if err == nil && ask.State != rein.AskPending {
			err = f.listAsk(one.household, one.user, ask, ask.State)
		}
	}
	return err
}

// listAsk adds an ask to the lists of a state; empty: of all states.
func (w *writer) listAsk(household int64, user string, ask rein.Ask, state rein.AskState) error {
	return w.put(w.addViewAsk, household, user, string(state), ask.For, string(ask.ID))
}

// foldEnd adds a run that ends after the mark has passed it.
func (w *writer) foldEnd(h *head) error {
	if w.folded == unknownMark {
		err := w.conn.QueryRowContext(context.Background(), `SELECT run_n FROM view_mark`).Scan(&w.folded)
		if err != nil {
			return err
		}
	}
	if h.n > w.folded {
		return nil
	}
	if h.status != rein.Status(rein.EndDone) {
		for _, user := range []string{"", h.account.user} {
			if err := w.put(w.addViewEnd, h.household, user, string(h.status), h.n); err != nil {
				return err
			}
		}
	}
	if h.id.Parent() != "" {
		return nil
	}
	root, err := w.payer(h.id) // with its ledger as this append leaves it
	if err != nil {
		return err
	}
	var flow string
	if err := w.conn.QueryRowContext(context.Background(), `SELECT flow FROM runs WHERE n = ?`, h.n).Scan(&flow); err != nil {
		return err
	}
	w.wrote = true
	day, key := usageOf(h.household, h.account.user, h.started, flow)
	return w.addUsage(context.Background(), day, usageParts{}.add(key, 1, root.ledger.Used))
}

// addUsage adds to what a day has.
func (w *writer) addUsage(ctx context.Context, day usageDay, parts usageParts) error {
	var blob []byte
	err := w.conn.QueryRowContext(ctx, `SELECT parts FROM view_usage WHERE household_n = ? AND user = ? AND day = ?`, day.household, day.user, day.day).Scan(&blob)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	was, err := unpackUsage(blob)
	if err != nil {
		return err
	}
	for key, part := range parts {
		was = was.add(key, part.runs, part.used)
	}
	_, err = w.conn.ExecContext(ctx, `INSERT INTO view_usage VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET parts = excluded.parts`,
		day.household, day.user, day.day, was.pack())
	return err
}

// emptyViews makes the lists and sums again, from the beginning.
func emptyViews(ctx context.Context, tx *sql.Tx) error {
	for _, statement := range []string{
		`DELETE FROM view_runs`, `DELETE FROM view_ends`, `DELETE FROM view_sessions`, `DELETE FROM view_asks`, `DELETE FROM view_usage`, `DELETE FROM view_typed`,
		`UPDATE view_mark SET run_n = 0, session_n = 0, filled = 0, typed_n = 0`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
