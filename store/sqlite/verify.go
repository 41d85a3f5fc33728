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
		err = s.rebuilding(a.check)
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

// check goes through the log once: it checks the chain and rebuilds what people see from it.
func (a *audit) check(w *writer) error {
	views, err := a.newRebuild(w)
	if err != nil {
		a.wrong("its asks or receipts cannot be read: %v", err)
		views = &rebuild{}
	}
	if err := a.log(views); err != nil {
		return err
	}
	if len(a.Wrong) == 0 { // from a log that is not sound nothing follows
		if err := views.compare(); err != nil {
			return err
		}
	}
	if a.Run.Parent() == "" {
		return a.ledger(views.budget)
	}
	return nil
}

// log checks the chain, and that it ends where the run's row says.
func (a *audit) log(views *rebuild) error {
	lookup := a.texts(a.row.household)
	var last int64
	for {
		rows, cut, err := a.logRows(a.row, last+1, page)
		if err != nil {
			return err
		}
		for _, l := range rows {
			if l.Seq != last+1 {
				a.wrong("events %d to %d are missing", last+1, l.Seq-1)
			}
			if a.event(l, lookup); len(a.Wrong) == 0 {
				views.event(l)
			}
			last = l.Seq
		}
		if len(rows) < page && !cut {
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
	} else {
		a.contents(l)
	}
	if l.Erased {
		a.Erased++
		if !a.row.Erased {
			a.wrong("event %d has no payload, but the run was not erased", l.Seq)
		}
	}
	copy(a.Head[:], l.hash)
}

// ledger compares the account of the tree with the events that made it; the budget is nil if it was
// erased.
func (a *audit) ledger(budget *rein.Budget) error {
	ledger, err := a.snapshot.ledger(a.Run)
	if rein.CodeOf(err) == rein.CodeNotFound {
		a.wrong("its ledger is missing")
		return nil
	}
	if err != nil {
		return err
	}
	want := rein.Ledger{Root: a.Run, Cap: ledger.Cap}
	if budget != nil {
		want.Cap = *budget
	}
	err = a.each(func(r *sql.Rows) error {
		var id rein.RunID
		var seq int64
		var kind rein.Kind
		var spend []byte
		if err := r.Scan(&id, &seq, &kind, &spend); err != nil {
			return err
		}
		amount, err := unpackAmount(spend)
		if err != nil {
			a.wrong("event %d of run %s: %v", seq, id, err)
		}
		want.Used = want.Used.Plus(amount)
		if !reserves(kind) {
			want.Overrun = want.Overrun.Plus(amount.Positive())
		}
		return nil
	}, `SELECT r.id, e.seq, e.kind, e.spend FROM runs r JOIN events e ON e.run_n = r.n WHERE `+below+` AND e.spend IS NOT NULL`, string(a.Run))
	if err == nil {
		a.differ("ledger: ", *ledger, want)
	}
	return err
}

// reserves reports whether what an event of the kind takes was reserved: then it fitted the budget.
func reserves(k rein.Kind) bool {
	switch k {
	case rein.RunStarted, rein.StepStarted, rein.StepAttempt, rein.StepRenewed, rein.SubStarted:
		return true
	}
	return false
}
