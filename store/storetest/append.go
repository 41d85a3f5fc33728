package storetest

import (
	"context"
	"errors"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// Covers: ENG-11 ENG-23
var appendTests = []test{
	{"gives events their place in the chain", func(f *fixture) {
		d := f.drive("r")
		events := d.append(note("one"), note("two"))
		log := f.events("r")
		equal(f, "events", len(log), 3)
		for i, e := range events {
			equal(f, "seq", e.Seq, int64(i+2))
			equal(f, "time", e.At, micro(day))
			equal(f, "what Events says", log[i+1].Hash, e.Hash)
			equal(f, "payload", string(log[i+1].Data), string(e.Data))
		}
		equal(f, "seq", f.info("r").Seq, 3)
		f.verified("r")
	}},
	{"an unclaimed, unknown or ended run is refused", func(f *fixture) {
		f.start(f.root("r"))
		nobody := &driver{fixture: f, id: "r"}
		_, err := nobody.try(note("x"))
		f.refused(err, rein.CodeStale)
		nobody.id = "x"
		_, err = nobody.try(note("x"))
		f.refused(err, rein.CodeNotFound)
		d := f.driver("r")
		d.finish(rein.EndDone)
		_, err = d.try(note("x"))
		f.refused(err, rein.CodeFinished)
	}},
	{"nothing, or what a driver may not write, is invalid", func(f *fixture) {
		d := f.drive("r")
		outcome := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
		for _, drafts := range [][]store.Draft{
			{},
			{{Kind: ""}},
			{{Kind: rein.RunStarted}},
			{{Kind: rein.RunResumed}},
			{{Kind: "command.stop"}},
			{{Kind: rein.StepDone, Status: rein.StatusRunning}},
			{{Kind: rein.RunCompleted}},
			{{Kind: rein.RunCompleted, Status: "done"}},
			{{Kind: rein.RunCompleted, Outcome: outcome}},
			{{Kind: rein.RunFailed, Status: "done", Outcome: outcome}},
			{{Kind: rein.RunCompleted, Status: "limit", Outcome: outcome}},
			{{Kind: rein.RunStopped, Status: "tired", Outcome: &rein.RunEnd{Outcome: rein.Outcome{End: "tired"}}}},
			{ended(rein.EndDone), note("after the end")},
			{{Kind: rein.StepDone, Data: make(chan int)}},
			{{Kind: rein.StepDone, Data: strings.Repeat("x", store.MaxPayload)}},
			{{Kind: rein.StepDone, Spend: rein.Amount{Tokens: 1 << 60}}},
		} {
			_, err := d.try(drafts...)
			f.refused(err, rein.CodeInvalid)
		}
		equal(f, "log", f.kinds("r"), "[run.started]")
	}},
	{"parking and ending need the newest command to be seen", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandComment, Run: "r", Text: "hm"})
		for _, draft := range []store.Draft{parked(time.Time{}), blocked(), ended(rein.EndDone)} {
			_, err := d.try(note("with it"), draft)
			f.refused(err, rein.CodeUnseen)
		}
		d.append(note("this goes on"))
		d.see().park(time.Time{})
		equal(f, "status", f.info("r").Status, rein.StatusWaiting)
	}},
	{"long texts come back whole", func(f *fixture) {
		d := f.drive("r")
		long := strings.Repeat(`a "quoted" line`+"\n", 5000)
		d.append(note(long), note(long), note("short"))
		log := f.events("r")
		for _, e := range log[1:3] {
			end, err := rein.Payload[rein.StepEnd](e)
			if err != nil || end.Partial != long {
				f.Errorf("event %d came back with %d bytes, %v", e.Seq, len(end.Partial), err)
			}
		}
		f.verified("r")
	}},
	{"an event needs no payload", func(f *fixture) {
		d := f.drive("r")
		d.append(store.Draft{Kind: rein.StepAttempt, Step: "1"})
		e := f.events("r")[1]
		if e.Data != nil || e.Erased {
			f.Errorf("payload is %q, erased %v", e.Data, e.Erased)
		}
		f.verified("r")
	}},
	{"messages are read once", func(f *fixture) {
		d := f.drive("r")
		m := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "hello"})
		equal(f, "receipt", m.State, rein.ReceiptPending)
		read := store.Draft{Kind: rein.StepDone, Step: "3", Data: rein.StepEnd{Items: []rein.Item{{Command: m.Command}}}, Applied: []rein.CommandID{m.Command}}
		d.append(read)
		r := f.receipts("r")[m.Command]
		equal(f, "receipt", r.State, rein.ReceiptApplied)
		equal(f, "step", r.Step, "3")
		for _, id := range []rein.CommandID{m.Command, "r:99", "x:1", ""} {
			read.Applied = []rein.CommandID{id}
			_, err := d.try(read)
			f.refused(err, rein.CodeInvalid)
		}
	}},
}

