package enginetest

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/store"
)

// Covers: LAW-6 ENG-24 ENG-26
var pauses = []test{
	{"a call under way ends, and nothing begins before the resume", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Tools.Hold("echo")
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.Tools.Started(w)
		w.pause("r1")
		w.Tools.Release()
		w.Until("the end of the call", func(e rein.Event) bool { return e.Kind == rein.StepDone && e.Step == "2" })
		w.rests("r1")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolOK {
			t.Errorf("the call is %+v", got)
		}
		w.WantCalls(1, "echo=1")
		w.wantPaused("r1", true)
		w.resume("r1")
		w.wantPaused("r1", false)
		if end := w.End("r1"); end.End != rein.EndDone {
			t.Errorf("ended %+v", end)
		}
		w.WantCalls(2, "echo=1")
		w.Verify()
	}},
	{"a paused run does not end, nor start the next one", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		hold := w.holdModel(1)
		w.Begin()
		w.Start("r1", task("once", "hi"))
		hold.entered(w)
		w.pause("r1")
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "and then?"})
		hold.release()
		w.rests("r1")
		w.wantPaused("r1", true)
		w.WantCalls(1, "")
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "hello")
		w.WantEnd(w.receipt("r1", receipt.Command).Started, rein.EndDone, "hello")
		w.Verify()
	}},
	{"an answer is recorded and takes effect after the resume", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {\"to\":\"test\"}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("loop", "go", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.pause("r1")
		w.Answer(ask, rein.AskApproved, "")
		w.rests("r1")
		if got, _ := w.Store.Ask(context.Background(), ask.ID); got.State != rein.AskApproved {
			t.Errorf("the ask is %s", got.State)
		}
		w.WantCalls(1, "")
		w.Restart()
		w.rests("r1")
		w.WantCalls(1, "")
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "deploy=1")
		w.Verify()
	}},
	{"the answer to a question is kept while a kill comes between", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		w.pause("r1")
		w.Kill()
		w.meanwhile(ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"}))
		w.Begin()
		w.rests("r1")
		w.wantPaused("r1", true)
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "answered blue by ann")
		w.Verify()
	}},
	{"deadlines run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Quick?", Timeout: 300 * time.Millisecond}))
		w.UntilAsk("r1", 1)
		w.pause("r1")
		w.Until("the ask has expired", func(e rein.Event) bool { return e.Kind == rein.CommandExpire.EventKind() })
		w.rests("r1")
		w.wantPaused("r1", true)
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "expired  by ")
		w.Verify()
	}},
	{"a deadline that stops the run stops a paused one", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{Text: "Quick?", Timeout: 300 * time.Millisecond, OnExpiry: rein.ExpiryStop}))
		w.UntilAsk("r1", 1)
		w.pause("r1")
		w.WantEnd("r1", rein.EndStopped, "")
		w.Verify()
	}},
	{"a paused tree rests, with its children, and goes on", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", pausable())
		asks := []rein.Ask{w.UntilAsk("r1.1-1-1", 1), w.UntilAsk("r1.1-2-1", 1)}
		receipt := w.pause("r1")
		if len(receipt.Touched) != 3 {
			t.Errorf("it reached %v", receipt.Touched)
		}
		for _, ask := range asks {
			w.Answer(ask, rein.AskAnswered, "blue")
		}
		w.Kill()
		w.Begin()
		for _, run := range []rein.RunID{"r1", "r1.1-1-1", "r1.1-2-1"} {
			w.rests(run)
			w.wantPaused(run, true)
		}
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "done,done")
		w.Verify()
	}},
	{"a paused tree can be stopped", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", pausable())
		w.Answer(w.UntilAsk("r1.1-1-1", 1), rein.AskAnswered, "blue")
		w.UntilAsk("r1.1-2-1", 1)
		w.pause("r1")
		w.Restart()
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		if end := w.End("r1"); end.End != rein.EndStopped {
			t.Errorf("ended %+v", end)
		}
		w.leavesFirst()
		w.wantPaused("r1", false)
		w.Verify()
	}},
	{"pausing twice is pausing once, and so is resuming", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandResume, Run: "r1"})
		first := w.pause("r1")
		if again := w.pause("r1"); again.Command != first.Command || len(again.Touched) > 0 {
			t.Errorf("again: %+v, first: %+v", again, first)
		}
		w.Answer(ask, rein.AskAnswered, "blue")
		w.rests("r1")
		w.resume("r1")
		if err := w.Engine.Resume(context.Background(), "r1", "ann"); err != nil && rein.CodeOf(err) != rein.CodeFinished {
			t.Error(err)
		}
		w.WantEnd("r1", rein.EndDone, "answered blue by ann")
		if n := count(w.Events("r1"), rein.CommandPause.EventKind(), rein.CommandResume.EventKind()); n != 2 {
			t.Errorf("%d events", n)
		}
		w.Verify()
	}},
	{"a child is not started in a paused run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		var once sync.Once
		w.Tweak = func(o *engine.Options) {
			s := o.Store
			o.Store = tap{Store: s, before: func(run rein.RunID, d store.Draft) {
				if d.Starts != nil { // after the driver decided to start it; the first comes with the start of its parent
					once.Do(func() {
						_, err := s.Command(context.Background(), rein.Command{Kind: rein.CommandPause, Run: run, By: "ann"}, now())
						if err != nil {
							t.Error(err)
						}
					})
				}
			}}
		}
		w.Begin()
		w.Start("r1", with(task("family", "go"), flows.Settings{Children: []rein.Task{task("once", "hi"), task("once", "hi")}}))
		w.UntilKind("r1", rein.CommandPause.EventKind())
		w.rests("r1")
		if _, err := w.Store.Run(context.Background(), "r1.2"); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("the child: %v", err)
		}
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "done hello,done hello")
		w.Verify()
	}},
	{"an ask is not opened in a paused run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		var once sync.Once
		w.Tweak = func(o *engine.Options) {
			s := o.Store
			o.Store = tap{Store: s, before: func(run rein.RunID, d store.Draft) {
				if d.Opens != nil {
					once.Do(func() {
						_, err := s.Command(context.Background(), rein.Command{Kind: rein.CommandPause, Run: run, By: "ann"}, now())
						if err != nil {
							t.Error(err)
						}
					})
				}
			}}
		}
		w.Begin()
		w.Start("r1", with(task("family", "go"), flows.Settings{Children: []rein.Task{askTask(rein.Question{})}}))
		w.UntilKind("r1.1", rein.CommandPause.EventKind())
		w.rests("r1.1")
		if n := count(w.Events("r1.1"), rein.AskOpened); n > 0 {
			t.Errorf("%d asks", n)
		}
		w.resume("r1")
		w.Answer(w.UntilAsk("r1.1", 1), rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "done answered blue by ann")
		w.Verify()
	}},
	{"a call is not tried again in a paused run", func(t *testing.T, world func(string) *World) {
		w := world("when\nfail rate_limited \"429\" after=1s times=1\nsay hello")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepWaiting)
		w.pause("r1")
		w.rests("r1")
		w.WantCalls(1, "")
		w.Restart()
		w.rests("r1")
		w.WantCalls(1, "")
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "hello")
		w.WantCalls(2, "")
		w.Verify()
	}},
	{"a modify of a paused run is heeded after the resume", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nhang\n\nwhen\nsay fine")
		w.Begin()
		w.Start("r1", task("rewrite", "old"))
		w.UntilKind("r1", rein.StepStarted)
		w.pause("r1")
		receipt := w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		w.rests("r1")
		w.wantPaused("r1", true)
		if got := w.receipt("r1", receipt.Command); got.State != rein.ReceiptPending {
			t.Errorf("receipt %+v", got)
		}
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "new: fine")
		w.Verify()
	}},
	{"a run that is ending cannot be paused, nor one that has ended", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.StopGrace = time.Hour }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.refusesPause("r1", rein.CodeStopped)
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		w.WantEnd("r1", rein.EndCancelled, "")
		w.refusesPause("r1", rein.CodeFinished)
	}},
}

