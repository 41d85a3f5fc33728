package enginetest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
)

// grow asks, and has a child that says its revision. Since its first revision it uses a tool before.
func grow(run rein.Run, task rein.Task) (rein.Outcome, error) {
	own := fmt.Sprint(task.Revision)
	if len(task.Messages) == 0 {
		return rein.Outcome{End: rein.EndDone, Text: own}, nil
	}
	if task.Revision > 0 {
		if _, err := run.CallTool(rein.ToolCall{ID: "1", Name: "echo"}); err != nil {
			return rein.Outcome{}, err
		}
	}
	if _, err := run.AskUser(rein.Question{Text: "Go on?"}); err != nil {
		return rein.Outcome{}, err
	}
	child, err := run.Spawn(rein.Task{Flow: task.Flow})
	if err != nil {
		return rein.Outcome{}, err
	}
	out, err := run.Wait(child)
	return rein.Outcome{End: rein.EndDone, Text: own + " with a child of " + out.Text}, err
}

// nextRunOf is the run that goes on with what was said too late for another.
func nextRunOf(w *World, before rein.RunID) rein.RunID {
	receipts, err := w.Store.Receipts(context.Background(), before)
	if err != nil {
		w.Fatal(err)
	}
	for _, r := range receipts {
		if r.Started != "" && r.Started != before {
			return r.Started
		}
	}
	w.Fatalf("no run goes on with what was said to %s: %v", before, receipts)
	return ""
}

// Covers: LAW-7 ENG-5 ENG-7 ENG-11 ENG-12
var frozen = []test{
	{"a run goes on with what it was started with", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		at := time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC)
		w.Tweak = func(o *engine.Options) { o.Now = func() time.Time { return at } }
		w.Begin()
		start := task("tell", "hi", "echo")
		start.Zone, start.Language, start.Settings = "Europe/Amsterdam", "nl", []byte(`{"rounds":7}`)
		start.Texts = map[string]string{"soul": "kind"}
		w.Start("r1", start)
		ask := w.UntilAsk("r1", 1)
		w.stop()
		at = at.Add(48 * time.Hour)
		w.Begin()
		w.Answer(ask, rein.AskAnswered, "go on")
		w.WantEnd("r1", rein.EndDone, `2026-03-29T01:30:00Z Europe/Amsterdam nl {"rounds":7} kind [echo] r1`)
	}},
	{"a run keeps the revision of its flow", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		revision := 0
		w.Tweak = func(o *engine.Options) { o.Flows["grow"] = rein.Flow{Do: grow, Revision: revision} }
		w.Begin()
		w.Start("old", task("grow", "hi", "echo"))
		ask := w.UntilAsk("old", 1)
		w.stop()
		revision = 2
		w.Begin()
		w.Send(rein.Command{Kind: rein.CommandMessage, Run: "old", Text: "and then?"}) // it reads no messages: the next run does
		w.Answer(ask, rein.AskAnswered, "go on")
		w.WantEnd("old", rein.EndDone, "0 with a child of 2") // the child was started by the newer program
		w.Start("new", task("grow", "hi", "echo"))
		w.Answer(w.UntilAsk("new", 1), rein.AskAnswered, "go on")
		w.WantEnd("new", rein.EndDone, "2 with a child of 2")
		next := nextRunOf(w, "old")
		w.Answer(w.UntilAsk(next, 1), rein.AskAnswered, "go on")
		w.WantEnd(next, rein.EndDone, "2 with a child of 2")
		w.Verify()
	}},
	{"a changed policy, price or window does not change what was decided", func(t *testing.T, world func(string) *World) {
		w := world("price in=1.00 out=1.00\nturn 1\ncall deploy {\"n\":1}\ncall deploy {\"n\":2}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("loop", "go", "deploy"))
		w.Answer(w.UntilAsk("r1", 1), rein.AskRejected, "no")
		second := w.UntilAsk("r1", 2)
		w.Tweak = func(o *engine.Options) {
			deploy := o.Worker.Tools["deploy"]
			deploy.Approval = false
			o.Worker.Tools["deploy"] = deploy
			model := o.Worker.Models[""]
			o.Worker.Models[""] = dearer{model}
		}
		w.Restart()
		w.Answer(second, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "deploy=1") // the first stays refused, although it would not be asked about now
		w.Verify()
	}},
	{"an approval that is open is not bypassed by a looser policy", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("deploy"))
		w.Begin()
		w.Start("r1", task("loop", "go", "deploy"))
		w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) {
			deploy := o.Worker.Tools["deploy"]
			deploy.Approval = false
			o.Worker.Tools["deploy"] = deploy
		}
		w.stop()
		w.wake("r1")
		w.Begin()
		w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "well?"}) // it is driven once more, at least
		w.untilParkedOrHeld("r1")
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "skipped: the call was not run: the run was stopped")
		w.WantCalls(1, "")
	}},
	{"no flow can hold up its run's letting go", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Tweak = func(o *engine.Options) {
			o.Flows["clingy"] = rein.Flow{Do: func(run rein.Run, _ rein.Task) (out rein.Outcome, err error) {
				defer func() {
					if p := recover(); p != nil {
						out.Text = fmt.Sprint("held on: ", p)
					}
				}()
				a, err := run.AskUser(rein.Question{Text: "Which?"})
				if err != nil {
					return rein.Outcome{Text: "swallowed " + err.Error()}, nil
				}
				return rein.Outcome{Text: a.Text}, nil
			}}
		}
		w.Begin()
		w.Start("r1", task("clingy", "hi"))
		ask := w.UntilAsk("r1", 1)
		for range 3 {
			w.Restart()
		}
		if n := count(w.Events("r1"), rein.StepDone, rein.RunCompleted, rein.RunFailed); n != 0 {
			t.Errorf("letting go was recorded as %d results", n)
		}
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "blue")
	}},
	{"a store that is lost is not a result", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Tools.Hold("echo")
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.Tools.Started(w)
		w.dead.Store(true)
		w.Tools.Release()
		w.untilIdle() // it cannot record its result, and lets go
		w.dead.Store(false)
		w.WantEnd("r1", rein.EndDone, "It said so.") // the dispatcher has tried again
		w.Verify()
	}},
	{"the log holds names and no secrets", func(t *testing.T, world func(string) *World) {
		const secret = "sk-very-secret"
		w := world(useEcho)
		w.Tweak = func(o *engine.Options) {
			model := o.Worker.Models[""]
			o.Worker.Models["work"] = keyed{model, secret}
		}
		w.Begin()
		start := task("loop", "look", "echo")
		start.Model = "work"
		w.Start("r1", start)
		w.WantEnd("r1", rein.EndDone, "It said so.")
		for _, e := range w.Events("r1") {
			if strings.Contains(string(e.Data), secret) {
				t.Errorf("event %d holds the key: %s", e.Seq, e.Data)
			}
		}
		started, err := rein.Payload[rein.RunStart](w.Events("r1")[0])
		if err != nil || started.Task.Model != "work" || started.Task.Tools[0] != "echo" {
			t.Errorf("the task is %+v %v", started.Task, err)
		}
	}},
	{"what a model had said when it was cut is kept", func(t *testing.T, world func(string) *World) {
		w := world("when\ndrip 1h\nsay one two three")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.untilDelta()
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		end, got := w.End("r1"), w.stepEnd("r1", "1")
		if !strings.HasPrefix("one two three", got.Partial) || got.Partial == "" {
			t.Errorf("the step is %+v", got)
		}
		if end.End != rein.EndCancelled || end.Text != got.Partial {
			t.Errorf("the run ended as %+v, and what was shown is %q", end, got.Partial)
		}
	}},
	{"a model that panics is a failure", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Model.Hook = func(rein.ModelRequest) { panic("nil map") }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		if end := w.End("r1"); end.End != rein.EndFailed || end.Failure.Code != rein.CodeProvider {
			t.Errorf("ended as %+v", end)
		}
	}},
}

