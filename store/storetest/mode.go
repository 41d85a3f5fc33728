package storetest

import (
	"fmt"
	"time"

	"rein"
)

// Covers: ENG-24
var modeTests = []test{
	{"reaches all unfinished runs of the session, and is what later ones start with", func(f *fixture) {
		f.drive("r")
		f.drive("r.1").park(time.Time{})
		f.drive("r.2").finish(rein.EndDone)
		f.start(f.child("r.3"))
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r.3"})
		f.start(f.root("other"))
		due := f.due()
		receipt := f.send(rein.Command{Kind: rein.CommandMode, Run: "r", By: "ann", Mode: rein.ModeEdits, Text: "go"})
		equal(f, "touched", fmt.Sprint(receipt.Touched), "[r r.1]")
		equal(f, "state", receipt.State, rein.ReceiptApplied)
		f.lastCommand("r.1", rein.Command{Kind: rein.CommandMode, Run: "r.1", By: "ann", Mode: rein.ModeEdits, Text: "go", Cause: receipt.Command})
		equal(f, "modes", f.modes("r", "r.1", "r.2", "r.3", "other"), "[edits edits   ]")
		equal(f, "due", f.due(), due) // nobody has to wake up for it
		equal(f, "session", f.sessionMode("r"), "edits true")
		equal(f, "other session", f.sessionMode("other"), " true")
		equal(f, "no session", f.sessionMode("none"), " false")
		for _, id := range []rein.RunID{"r", "r.1", "r.3"} {
			f.verified(id)
		}
	}},
	{"again is a harmless no-op that names the first", func(f *fixture) {
		f.start(f.root("r"))
		receipt := f.send(rein.Command{Kind: rein.CommandMode, Run: "r", Mode: rein.ModeAsk})
		equal(f, "what it was", receipt.Command, "")
		first := f.send(rein.Command{Kind: rein.CommandMode, Run: "r", Mode: rein.ModePlan})
		again := f.send(rein.Command{Kind: rein.CommandMode, Run: "r", Mode: rein.ModePlan})
		equal(f, "obeys", again.Command, first.Command)
		equal(f, "log", f.kinds("r"), "[run.started command.mode]")
	}},
	{"a child has the mode that its parent has by then", func(f *fixture) {
		f.start(f.root("r"))
		child := f.child("r.1")
		child.Start.Task.Mode = rein.ModeSandbox // as its parent thought
		f.start(child)
		equal(f, "log", f.kinds("r.1"), "[run.started command.mode]")
		equal(f, "modes", f.modes("r", "r.1"), "[ ask]")
		f.verified("r.1")
	}},
	{"is refused for a child, an end and a mode that does not exist", func(f *fixture) {
		f.start(f.root("r"))
		f.start(f.child("r.1"))
		for run, mode := range map[rein.RunID]rein.Mode{"r.1": rein.ModeAsk, "r": "yolo"} {
			_, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMode, Run: run, Mode: mode}, f.now)
			f.refused(err, rein.CodeInvalid)
		}
		f.send(rein.Command{Kind: rein.CommandStop, Run: "r"})
		_, err := f.store.Command(f.ctx, rein.Command{Kind: rein.CommandMode, Run: "r", Mode: rein.ModeEdits}, f.now)
		f.refused(err, rein.CodeStopped)
	}},
	{"the newest that was set counts, whichever run it was sent to", func(f *fixture) {
		for _, id := range []rein.RunID{"a", "b"} {
			start := f.root(id)
			start.Start.Task.Session, start.Start.Task.Mode = "s", rein.ModeSandbox
			f.start(start)
			f.later(time.Second)
		}
		f.driver("b").finish(rein.EndDone)
		f.later(time.Second)
		f.send(rein.Command{Kind: rein.CommandMode, Run: "a", Mode: rein.ModeAsk})
		equal(f, "session", f.sessionMode("s"), "ask true")
		f.driver("a").see().finish(rein.EndDone)
		equal(f, "after its end", f.sessionMode("s"), "ask true")
		f.later(time.Second)
		start := f.root("c")
		start.Start.Task.Session, start.Start.Task.Mode = "s", rein.ModeEdits
		f.start(start)
		equal(f, "after a start", f.sessionMode("s"), "edits true")
	}},
}

func (f *fixture) modes(runs ...rein.RunID) string {
	var list []rein.Mode
	for _, id := range runs {
		list = append(list, f.info(id).Mode)
	}
	return fmt.Sprint(list)
}

func (f *fixture) sessionMode(session string) string {
	f.Helper()
	mode, found, err := f.store.SessionMode(f.ctx, session)
	if err != nil {
		f.Fatal(err)
	}
	return fmt.Sprintf("%s %v", mode, found)
}
