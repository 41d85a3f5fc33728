package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"hash"
	"time"

	"rein"
)

// A checkpoint is a row of checkpoints.
type checkpoint struct {
	rein.Checkpoint
	made   int64
	digest rein.Hash // of the runs
	people rein.Hash
}

// link is the head of a checkpoint that follows the one with the given head.
func (c *checkpoint) link(before rein.Hash) rein.Hash {
	return rein.ChainHash(before, rein.Event{
		Run: "checkpoint", Seq: c.N, At: micros(c.made), By: c.people.String(), Spend: rein.Amount{Rounds: c.Runs, ToolCalls: c.People},
	}, c.digest)
}

const selectCheckpoints = `SELECT n, made, runs, digest, people_n, people, hash FROM checkpoints`

func scanCheckpoint(row interface{ Scan(...any) error }) (c checkpoint, err error) {
	var digest, people, head []byte
	err = row.Scan(&c.N, &c.made, &c.Runs, &digest, &c.People, &people, &head)
	copy(c.digest[:], digest)
	copy(c.people[:], people)
	copy(c.Head[:], head)
	c.Made = micros(c.made)
	return c, err
}

// LastCheckpoint implements store.Checkpoints.
func (s *Store) LastCheckpoint(ctx context.Context) (last rein.Checkpoint, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		c, err := v.lastCheckpoint()
		last = c.Checkpoint
		return err
	})
	return last, err
}

func (v *snapshot) lastCheckpoint() (checkpoint, error) {
	c, err := scanCheckpoint(v.tx.QueryRowContext(v.ctx, selectCheckpoints+` ORDER BY n DESC LIMIT 1`))
	if errors.Is(err, sql.ErrNoRows) {
		return checkpoint{}, nil
	}
	return c, err
}