// errTool is what a tool's own tables say.
var errTool = errors.New("the calendar is full")

// Covers: ENG-32
var commitTests = []test{
	{"a Commit function writes in the transaction", func(f *fixture) {
		d := f.drive("r")
		d.append(withCommit("CREATE TABLE calendar (day TEXT PRIMARY KEY)"))
		d.append(withCommit("INSERT INTO calendar VALUES ('monday')"))
		var days int
		draft := note("count")
		draft.Commit = func(ctx context.Context, tx rein.Tx) error {
			rows, err := tx.QueryContext(ctx, "SELECT day FROM calendar")
			if err != nil {
				return err
			}
			for rows.Next() {
				days++
			}
			return rows.Err() // and the rows stay open: the store closes them
		}
		d.append(draft)
		equal(f, "days", days, 1)
		f.verified("r")
	}},
	{"if it fails nothing happened", func(f *fixture) {
		d := f.drive("r")
		d.append(withCommit("CREATE TABLE calendar (day TEXT PRIMARY KEY)"))
		before, ledger := f.info("r"), f.ledger("r")
		child := f.child("r.1")
		draft := store.Draft{
			Kind: rein.AskOpened, Step: "2", Data: "x", Spend: rein.Amount{Tokens: 5}, Starts: &child,
			Opens: &rein.Ask{ID: "r:2.ask", Run: "r", Kind: rein.AskQuestion},
			Commit: func(ctx context.Context, tx rein.Tx) error {
				if _, err := tx.ExecContext(ctx, "INSERT INTO calendar VALUES ('monday')"); err != nil {
					return err
				}
				return errTool
			},
		}
		_, err := d.try(note("with it"), draft)
		if !errors.Is(err, store.ErrCommit) || !errors.Is(err, errTool) {
			f.Errorf("error is %v", err)
		}
		equal(f, "seq", f.info("r").Seq, before.Seq)
		equal(f, "ledger", f.ledger("r").Used, ledger.Used)
		_, err = f.store.Run(f.ctx, "r.1")
		f.refused(err, rein.CodeNotFound)
		_, err = f.store.Ask(f.ctx, "r:2.ask")
		f.refused(err, rein.CodeNotFound)
		d.append(withCommit("INSERT INTO calendar VALUES ('monday')")) // it was not there
		f.verified("r")
	}},
	{"if it panics nothing happened", func(f *fixture) {
		d := f.drive("r")
		draft := note("x")
		draft.Commit = func(context.Context, rein.Tx) error { panic("oh") }
		_, err := d.try(draft)
		if !errors.Is(err, store.ErrCommit) {
			f.Errorf("error is %v", err)
		}
		equal(f, "log", f.kinds("r"), "[run.started]")
		d.append(note("and it goes on"))
	}},
	{"its transaction ends with it", func(f *fixture) {
		d := f.drive("r")
		var kept rein.Tx
		draft := note("x")
		draft.Commit = func(_ context.Context, tx rein.Tx) error { kept = tx; return nil }
		d.append(draft)
		if _, err := kept.ExecContext(f.ctx, "CREATE TABLE late (n INTEGER)"); err == nil {
			f.Error("a transaction was used after its end")
		}
	}},
}

func withCommit(sql string) store.Draft {
	draft := note(sql)
	draft.Commit = func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, sql)
		return err
	}
	return draft
}

