package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"rein"
	"rein/store"
)

// maxWrong is how many faults a verdict lists: one damaged page can spoil thousands of events.
const maxWrong = 20

// Verify implements store.Auditor.
func (s *Store) Verify(ctx context.Context, run rein.RunID) (verdict store.Verdict, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		row, err := v.run(run)
		if err != nil {
			return err
		}
		a := &audit{snapshot: v, row: row, Verdict: store.Verdict{Run: run}}
		if err := a.log(); err != nil {
			return err
		}
		if run.Parent() == "" {
			err = a.ledger()
		}
		verdict = a.Verdict
		return err
	})
	if err != nil {
		return store.Verdict{}, err // half a verdict is none
	}
	return verdict, nil
}

// An audit of one run.
type audit struct {
	*snapshot
	store.Verdict
	row *runRow
}

func (a *audit) wrong(format string, args ...any) {
	if len(a.Wrong) < maxWrong {
		a.Wrong = append(a.Wrong, fmt.Sprintf(format, args...))
	}
}

// log checks the chain, and that it ends where the run's row says.
func (a *audit) log() error {
	lookup := a.texts(a.row.household)
	var last int64
	for {
		rows, err := a.logRows(a.row, last+1, page)
		if err != nil {
			return err
		}
		for _, l := range rows {
			if l.Seq != last+1 {
				a.wrong("events %d to %d are missing", last+1, l.Seq-1)
			}
			a.event(l, lookup)
			last = l.Seq
		}
		if len(rows) < page {
			break
		}
	}
	var head []byte
	if err := a.tx.QueryRowContext(a.ctx, `SELECT hash FROM runs WHERE n = ?`, a.row.n).Scan(&head); err != nil {
		return err
	}
	if last != a.row.Seq || string(head) != string(a.Head[:]) {
		a.wrong("the log ends with event %d and hash %s, but was written up to event %d and hash %x", last, a.Head, a.row.Seq, head)
	}
	return nil
}

// event checks one event against the one before it.
func (a *audit) event(l *logRow, lookup func(rein.Hash) ([]byte, bool)) {
	a.Events++
	if err := l.restore(lookup); err != nil {
		a.wrong("event %d: %v", l.Seq, err)
	} else if err := l.check(a.Head); err != nil {
		a.wrong("event %d is not what was written", l.Seq)
	}
	if l.Erased {
		a.Erased++
		if !a.row.Erased {
			a.wrong("event %d has no payload, but the run was not erased", l.Seq)
		}
	}
	copy(a.Head[:], l.hash)
}

// ledger compares the account of the tree with the events that made it.
func (a *audit) ledger() error {
	ledger, err := a.snapshot.ledger(a.Run)
	if err != nil {
		return err
	}
	var sum rein.Amount
	err = a.each(func(r *sql.Rows) error {
		var id rein.RunID
		var seq int64
		var spend []byte
		if err := r.Scan(&id, &seq, &spend); err != nil {
			return err
		}
		amount, err := unpackAmount(spend)
		if err != nil {
			a.wrong("event %d of run %s: %v", seq, id, err)
		}
		sum = sum.Plus(amount)
		return nil
	}, `SELECT r.id, e.seq, e.spend FROM runs r JOIN events e ON e.run_n = r.n WHERE `+below+` AND e.spend IS NOT NULL`, string(a.Run))
	if err == nil && sum != ledger.Used {
		a.wrong("the ledger says %+v, but the events of the tree add up to %+v", ledger.Used, sum)
	}
	return err
}