// pausable is a tree of three runs, two of which ask.
func pausable() rein.Task {
	child := askTask(rein.Question{})
	return with(task("crowd", "go"), flows.Settings{Children: []rein.Task{child, child}})
}

func (w *World) pause(run rein.RunID) rein.Receipt {
	w.Helper()
	return w.Send(rein.Command{Kind: rein.CommandPause, Run: run})
}

func (w *World) resume(run rein.RunID) {
	w.Helper()
	if err := w.Engine.Resume(context.Background(), run, "ann"); err != nil {
		w.Fatal(err)
	}
}

func (w *World) refusesPause(run rein.RunID, code rein.Code) {
	w.Helper()
	_, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandPause, Run: run, By: "ann"})
	if rein.CodeOf(err) != code {
		w.Errorf("pausing run %s: %v, want %s", run, err, code)
	}
}

func (w *World) wantPaused(run rein.RunID, want bool) {
	w.Helper()
	info, err := w.Store.Run(context.Background(), run)
	if err != nil {
		w.Fatal(err)
	}
	if info.Paused != want || want && info.Status.Ended() {
		w.Errorf("run %s is %s, paused %v; want %v", run, info.Status, info.Paused, want)
	}
}

// rests waits until nothing happens in the run any more, in memory or not.
func (w *World) rests(run rein.RunID) {
	w.Helper()
	deadline := time.Now().Add(patience)
	for {
		info, err := w.Store.Run(context.Background(), run)
		if err != nil {
			w.Fatal(err)
		}
		if w.Engine.Waiting(run) || info.Status == rein.StatusWaiting && info.WakeAt.IsZero() {
			return
		}
		if info.Status.Ended() || time.Now().After(deadline) {
			w.Dump()
			w.Fatalf("run %s is %s", run, info.Status)
		}
		runtime.Gosched()
	}
}
