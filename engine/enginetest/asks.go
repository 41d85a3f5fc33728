package enginetest

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/store"
)

// Covers: LAW-5 LAW-10 ENG-1 ENG-10 ENG-25 ENG-41 ENG-42 ENG-43 ENG-58 ENG-59 ENG-63
var asks = []test{
	{"an answer after a restart", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "answered blue by ann")
		w.Verify()
	}},
	{"an answer while nobody serves", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		w.Kill()
		s, err := w.Parts.Open(t, w.dir, w.committed)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "red", By: "ann"}), time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "answered red by ann")
	}},
	{"only the first answer counts", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		first := ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"})
		first.Key = "k1"
		receipt := w.Send(first)
		w.WantEnd("r1", rein.EndDone, "answered blue by ann")
		if again := w.Send(first); !again.Again || again.Command != receipt.Command {
			t.Errorf("the same answer again: %+v", again)
		}
		second := first
		second.By, second.Key, second.Answer.By = "bob", "k2", "bob"
		_, err := w.Engine.Command(context.Background(), second)
		if rein.CodeOf(err) != rein.CodeClosed || !strings.Contains(err.Error(), "ann") {
			t.Errorf("a second answer after the end: %v", err)
		}
	}},
	{"a second answer is told who won", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		two := with(task("family", "go"), flows.Settings{Children: []rein.Task{askTask(rein.Question{}), askTask(rein.Question{})}})
		w.Start("r1", two)
		ask := w.UntilAsk("r1.1", 1)
		w.Answer(ask, rein.AskAnswered, "blue")
		_, err := w.Engine.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "red", By: "bob"}))
		if rein.CodeOf(err) != rein.CodeClosed || !strings.Contains(err.Error(), "ann") {
			t.Errorf("a second answer: %v", err)
		}
	}},
	{"bad answers change nothing", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Which?", For: "ann"}))
		ask := w.UntilAsk("r1", 1)
		bad := func(code rein.Code, run rein.RunID, id rein.AskID, a rein.Answer) {
			t.Helper()
			_, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandAnswer, Run: run, Ask: id, By: a.By, Answer: a})
			if rein.CodeOf(err) != code {
				t.Errorf("answer %+v to %q: %v, want %s", a, id, err, code)
			}
		}
		bad(rein.CodeForbidden, "r1", ask.ID, rein.Answer{State: rein.AskAnswered, By: "bob"})
		bad(rein.CodeInvalid, "r1", ask.ID, rein.Answer{State: rein.AskApproved, By: "ann"})
		bad(rein.CodeInvalid, "r1", "", rein.Answer{State: rein.AskAnswered, By: "ann"})
		bad(rein.CodeNotFound, "r1", "r1:9.ask", rein.Answer{State: rein.AskAnswered, By: "ann"})
		bad(rein.CodeNotFound, "r9", "r9:1.ask", rein.Answer{State: rein.AskAnswered, By: "ann"})
		w.Answer(ask, rein.AskAnswered, "this")
		w.WantEnd("r1", rein.EndDone, "answered this by ann")
	}},
	{"declining is an answer", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		w.Answer(w.UntilAsk("r1", 1), rein.AskDeclined, "")
		w.WantEnd("r1", rein.EndDeclined, "")
	}},
	{"an ask expires", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Quick?", Timeout: 30 * time.Millisecond}))
		w.WantEnd("r1", rein.EndDone, "expired  by ")
	}},
	{"an ask that expires stops the run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Quick?", Timeout: 30 * time.Millisecond, OnExpiry: rein.ExpiryStop}))
		w.WantEnd("r1", rein.EndStopped, "")
	}},
	{"an ask that may not expire stays open", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Slow?", Timeout: time.Nanosecond, OnExpiry: rein.ExpiryPark}))
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "yes")
		w.WantEnd("r1", rein.EndDone, "answered yes by ann")
	}},
	{"asks of children surface at the root", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", with(task("family", "go"), flows.Settings{Children: []rein.Task{askTask(rein.Question{})}}))
		w.UntilAsk("r1.1", 1)
		open, err := w.Store.Asks(context.Background(), store.AskFilter{Tree: "r1", Pending: true})
		if err != nil || len(open) != 1 || open[0].Run != "r1.1" {
			t.Fatalf("open asks of the tree: %+v %v", open, err)
		}
		w.Answer(open[0], rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "done answered blue by ann")
	}},
	{"an approval is approved, edited, rejected", func(t *testing.T, world func(string) *World) {
		w := world(`
turn 1
call deploy {"to":"test"}
call deploy {"to":"prod"}
call deploy {"to":"moon"}
turn 2
say over
`)
		w.Begin()
		w.Start("r1", task("pair", "go", "deploy"))
		for i := range 3 {
			ask := w.UntilAsk("r1", i+1)
			if ask.Kind != rein.AskApproval {
				t.Fatalf("ask %+v", ask)
			}
			switch {
			case strings.Contains(string(ask.Call.Args), "test"):
				w.Answer(ask, rein.AskApproved, "")
			case strings.Contains(string(ask.Call.Args), "prod"):
				w.Send(ask.Reply(rein.Answer{State: rein.AskEdited, Args: []byte(`{"to":"staging"}`), By: "ann"}))
			default:
				w.Answer(ask, rein.AskRejected, "too far")
			}
			w.Restart()
		}
		w.WantEnd("r1", rein.EndDone, `over | deploy {"to":"test"},deploy {"to":"staging"},refused: the user refused this call: too far`)
		w.WantCalls(2, "deploy=2")
		w.Verify()
	}},
	{"a run that waits is rows", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Grace = engine.NoGrace
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		w.UntilKind("r1", rein.RunParked)
		w.untilIdle()
		info, err := w.Store.Run(context.Background(), "r1")
		if err != nil || info.Status != rein.StatusWaiting || !info.WakeAt.IsZero() {
			t.Fatalf("parked run: %+v %v", info, err)
		}
		due, next, err := w.Store.Due(context.Background(), time.Now().Add(time.Hour), 10)
		if err != nil || len(due) > 0 || !next.IsZero() {
			t.Errorf("due: %v %v %v", due, next, err)
		}
	}},
	{"a clock that jumps loses nothing", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		var jump, zero time.Duration
		w.Tweak = func(o *engine.Options) { o.Now = func() time.Time { return time.Now().Add(jump) } }
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Today?", Timeout: time.Hour}))
		ask := w.UntilAsk("r1", 1)
		w.stop()
		jump = -48 * time.Hour // back: nothing expires, nothing breaks
		w.Begin()
		w.Start("r2", askTask(rein.Question{Text: "Yesterday?", Timeout: time.Hour}))
		w.UntilAsk("r2", 1)
		w.Answer(ask, rein.AskAnswered, "yes")
		w.WantEnd("r1", rein.EndDone, "answered yes by ann")
		w.stop()
		jump = zero // forward again: what was asked "two days ago" has expired
		w.Begin()
		w.WantEnd("r2", rein.EndDone, "expired  by ")
		w.Verify()
	}},
}

// untilIdle waits until the engine has let go of every run.
func (w *World) untilIdle() {
	w.Helper()
	deadline := time.Now().Add(patience)
	for w.Engine.Live() > 0 {
		if time.Now().After(deadline) {
			w.Fatalf("%d runs are still held", w.Engine.Live())
		}
		runtime.Gosched() // there is no event for "nothing is held any more"
	}
}
