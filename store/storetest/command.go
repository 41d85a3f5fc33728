package storetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/store"
)

// Covers: ENG-24
var commandTests = []test{
	{"is an event with its sender", func(f *fixture) {
		f.start(f.root("r"))
		c := rein.Command{Kind: rein.CommandMessage, Run: "r", Key: "k", By: "ann", Text: "hello"}
		receipt := f.send(c)
		want := rein.Receipt{Command: "r:2", Kind: rein.CommandMessage, State: rein.ReceiptPending, Touched: []rein.RunID{"r"}}
		if diff := cmp.Diff(want, receipt); diff != "" {
			f.Errorf("receipt: %s", diff)
		}
		e := f.events("r")[1]
		equal(f, "kind", e.Kind, "command.message")
		equal(f, "by", e.By, "ann")
		got, err := rein.Payload[rein.Command](e)
		if err != nil {
			f.Fatal(err)
		}
		if diff := cmp.Diff(c, got); diff != "" {
			f.Errorf("payload: %s", diff)
		}
		equal(f, "newest command", f.info("r").Command, 2)
		f.verified("r")
	}},
	{"the same key and content again is the first one's receipt", func(f *fixture) {
		d := f.drive("r")
		c := rein.Command{Kind: rein.CommandMessage, Run: "r", Key: "k", Text: "hello"}
		first := f.send(c)
		again := f.send(c)
		first.Again, first.Touched = true, nil
		if diff := cmp.Diff(first, again); diff != "" {
			f.Errorf("receipt: %s", diff)
		}
		d.see().finish(rein.EndDone)
		again = f.send(c) // also when the run has ended
		equal(f, "state", again.State, rein.ReceiptNotApplied)
		equal(f, "again", again.Again, true)
		equal(f, "log", f.kinds("r"), "[run.started command.message run.completed]")
	}},
	{"the same key with other content is a conflict", func(f *fixture) {
		f.start(f.root("r"))
		f.start(f.root("other"))
		c := rein.Command{Kind: rein.CommandMessage, Run: "r", Key: "k", Text: "hello"}
		f.send(c)
		for _, change := range []func(*rein.Command){
			func(c *rein.Command) { c.Text = "bye" },
			func(c *rein.Command) { c.Kind = rein.CommandModify },
			func(c *rein.Command) { c.Kind = rein.CommandStop },
		} {
			other := c
			change(&other)
			_, err := f.store.Command(f.ctx, other, f.now)
			f.refused(err, rein.CodeConflict)
		}
		c.Run = "other" // a key is of one run
		f.send(c)
	}},
	{"without a key it is a new one each time", func(f *fixture) {
		f.start(f.root("r"))
		c := rein.Command{Kind: rein.CommandComment, Run: "r", Text: "hm"}
		first, second := f.send(c).Command, f.send(c).Command
		equal(f, "the same", first == second, false)
	}},
	{"to an unknown run is not found, to an ended one refused", func(f *fixture) {
		f.drive("r").finish(rein.EndDone)
		for _, kind := range []rein.CommandKind{rein.CommandMessage, rein.CommandComment, rein.CommandStop, rein.CommandDelete} {
			_, err := f.store.Command(f.ctx, rein.Command{Kind: kind, Run: "r"}, f.now)
			f.refused(err, rein.CodeFinished)
			_, err = f.store.Command(f.ctx, rein.Command{Kind: kind, Run: "x"}, f.now)
			f.refused(err, rein.CodeNotFound)
		}
	}},
	{"what nobody may send is invalid", func(f *fixture) {
		f.start(f.root("r"))
		for _, c := range []rein.Command{
			{Kind: ""},
			{Kind: "dance"},
			{Kind: rein.CommandChild, Child: "r.1", End: rein.EndDone},
			{Kind: rein.CommandStop, Cause: "r:1"},
			{Kind: rein.CommandMessage, Key: strings.Repeat("k", 201)},
			{Kind: rein.CommandMessage, Key: "line\nbreak"},
			{Kind: rein.CommandMessage, Key: "\xff"},
			{Kind: rein.CommandMessage, Text: strings.Repeat("x", store.MaxPayload+1)},
			{Kind: rein.CommandAnswer, By: "ann", Answer: rein.Answer{By: "bob"}},
		} {
			c.Run = "r"
			_, err := f.store.Command(f.ctx, c, f.now)
			f.refused(err, rein.CodeInvalid)
		}
		equal(f, "log", f.kinds("r"), "[run.started]")
	}},
	{"modify withdraws open asks", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", nil)
		d.park(time.Time{})
		f.send(rein.Command{Kind: rein.CommandModify, Run: "r", Text: "no, that", By: "ann"})
		ask := f.ask(id)
		equal(f, "state", ask.State, rein.AskWithdrawn)
		equal(f, "by", ask.Answer.By, "ann")
		equal(f, "due", f.due(), "[r]")
	}},
	{"modify reaches everything below that has not ended", func(f *fixture) {
		root := f.drive("r")
		waiting := f.drive("r.1")
		ask := waiting.open("1.ask", nil)
		waiting.park(time.Time{})
		f.start(f.child("r.1.1"))
		f.drive("r.2").finish(rein.EndDone)
		f.start(f.child("r.3"))
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r.3"})
		root.see()
		receipt := f.send(rein.Command{Kind: rein.CommandModify, Run: "r", By: "ann", Text: "no, that", Key: "k"})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.1 r.1.1]")
		for _, id := range []rein.RunID{"r.1", "r.1.1"} {
			f.lastCommand(id, rein.Command{Kind: rein.CommandModify, Run: id, By: "ann", Text: "no, that", Cause: receipt.Command})
			f.verified(id)
		}
		equal(f, "ask", f.ask(ask).State, rein.AskWithdrawn)
		again := f.send(rein.Command{Kind: rein.CommandModify, Run: "r", By: "ann", Text: "no, that", Key: "k"})
		equal(f, "touched again", len(again.Touched), 0)
		receipt = f.send(rein.Command{Kind: rein.CommandModify, Run: "r.1", By: "ann", Text: "this"})
		equal(f, "touched below", fmt.Sprint(receipt.Touched), "[r.1 r.1.1]")
	}},
	{"a message leaves open asks alone", func(f *fixture) {
		d := f.drive("r")
		id := d.open("1.ask", nil)
		f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "by the way"})
		equal(f, "state", f.ask(id).State, rein.AskPending)
	}},
}

