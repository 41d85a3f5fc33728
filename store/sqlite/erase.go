package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"time"

	"rein"
	"rein/store"
)

// Erase implements store.Eraser. Beside the payloads it empties what the views had of them, and the
// unsalted digests, from which a short text could be guessed.
func (s *Store) Erase(ctx context.Context, choose func(context.Context, store.Moment) ([]rein.RunID, error)) error {
	err := s.submit(ctx, &request{once: true, do: func(w *writer) error { return w.erase(ctx, choose) }})
	if err != nil {
		return err
	}
	return s.fault("erase", s.emptyLog(ctx, emptyPatience))
}

// How long an erasure waits for readers that still see what was erased, such as a backup.
const (
	emptyPatience = 5 * time.Second
	emptyPause    = 50 * time.Millisecond
)

// emptyLog takes what was erased out of the write-ahead log too. If a reader is in the way for long the old
// pages stay until they are written over, or the store is closed or opened again.
func (s *Store) emptyLog(ctx context.Context, patience time.Duration) error {
	db := connect(s.path, 1) // of its own: it does not wait as the writer does
	defer db.Close()
	for end := time.Now().Add(patience); ; {
		empty, err := foldLog(context.WithoutCancel(ctx), db)
		if empty || err != nil || time.Now().After(end) {
			return err
		}
		time.Sleep(emptyPause)
	}
}

// foldLog writes the write-ahead log back into the file and empties it, and tells whether nobody was in the
// way.
func foldLog(ctx context.Context, db *sql.DB) (empty bool, err error) {
	if _, err := db.ExecContext(ctx, `PRAGMA busy_timeout = 250`); err != nil {
		return false, err
	}
	var busy, pages, moved int
	err = db.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	return busy == 0, err
}

func (w *writer) erase(ctx context.Context, choose func(context.Context, store.Moment) ([]rein.RunID, error)) error {
	var runs []rein.RunID
	err := w.runTables(ctx, func(ctx context.Context, tx rein.Tx) (err error) {
		runs, err = choose(ctx, &moment{tx.(*toolTx)})
		return err
	})
	if err != nil {
		return err
	}
	for _, run := range runs {
		if _, err := w.head(run); err != nil {
			return err
		}
		v := &snapshot{ctx: context.Background(), tx: w.conn}
		if err := w.eraseTree(v, run); err != nil {
			return cmp.Or(v.failed, err)
		}
	}
	return w.scrub(ctx)
}

// A moment is what the transaction under way sees.
type moment struct{ *toolTx }

func (m *moment) view(do func(*snapshot) error) error {
	if m.conn == nil {
		return sql.ErrTxDone
	}
	v := &snapshot{ctx: context.Background(), tx: m.conn}
	if err := do(v); v.failed == nil {
		return err
	}
	return v.failed
}

// Runs implements store.Moment.
func (m *moment) Runs(_ context.Context, f store.Filter) iter.Seq2[rein.RunInfo, error] {
	return eachRun(f, m.view)
}

// Event implements store.Moment.
func (m *moment) Event(_ context.Context, run rein.RunID, seq int64) (event rein.Event, err error) {
	err = m.view(func(v *snapshot) error {
		event, err = v.event(run, seq)
		return err
	})
	return event, err
}

// Events implements store.Moment.
func (m *moment) Events(_ context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return eachEvent(run, after, m.view)
}

// Kept implements store.Moment.
func (m *moment) Kept(_ context.Context, run rein.RunID, hash rein.Hash) (data []byte, err error) {
	err = m.view(func(v *snapshot) error {
		data, err = v.kept(run, hash)
		return err
	})
	return data, err
}

func (w *writer) eraseTree(v *snapshot, run rein.RunID) error {
	var runs []*runRow
	err := v.each(func(r *sql.Rows) error {
		row, err := scanRun(r)
		runs = append(runs, row)
		return err
	}, selectRuns+` WHERE `+below+` ORDER BY r.n`, string(run))
	if err != nil {
		return err
	}
	for _, row := range runs {
		if !row.Status.Ended() {
			return rein.Errorf(rein.CodeBusy, "run %s has not ended: delete it first", row.ID)
		}
	}
	for _, row := range runs {
		if err := w.eraseRun(v, row); err != nil {
			return err
		}
		w.usedHeads = append(w.usedHeads, row.ID)
	}
	w.forgetUsed() // their digests and texts
	return nil
}

