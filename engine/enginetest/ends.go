package enginetest

import (
	"context"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
)

// hangUp is a model that never answers by itself.
const hangUp = `
when
hang
`

// Covers: LAW-6 ENG-3 ENG-18 ENG-24 ENG-26 ENG-28 ENG-57
var ends = []test{
	{"stop ends a wait at once", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
		if got, _ := w.Store.Ask(context.Background(), ask.ID); got.State != rein.AskWithdrawn {
			t.Errorf("the ask is %s", got.State)
		}
		_, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandStop, Run: "r1", By: "ann"})
		if rein.CodeOf(err) != rein.CodeFinished {
			t.Errorf("stopping an ended run: %v", err)
		}
		w.Verify()
	}},
	{"stop reaches a run that nobody drives", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		w.UntilAsk("r1", 1)
		w.Restart()
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
	}},
	{"stop lets a call reach its end within the grace", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Tools.Hold("echo")
		w.Tweak = func(o *engine.Options) { o.StopGrace = time.Hour }
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.Tools.Started(w)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.Tools.Release()
		w.WantEnd("r1", rein.EndStopped, "")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolOK {
			t.Errorf("the call is %+v", got)
		}
		w.WantCalls(1, "echo=1")
	}},
	{"stop cuts a call after the grace and keeps what it said", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.StopGrace = engine.NoGrace }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
		w.wantFailure("r1", "1", rein.CodeStopped)
		w.Verify()
	}},
	{"cancel cuts a call at once", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.StopGrace = time.Hour }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		w.WantEnd("r1", rein.EndCancelled, "")
		w.wantFailure("r1", "1", rein.CodeCancelled)
	}},
	{"stopping twice is stopping once", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.StopGrace = 50 * time.Millisecond }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		_, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandStop, Run: "r1", By: "bob"})
		if err != nil && rein.CodeOf(err) != rein.CodeFinished {
			t.Error(err)
		}
		w.WantEnd("r1", rein.EndStopped, "")
		if n := count(w.Events("r1"), rein.CommandStop.EventKind()); n != 1 {
			t.Errorf("%d stop events", n)
		}
	}},
	{"an unsafe call that is cancelled is unknown", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall send {}\nturn 2\nsay over")
		w.Tools.Hold("send")
		w.Begin()
		w.Start("r1", task("loop", "go", "send"))
		w.Tools.Started(w)
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		end := w.End("r1")
		if end.End != rein.EndCancelled {
			t.Errorf("ended as %+v", end)
		}
		if got := w.stepEnd("r1", "2"); got.Result == nil || got.Result.Status != rein.ToolUnknown || got.Failure.Code != rein.CodeCancelled {
			t.Errorf("the call's record is %+v", got)
		}
		w.WantCalls(1, "send=1")
	}},
	{"a flow that does not heed its end is ended", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		deaf := task("deaf", "hi")
		w.Start("r1", deaf)
		w.UntilKind("r1", rein.StepDone)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
	}},
	{"a tree stops from its leaves up", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.StopGrace = engine.NoGrace }
		w.Begin()
		leaf := task("once", "hi")
		branch := with(task("crowd", "go"), flows.Settings{Children: []rein.Task{leaf, leaf}})
		w.Start("r1", with(task("crowd", "go"), flows.Settings{Children: []rein.Task{branch, branch}}))
		calls := 0
		w.Until("four leaves at work", func(e rein.Event) bool {
			if e.Kind == rein.StepStarted && e.Run.Depth() == 2 {
				calls++
			}
			return calls == 4
		})
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		// The end of a branch that came before the root had left its wait counts, so the text is open.
		if end := w.End("r1"); end.End != rein.EndStopped {
			t.Errorf("ended as %s", end.End)
		}
		w.leavesFirst()
		w.Verify()
	}},
	{"nothing can be started below a run that ends", func(t *testing.T, world func(string) *World) {
		w := world("when run=r1\nslow 1ms\nsay go on\n\nwhen\nhang")
		w.Tweak = func(o *engine.Options) { o.StopGrace = engine.NoGrace }
		w.Begin()
		child := task("once", "hi")
		w.Start("r1", with(task("family", "go"), flows.Settings{Children: []rein.Task{child}}))
		w.UntilKind("r1.1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandDelete, Run: "r1"})
		w.End("r1")
		if info, err := w.Store.Run(context.Background(), "r1.1"); err != nil || info.Status != "deleted" {
			t.Errorf("the child is %+v %v", info, err)
		}
		w.leavesFirst()
	}},
	{"unknown runs and commands are refused", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		w.UntilAsk("r1", 1)
		bad := func(code rein.Code, c rein.Command) {
			t.Helper()
			c.By = "ann"
			if _, err := w.Engine.Command(context.Background(), c); rein.CodeOf(err) != code {
				t.Errorf("%+v: %v, want %s", c, err, code)
			}
		}
		bad(rein.CodeNotFound, rein.Command{Kind: rein.CommandStop, Run: "r9"})
		bad(rein.CodeNotFound, rein.Command{Kind: rein.CommandDelete, Run: "r1.7"})
		bad(rein.CodeInvalid, rein.Command{Kind: "explode", Run: "r1"})
		bad(rein.CodeInvalid, rein.Command{Kind: rein.CommandChild, Run: "r1"})
		bad(rein.CodeInvalid, rein.Command{Kind: rein.CommandExpire, Run: "r1", Ask: "r1:1.ask"})
		bad(rein.CodeInvalid, rein.Command{Kind: rein.CommandMessage, Run: "r1"})
		bad(rein.CodeInvalid, rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "  "})
		bad(rein.CodeInvalid, rein.Command{Kind: rein.CommandStop})
		key := rein.Command{Kind: rein.CommandComment, Run: "r1", Key: "k", Text: "one"}
		w.Send(key)
		key.Text = "two"
		bad(rein.CodeConflict, key)
	}},
}

// stepEnd returns how a step ended.
func (w *World) stepEnd(run rein.RunID, step rein.StepKey) rein.StepEnd {
	w.Helper()
	for _, e := range w.Events(run) {
		if e.Kind == rein.StepDone && e.Step == step {
			end, err := rein.Payload[rein.StepEnd](e)
			if err != nil {
				w.Fatal(err)
			}
			return end
		}
	}
	w.Dump()
	w.Fatalf("step %s of run %s has not ended", step, run)
	return rein.StepEnd{}
}

func (w *World) wantFailure(run rein.RunID, step rein.StepKey, code rein.Code) {
	w.Helper()
	if end := w.stepEnd(run, step); end.Failure == nil || end.Failure.Code != code {
		w.Errorf("step %s of run %s ended with %+v, want failure %s", step, run, end, code)
	}
}

// leavesFirst wants every run to have ended after everything below it, and nothing to be billed
// after an end.
func (w *World) leavesFirst() {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	over := map[rein.RunID]bool{}
	for _, e := range w.events {
		for run := e.Run; run != ""; run = run.Parent() {
			if over[run] {
				w.Errorf("%s of run %s comes after the end of %s", e.Kind, e.Run, run)
			}
		}
		if e.Kind.Ends() {
			over[e.Run] = true
		}
	}
}