// Covers: ENG-26 ENG-52
var stopTests = []test{
	{"reaches everything below that has not ended", func(f *fixture) {
		root := f.drive("r")
		waiting := f.drive("r.1")
		ask := waiting.open("1.ask", nil)
		waiting.park(time.Time{})
		f.start(f.child("r.1.1"))
		f.drive("r.2").finish(rein.EndDone)
		f.drive("r.3").append(blocked())
		f.start(f.root("r2")) // not below, although the names begin the same
		f.start(f.root("r-1"))
		root.see().park(time.Time{})
		f.later(time.Minute)
		receipt := f.send(rein.Command{Kind: rein.CommandStop, Run: "r", By: "ann", Text: "enough"})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.1 r.1.1 r.3]")
		for _, id := range []rein.RunID{"r.1", "r.1.1", "r.3"} {
			f.stoppedBy(id, rein.Command{Kind: rein.CommandStop, Run: id, By: "ann", Text: "enough", Cause: receipt.Command})
		}
		equal(f, "ending", f.info("r").Ending, rein.CommandStop)
		equal(f, "finished child", f.kinds("r.2"), "[run.started run.completed]")
		equal(f, "other tree", f.kinds("r2"), "[run.started]")
		equal(f, "ask", f.ask(ask).State, rein.AskWithdrawn)
		equal(f, "due", f.due(), "[r.1.1 r2 r-1 r r.1 r.3]")
		f.verified("r")
	}},
	{"again, or weaker, is a harmless no-op", func(f *fixture) {
		f.start(f.root("r"))
		first := f.send(rein.Command{Kind: rein.CommandCancel, Run: "r", Key: "a"})
		for _, kind := range []rein.CommandKind{rein.CommandStop, rein.CommandCancel} {
			receipt := f.send(rein.Command{Kind: kind, Run: "r", Key: "b" + string(kind)})
			equal(f, "state", receipt.State, rein.ReceiptApplied)
			equal(f, "obeys", receipt.Command, first.Command)
			equal(f, "touched", len(receipt.Touched), 0)
		}
		equal(f, "log", f.kinds("r"), "[run.started command.cancel]")
	}},
	{"a stronger one follows a weaker one", func(f *fixture) {
		f.start(f.root("r"))
		f.start(f.child("r.1"))
		f.start(f.child("r.2"))
		f.send(rein.Command{Kind: rein.CommandDelete, Run: "r.2"})
		for _, kind := range []rein.CommandKind{rein.CommandStop, rein.CommandCancel, rein.CommandDelete} {
			f.send(rein.Command{Kind: kind, Run: "r"})
			equal(f, "ending", f.info("r").Ending, kind)
			equal(f, "ending", f.info("r.1").Ending, kind)
			equal(f, "ending", f.info("r.2").Ending, rein.CommandDelete)
		}
		equal(f, "log", f.kinds("r.1"), "[run.started command.stop command.cancel command.delete]")
		equal(f, "log", f.kinds("r.2"), "[run.started command.delete]")
	}},
	{"an ending run still takes messages", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r"})
		m := f.send(rein.Command{Kind: rein.CommandMessage, Run: "r", Text: "wait"})
		d.see().finish(rein.EndStopped)
		equal(f, "receipt", f.receipts("r")[m.Command].State, rein.ReceiptNotApplied)
	}},
	{"an ending run asks nobody", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r"})
		equal(f, "ask", f.ask(d.open("1.ask", nil)).State, rein.AskWithdrawn)
	}},
	{"a run that is driven need not be made due", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r"})
		equal(f, "due", f.due(), "[]")
		_, err := d.try(parked(time.Time{}))
		f.refused(err, rein.CodeUnseen)
	}},
}

// stoppedBy checks the last event of a run.
func (f *fixture) stoppedBy(id rein.RunID, want rein.Command) {
	f.Helper()
	f.lastCommand(id, want)
	equal(f, "ending", f.info(id).Ending, want.Kind)
}

func (f *fixture) lastCommand(id rein.RunID, want rein.Command) {
	f.Helper()
	events := f.events(id)
	last := events[len(events)-1]
	got, err := rein.Payload[rein.Command](last)
	if err != nil {
		f.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("last command of %s: %s", id, diff)
	}
	equal(f, "by", last.By, want.By)
}