// Checkpoint implements store.Checkpoints. The runs are read on one snapshot, in the order of their IDs.
// What is new about them is written a few at a time, between the appends of others; the checkpoint itself
// comes last, and what one left that was cut off before is removed first.
func (s *Store) Checkpoint(ctx context.Context, at time.Time) (rein.Checkpoint, error) {
	s.checking.Lock()
	defer s.checking.Unlock()
	var c checkpoint
	err := s.view(ctx, func(v *snapshot) error {
		last, err := v.lastCheckpoint()
		if err != nil {
			return err
		}
		c = checkpoint{Checkpoint: rein.Checkpoint{N: last.N + 1, Made: stamp(at)}, made: at.UnixMicro()}
		if err := s.clearRuns(v, last.N); err != nil {
			return err
		}
		if err := s.listRuns(v, &c); err != nil {
			return err
		}
		if err := v.peopleHead(&c); err != nil {
			return err
		}
		c.Head = c.link(last.Head)
		return nil
	})
	if err != nil {
		return rein.Checkpoint{}, err
	}
	err = s.writeRows(ctx, `INSERT INTO checkpoints (n, made, runs, digest, people_n, people, hash) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		[][]any{{c.N, c.made, c.Runs, c.digest[:], c.People, c.people[:], c.Head[:]}})
	if err != nil {
		return rein.Checkpoint{}, err
	}
	return c.Checkpoint, nil
}

// A rowWriter writes rows with one statement, a few at a time.
type rowWriter struct {
	store     *Store
	ctx       context.Context
	statement string
	rows      [][]any
}

// fewRows is how many rows a write of a checkpoint has: an append that comes meanwhile waits for no more.
const fewRows = 64

func (w *rowWriter) add(row ...any) error {
	if w.rows = append(w.rows, row); len(w.rows) < fewRows {
		return nil
	}
	return w.flush()
}

func (w *rowWriter) flush() error {
	rows := w.rows
	w.rows = nil
	if len(rows) == 0 {
		return nil
	}
	return w.store.writeRows(w.ctx, w.statement, rows)
}

// clearRuns removes what a checkpoint left that was cut off.
func (s *Store) clearRuns(v *snapshot, last int64) error {
	left := rowWriter{store: s, ctx: v.ctx, statement: `DELETE FROM checkpoint_runs WHERE run = ? AND checkpoint_n = ?`}
	err := v.each(func(r *sql.Rows) error {
		var run string
		var n int64
		if err := r.Scan(&run, &n); err != nil {
			return err
		}
		return left.add(run, n)
	}, `SELECT run, checkpoint_n FROM checkpoint_runs WHERE checkpoint_n > ?`, last)
	if err != nil {
		return err
	}
	return left.flush()
}

// listRuns computes the digest of the runs and writes those that have changed since the checkpoint before.
func (s *Store) listRuns(v *snapshot, c *checkpoint) error {
	sum := sha256.New()
	changed := rowWriter{store: s, ctx: v.ctx, statement: `INSERT INTO checkpoint_runs (run, checkpoint_n, seq, hash) VALUES (?, ?, ?, ?)`}
	err := v.each(func(r *sql.Rows) error {
		var id string
		var seq int64
		var head, before []byte
		if err := r.Scan(&id, &seq, &head, &before); err != nil {
			return err
		}
		c.Runs++
		addRun(sum, id, seq, head)
		if string(before) == string(head) {
			return nil
		}
		return changed.add(id, c.N, seq, head)
	}, `SELECT r.id, r.seq, r.hash, (SELECT k.hash FROM checkpoint_runs k WHERE k.run = r.id AND k.checkpoint_n <= ? ORDER BY k.checkpoint_n DESC LIMIT 1)
		FROM runs r ORDER BY r.id`, c.N-1)
	if err != nil {
		return err
	}
	sum.Sum(c.digest[:0])
	return changed.flush()
}

// addRun adds a run to the digest of a checkpoint.
func addRun(sum hash.Hash, id string, seq int64, head []byte) {
	b := binary.BigEndian.AppendUint64(nil, uint64(len(id)))
	b = append(b, id...)
	b = binary.BigEndian.AppendUint64(b, uint64(seq))
	sum.Write(append(b, head...))
}

// peopleHead reads where the chain of people's records ends.
func (v *snapshot) peopleHead(c *checkpoint) error {
	var head []byte
	err := v.tx.QueryRowContext(v.ctx, `SELECT n, hash FROM people_chain ORDER BY n DESC LIMIT 1`).Scan(&c.People, &head)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	copy(c.people[:], head)
	return err
}

// writeRows runs a statement once for each list of arguments, as one write.
func (s *Store) writeRows(ctx context.Context, statement string, rows [][]any) error {
	return s.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, args := range rows {
			if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
				return err
			}
		}
		return nil
	})
}

// VerifyHead implements store.Checkpoints.
func (s *Store) VerifyHead(ctx context.Context, head rein.Hash) (of rein.Checkpoint, wrong []string, err error) {
	a := &audit{}
	err = s.view(ctx, func(v *snapshot) error {
		a.snapshot = v
		c, err := scanCheckpoint(v.tx.QueryRowContext(ctx, selectCheckpoints+` WHERE hash = ?`, head[:]))
		if errors.Is(err, sql.ErrNoRows) {
			return rein.Errorf(rein.CodeNotFound, "this store has no checkpoint with the head %s: if the head is of this store, and not newer than the backup that it was restored from, checkpoints were taken out; restore a newer backup", head)
		}
		if err != nil {
			return err
		}
		of = c.Checkpoint
		return a.covered(c)
	})
	return of, a.Wrong, err
}

// checkpoints looks for all that the newest checkpoint covers. Whoever takes something out can take
// checkpoints out too, or write them again: for that there are heads that are kept elsewhere.
func (a *audit) checkpoints() error {
	last, err := a.lastCheckpoint()
	if err != nil || last.N == 0 {
		return err
	}
	return a.covered(last)
}

// covered looks for all that a checkpoint covers.
func (a *audit) covered(c checkpoint) error {
	for _, part := range []func(checkpoint) error{a.checkpointsUpTo, a.runsOf, a.peopleOf} {
		if err := part(c); err != nil {
			return err
		}
	}
	return nil
}

// checkpointsUpTo checks that all checkpoints before are there and lead to this one.
func (a *audit) checkpointsUpTo(last checkpoint) error {
	var head rein.Hash
	var n int64
	err := a.each(func(r *sql.Rows) error {
		c, err := scanCheckpoint(r)
		if err != nil {
			return err
		}
		if c.N != n+1 {
			a.wrong("checkpoints %d to %d are missing", n+1, c.N-1)
		} else if c.link(head) != c.Head {
			a.wrong("checkpoint %d of %s is not what was written", c.N, c.Made.Format(time.RFC3339))
		}
		n, head = c.N, c.Head
		return nil
	}, selectCheckpoints+` WHERE n <= ? ORDER BY n`, last.N)
	return err
}

// runsOf checks that every run of a checkpoint is there, and that its log went through the same event.
func (a *audit) runsOf(c checkpoint) error {
	sum := sha256.New()
	var runs int64
	err := a.each(func(r *sql.Rows) error {
		var id string
		var seq int64
		var then, now []byte
		var has sql.NullInt64
		if err := r.Scan(&id, &seq, &then, &has, &now); err != nil {
			return err
		}
		runs++
		addRun(sum, id, seq, then)
		switch {
		case !has.Valid:
			a.wrong("run %s is gone; it had %d events", id, seq)
		case now == nil:
			a.wrong("run %s had %d events; event %d is gone", id, seq, seq)
		case string(now) != string(then):
			a.wrong("run %s was written again: event %d is not the one that it had", id, seq)
		}
		return nil
	}, `SELECT k.run, k.seq, k.hash, r.n, e.hash FROM checkpoint_runs k LEFT JOIN runs r ON r.id = k.run LEFT JOIN events e ON e.run_n = r.n AND e.seq = k.seq
		WHERE k.checkpoint_n = (SELECT max(checkpoint_n) FROM checkpoint_runs WHERE run = k.run AND checkpoint_n <= ?) ORDER BY k.run`, c.N)
	if err == nil && (runs != c.Runs || string(sum.Sum(nil)) != string(c.digest[:])) {
		a.wrong("what checkpoint %d says of its runs was changed: it had %d, and lists %d", c.N, c.Runs, runs)
	}
	return err
}

// peopleOf checks that the chain of people's records went through the same entry.
func (a *audit) peopleOf(c checkpoint) error {
	if c.People == 0 {
		return nil
	}
	var now []byte
	err := a.tx.QueryRowContext(a.ctx, `SELECT hash FROM people_chain WHERE n = ?`, c.People).Scan(&now)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		a.wrong("people: the chain of their records had %d entries; entry %d is gone", c.People, c.People)
		return nil
	case err == nil && string(now) != string(c.people[:]):
		a.wrong("people: the chain of their records was written again: entry %d is not the one that it had", c.People)
	}
	return err
}