// dearer is a model with another price and window.
type dearer struct{ rein.Model }

func (d dearer) Info() rein.ModelInfo {
	info := d.Model.Info()
	info.InputMicros *= 100
	info.Window = 100
	return info
}

// keyed is a model that holds a key.
type keyed struct {
	rein.Model
	key string
}

func (k keyed) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	if k.key == "" {
		return rein.ModelReply{}, errors.New("no key")
	}
	return k.Model.Generate(ctx, r, show)
}

// untilDelta waits until some text was shown.
func (w *World) untilDelta() {
	w.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	for {
		w.mu.Lock()
		n, shown := len(w.deltas), w.shown
		w.mu.Unlock()
		if n > 0 {
			return
		}
		select {
		case <-shown:
		case <-deadline.C:
			w.Dump()
			w.Fatal("no text was shown")
		}
	}
}

// untilParkedOrHeld waits until the run has been driven again up to where it waits.
func (w *World) untilParkedOrHeld(run rein.RunID) {
	w.Helper()
	deadline := time.Now().Add(patience)
	for {
		info, err := w.Store.Run(context.Background(), run)
		if err != nil {
			w.Fatal(err)
		}
		waiting := info.Status == rein.StatusWaiting && info.WakeAt.IsZero()
		if info.Status.Ended() || waiting || info.Epoch > 1 && info.Status == rein.StatusRunning && w.Engine.Waiting(run) {
			return
		}
		if time.Now().After(deadline) {
			w.Fatalf("run %s is still %s", run, info.Status)
		}
		runtime.Gosched()
	}
}
