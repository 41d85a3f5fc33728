package storetest

import (
	"fmt"
	"time"

	"rein"
)

// Covers: ENG-24
var pauseTests = []test{
	{"reaches everything below that has not ended, and so does resuming", func(f *fixture) {
		root := f.drive("r")
		waiting := f.drive("r.1")
		ask := waiting.open("1.ask", nil)
		waiting.park(time.Time{})
		f.start(f.child("r.1.1"))
		f.drive("r.2").finish(rein.EndDone)
		f.drive("r.3").append(blocked())
		f.start(f.child("r.4"))
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r.4"})
		f.start(f.root("r2"))
		root.see().park(time.Time{})
		f.later(time.Minute)
		receipt := f.send(rein.Command{Kind: rein.CommandPause, Run: "r", By: "ann", Text: "lunch"})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.1 r.1.1 r.3]")
		for _, id := range []rein.RunID{"r.1", "r.1.1", "r.3"} {
			f.lastCommand(id, rein.Command{Kind: rein.CommandPause, Run: id, By: "ann", Text: "lunch", Cause: receipt.Command})
		}
		equal(f, "paused", f.paused("r", "r.1", "r.1.1", "r.2", "r.3", "r.4", "r2"), "[true true true false true false false]")
		equal(f, "ask", f.ask(ask).State, rein.AskPending)
		equal(f, "due", f.due(), "[r.1.1 r.4 r2]")
		f.verified("r")
		f.send(rein.Command{Kind: rein.CommandResume, Run: "r.1", By: "bob"})
		equal(f, "paused", f.paused("r", "r.1", "r.1.1", "r.3"), "[true false false true]")
		receipt = f.send(rein.Command{Kind: rein.CommandResume, Run: "r", By: "bob"})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.3]")
		equal(f, "paused", f.paused("r", "r.1", "r.1.1", "r.3"), "[false false false false]")
		for _, id := range []rein.RunID{"r", "r.1", "r.3", "r.4"} {
			f.verified(id)
		}
	}},
	{"again is a harmless no-op that names the first", func(f *fixture) {
		f.start(f.root("r"))
		receipt := f.send(rein.Command{Kind: rein.CommandResume, Run: "r"})
		equal(f, "resumed what was not paused", receipt.Command, "")
		first := f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		again := f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		equal(f, "obeys", again.Command, first.Command)
		equal(f, "touched", len(again.Touched), 0)
		equal(f, "log", f.kinds("r"), "[run.started command.pause]")
	}},
	{"reaches a child that was resumed alone", func(f *fixture) {
		f.start(f.root("r"))
		f.start(f.child("r.1"))
		f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		f.send(rein.Command{Kind: rein.CommandResume, Run: "r.1"})
		receipt := f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.1]")
	}},
	{"a waiting run is not made due by a pause, but by what resumes or ends it", func(f *fixture) {
		f.drive("r").park(time.Time{})
		f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		equal(f, "due", f.due(), "[]")
		f.send(rein.Command{Kind: rein.CommandResume, Run: "r"})
		equal(f, "due", f.due(), "[r]")
	}},
	{"no child starts in a paused run", func(f *fixture) {
		f.drive("r")
		f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		_, _, err := f.store.Start(f.ctx, f.child("r.1"))
		f.refused(err, rein.CodePaused)
		f.send(rein.Command{Kind: rein.CommandResume, Run: "r"})
		f.start(f.child("r.1"))
	}},
	{"a driver must have read it to park", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		_, err := d.try(parked(time.Time{}))
		f.refused(err, rein.CodeUnseen)
	}},
	{"what ends a run takes the pause away, and one that ends is not paused", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		f.send(rein.Command{Kind: rein.CommandCancel, Run: "r"})
		equal(f, "paused", f.info("r").Paused, false)
		_, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandPause, Run: "r"}, f.now)
		f.refused(err, rein.CodeCancelled)
		d.see().finish(rein.EndCancelled)
		_, err = f.store.Command(f.ctx, rein.Command{Kind: rein.CommandPause, Run: "r"}, f.now)
		f.refused(err, rein.CodeFinished)
		f.verified("r")
	}},
	{"a driver that was faster ends a paused run", func(f *fixture) {
		d := f.drive("r")
		f.send(rein.Command{Kind: rein.CommandPause, Run: "r"})
		d.see().finish(rein.EndDone)
		equal(f, "paused", f.info("r").Paused, false)
		f.verified("r")
	}},
}

func (f *fixture) paused(ids ...rein.RunID) string {
	f.Helper()
	var paused []bool
	for _, id := range ids {
		paused = append(paused, f.info(id).Paused)
	}
	return fmt.Sprint(paused)
}