// Covers: LAW-8 ENG-30
var budgetTests = []test{
	{"a reservation fits or is refused with what ran out", func(f *fixture) {
		d := f.smallBudget("r", rein.Amount{Tokens: 100})
		d.append(reserve(rein.Amount{Tokens: 60}))
		_, err := d.try(note("with it"), reserve(rein.Amount{Tokens: 41}))
		f.refused(err, rein.CodeBudget)
		if e, ok := errors.AsType[*rein.Error](err); !ok || e.Dim != "tokens" {
			f.Errorf("what ran out is %v", err)
		}
		equal(f, "log", len(f.events("r")), 2)
		d.append(reserve(rein.Amount{Tokens: 40}))
		equal(f, "used", f.ledger("r").Used.Tokens, 100)
		f.verified("r")
	}},
	{"two reservations of one batch are added up", func(f *fixture) {
		d := f.smallBudget("r", rein.Amount{Tokens: 100})
		_, err := d.try(reserve(rein.Amount{Tokens: 60}), reserve(rein.Amount{Tokens: 60}))
		f.refused(err, rein.CodeBudget)
		equal(f, "used", f.ledger("r").Used.Tokens, 0)
		d.append(reserve(rein.Amount{Tokens: 60}))
	}},
	{"a settlement gives back", func(f *fixture) {
		d := f.smallBudget("r", rein.Amount{Tokens: 100})
		d.append(reserve(rein.Amount{Tokens: 100}))
		settle := note("done")
		settle.Spend = rein.Amount{Tokens: -70}
		d.append(settle)
		l := f.ledger("r")
		equal(f, "used", l.Used.Tokens, 30)
		equal(f, "overrun", l.Overrun, rein.Amount{})
		f.verified("r")
	}},
	{"growth that was not reserved is an overrun", func(f *fixture) {
		d := f.smallBudget("r", rein.Amount{Tokens: 100})
		over := note("more than it said")
		over.Spend = rein.Amount{Tokens: 150, Rounds: -1}
		d.append(over)
		l := f.ledger("r")
		equal(f, "used", l.Used.Tokens, 150)
		equal(f, "overrun", l.Overrun, rein.Amount{Tokens: 150})
		_, err := d.try(reserve(rein.Amount{Tokens: 1}))
		f.refused(err, rein.CodeBudget)
		d.append(reserve(rein.Amount{Rounds: 1})) // there are rounds left
		f.verified("r")
	}},
	{"a run takes its reserve when it starts", func(f *fixture) {
		s := f.root("r")
		s.Start.Reserve = rein.Amount{Tokens: 1000}
		f.start(s)
		want := rein.Amount{Tokens: 1000, Runs: 1}
		equal(f, "used", f.ledger("r").Used, want)
		equal(f, "spent by the event", f.events("r")[0].Spend, want)
		equal(f, "overrun", f.ledger("r").Overrun, rein.Amount{})
		child := f.child("r.1")
		child.Start.Reserve = rein.Amount{Tokens: 500}
		f.start(child)
		equal(f, "used", f.ledger("r").Used, rein.Amount{Tokens: 1500, Runs: 2})
		f.verified("r")
	}},
	{"a reserve that does not fit refuses the run", func(f *fixture) {
		s := f.root("r")
		s.Start.Task.Budget.Tokens = 100
		s.Start.Reserve = rein.Amount{Tokens: 60}
		f.start(s)
		child := f.child("r.1")
		child.Start.Reserve = rein.Amount{Tokens: 41}
		_, _, err := f.store.Start(f.ctx, child)
		f.refused(err, rein.CodeBudget)
		equal(f, "used", f.ledger("r").Used, rein.Amount{Tokens: 60, Runs: 1})
		big := f.root("big")
		big.Start.Task.Budget.Tokens = 100
		big.Start.Reserve = rein.Amount{Tokens: 101}
		_, _, err = f.store.Start(f.ctx, big)
		f.refused(err, rein.CodeBudget)
		big.Start.Reserve = rein.Amount{Tokens: -1}
		_, _, err = f.store.Start(f.ctx, big)
		f.refused(err, rein.CodeInvalid)
	}},
	{"depth and number of runs are limits", func(f *fixture) {
		s := f.root("r")
		s.Start.Task.Budget.Depth, s.Start.Task.Budget.Runs = 1, 3
		f.start(s)
		f.start(f.child("r.1"))
		_, _, err := f.store.Start(f.ctx, f.child("r.1.1"))
		f.refused(err, rein.CodeLimit)
		f.start(f.child("r.2"))
		_, _, err = f.store.Start(f.ctx, f.child("r.3"))
		f.refused(err, rein.CodeLimit)
		equal(f, "runs", f.ledger("r").Used.Runs, 3)
	}},
	{"a tree shares one ledger", func(f *fixture) {
		d := f.smallBudget("r", rein.Amount{Tokens: 100})
		child := f.drive("r.1")
		child.append(reserve(rein.Amount{Tokens: 70}))
		_, err := d.try(reserve(rein.Amount{Tokens: 31}))
		f.refused(err, rein.CodeBudget)
		f.verified("r")
	}},
	{"an unknown ledger is not found", func(f *fixture) {
		_, err := f.store.Ledger(f.ctx, "r")
		f.refused(err, rein.CodeNotFound)
	}},
}

// smallBudget drives a root that has the given parts only, and enough of the others.
func (f *fixture) smallBudget(id rein.RunID, caps rein.Amount) *driver {
	f.Helper()
	s := f.root(id)
	p, c := s.Start.Task.Budget.Parts(), caps.Parts()
	for i := range p {
		if c[i] != 0 {
			p[i] = c[i]
		}
	}
	s.Start.Task.Budget.Amount = rein.AmountOf(p)
	f.start(s)
	return f.driver(id)
}

func reserve(a rein.Amount) store.Draft {
	return store.Draft{Kind: rein.StepStarted, Step: "1", Data: rein.StepStart{Bound: a}, Spend: a, Reserve: true}
}
