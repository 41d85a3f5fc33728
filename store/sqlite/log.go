package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"rein"
	"rein/store"
)

const selectEvents = `SELECT seq, kind, step, at, by, spend, salt, data, digest, hash FROM events WHERE run_n = ? AND seq >= ? ORDER BY seq LIMIT ?`

// maxPageBytes bounds what a reader of a log holds, beside the last event it read.
const maxPageBytes = 4 << 20

// A logRow is an event as its row has it.
type logRow struct {
	rein.Event
	at                  int64
	spend, salt, digest []byte
	blob                []byte
	hash                []byte
}

// Events implements store.Logs.
func (s *Store) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	return eachEvent(run, after, func(do func(*snapshot) error) error { return s.view(ctx, do) })
}

// eachEvent yields the log of a run, page by page, each page seen through view.
func eachEvent(run rein.RunID, after int64, view func(func(*snapshot) error) error) iter.Seq2[rein.Event, error] {
	return func(yield func(rein.Event, error) bool) {
		for r := (&logReader{last: max(after, 0)}); !r.ended; {
			var events []rein.Event
			err := view(func(v *snapshot) (err error) {
				events, err = r.page(v, run)
				return err
			})
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
			if err != nil {
				yield(rein.Event{}, err)
				return
			}
		}
	}
}

// Event implements store.Logs.
func (s *Store) Event(ctx context.Context, run rein.RunID, seq int64) (event rein.Event, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		event, err = v.event(run, seq)
		return err
	})
	return event, err
}

func (v *snapshot) event(run rein.RunID, seq int64) (rein.Event, error) {
	r := &logReader{last: max(seq-1, 0), most: 2} // the one before it has the hash that it follows from
	events, err := r.page(v, run)
	switch {
	case err != nil && len(events) == 0:
		return rein.Event{}, err
	case len(events) == 0 || seq < 1:
		return rein.Event{}, rein.Errorf(rein.CodeNotFound, "run %s has no event %d", run, seq)
	}
	return events[0], nil
}

// A logReader goes through a run's log and checks the chain.
type logReader struct {
	last  int64 // the newest event that was read
	most  int   // how many rows a page may have; zero: page
	prev  rein.Hash
	ended bool
}

// page returns the next events, also if there is an error after them.
func (r *logReader) page(v *snapshot, run rein.RunID) (events []rein.Event, err error) {
	row, err := v.run(run)
	if err != nil {
		return nil, err
	}
	most := cmp.Or(r.most, page)
	rows, cut, err := v.logRows(row, r.last, most)
	if err != nil {
		return nil, err
	}
	r.ended = len(rows) < most && !cut
	if r.last > 0 && len(rows) > 0 { // the first is read for its hash only
		if rows[0].Seq != r.last {
			return nil, lost(run, r.last)
		}
		copy(r.prev[:], rows[0].hash)
		rows = rows[1:]
	}
	size, lookup := 0, v.texts(row.household)
	for _, l := range rows {
		if l.Seq != r.last+1 {
			return events, lost(run, r.last+1)
		}
		if err := l.restore(lookup); err != nil {
			return events, rein.Errorf(rein.CodeDamaged, "event %d of run %s is not what was written: %w", l.Seq, run, err)
		}
		if err := l.check(r.prev); err != nil {
			return events, err
		}
		r.last, r.prev = l.Seq, l.Hash
		events = append(events, l.Event)
		if size += len(l.Data); size > maxPageBytes {
			r.ended = false
			return events, nil
		}
	}
	if r.ended && r.last < row.Seq {
		return events, lost(run, r.last+1)
	}
	return events, nil
}

func lost(run rein.RunID, seq int64) error {
	return rein.Errorf(rein.CodeDamaged, "event %d of run %s is missing: restore a backup", seq, run)
}

// logRows reads a page of the log, from an event on. It has two rows at least, if there are so many, and is
// cut once it holds more than a page may.
func (v *snapshot) logRows(run *runRow, from int64, most int) (rows []*logRow, cut bool, err error) {
	size := 0
	err = v.each(func(r *sql.Rows) error {
		l := &logRow{Event: rein.Event{Run: run.ID}}
		err := r.Scan(&l.Seq, &l.Kind, &l.Step, &l.at, &l.By, &l.spend, &l.salt, &l.blob, &l.digest, &l.hash)
		rows = append(rows, l)
		if size += len(l.blob); err == nil && size > maxPageBytes && len(rows) > 1 {
			return errCut
		}
		return err
	}, selectEvents, run.n, from, most)
	if errors.Is(err, errCut) {
		return rows, true, nil
	}
	return rows, false, err
}

// errCut ends a page.
var errCut = errors.New("the page is full")

// restore makes the event of the row.
func (l *logRow) restore(lookup func(rein.Hash) ([]byte, bool)) (err error) {
	l.At = micros(l.at)
	if l.Spend, err = unpackAmount(l.spend); err != nil {
		return err
	}
	if len(l.hash) != len(l.Hash) {
		return fmt.Errorf("its hash has %d bytes", len(l.hash))
	}
	l.Hash = rein.Hash(l.hash)
	if l.salt == nil {
		l.Erased = true
		if len(l.digest) != len(rein.Hash{}) {
			return fmt.Errorf("its payload is gone")
		}
		return nil
	}
	data, err := store.Unpack(l.blob, lookup)
	if len(data) > 0 {
		l.Data = data
	}
	return err
}

// payloadDigest is computed from the payload, or what remains of it.
func (l *logRow) payloadDigest() rein.Hash {
	if l.Erased {
		return rein.Hash(l.digest)
	}
	return rein.PayloadDigest(l.salt, l.Data)
}

// check compares the event with its hash.
func (l *logRow) check(prev rein.Hash) error {
	if rein.ChainHash(prev, l.Event, l.payloadDigest()) != l.Hash {
		return rein.Errorf(rein.CodeDamaged, "event %d of run %s is not what was written: restore a backup", l.Seq, l.Run)
	}
	return nil
}