func (w *writer) eraseRun(v *snapshot, row *runRow) error {
	if err := w.weighOff(v, row); err != nil {
		return err
	}
	if err := w.erasePayloads(v, row); err != nil {
		return err
	}
	if err := w.eraseAsks(v, row); err != nil {
		return err
	}
	info, err := row.finish(v.texts(row.household))
	if err != nil {
		return err
	}
	outcome, err := marshal(rein.RunEnd{Outcome: rein.Outcome{End: info.Outcome.End}})
	if err != nil {
		return err
	}
	for _, sql := range []string{
		`UPDATE commands SET digest = NULL WHERE run_n = ?1`,
		`DELETE FROM view_typed WHERE session_n = (SELECT session_n FROM runs WHERE n = ?1) AND run_n = ?1`,
		// Of the texts of this run, those go that no other run refers to.
		`CREATE TEMP TABLE gone AS SELECT text_n AS n FROM text_refs WHERE run_n = ?1`,
		`DELETE FROM text_refs WHERE run_n = ?1`,
		`DELETE FROM texts WHERE n IN (SELECT n FROM gone) AND NOT EXISTS (SELECT 1 FROM text_refs WHERE text_n = texts.n)`,
		`DROP TABLE gone`,
	} {
		if _, err := w.conn.ExecContext(v.ctx, sql, row.n); err != nil {
			return err
		}
	}
	_, err = w.conn.ExecContext(v.ctx, `UPDATE runs SET erased = 1, digest = NULL, title = '', outcome = ? WHERE n = ?`, outcome, row.n)
	return err
}

// weighOff gives the user of a run back what erasing it makes room for. What the chain needs stays.
func (w *writer) weighOff(v *snapshot, row *runRow) error {
	a, err := w.accountOf(row.household, row.User)
	if err != nil {
		return err
	}
	var events, texts int64
	err = v.tx.QueryRowContext(v.ctx, `SELECT
		(SELECT coalesce(sum(length(data)), 0) FROM events WHERE run_n = ?1),
		(SELECT coalesce(sum(length(t.data)), 0) FROM text_refs f JOIN texts t ON t.n = f.text_n WHERE f.run_n = ?1)`, row.n).Scan(&events, &texts)
	w.weigh(a, -events-texts)
	return err
}

// erasePayloads leaves of each payload its digest, which the chain needs.
func (w *writer) erasePayloads(v *snapshot, row *runRow) error {
	for after := int64(0); ; {
		rows, cut, err := v.logRows(row, after+1, page)
		if err != nil {
			return err
		}
		for _, l := range rows {
			after = l.Seq
			if err := l.restore(v.texts(row.household)); err != nil {
				return rein.Errorf(rein.CodeDamaged, "erase run %s: event %d is not what was written: %w", row.ID, l.Seq, err)
			}
			if l.Erased {
				continue
			}
			digest := l.payloadDigest()
			_, err := w.conn.ExecContext(v.ctx, `UPDATE events SET salt = NULL, data = NULL, digest = ? WHERE run_n = ? AND seq = ?`, digest[:], row.n, l.Seq)
			if err != nil {
				return err
			}
		}
		if len(rows) < page && !cut {
			return nil
		}
	}
}

// eraseAsks leaves of each ask that there was one, and how it ended.
func (w *writer) eraseAsks(v *snapshot, row *runRow) error {
	asks, err := v.asks(asksOf, row.n)
	if err != nil {
		return err
	}
	for _, ask := range asks {
		data, err := json.Marshal(rein.Ask{
			ID: ask.ID, Run: ask.Run, Step: ask.Step, Kind: ask.Kind, For: ask.For, State: ask.State,
			Opened: ask.Opened, Deadline: ask.Deadline, OnExpiry: ask.OnExpiry, Closed: ask.Closed,
			Answer: rein.Answer{State: ask.Answer.State, By: ask.Answer.By},
		})
		if err != nil {
			return err
		}
		if _, err := w.conn.ExecContext(v.ctx, `UPDATE asks SET data = ? WHERE id = ?`, data, string(ask.ID)); err != nil {
			return err
		}
	}
	return nil
}
