package enginetest

import (
	"cmp"
	"context"
	"reflect"
	"testing"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
)

// Covers: LAW-4 ENG-19 ENG-20 ENG-21
var mails = []test{
	{"a message is read at the next Inbox and has a receipt", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		hold := w.holdModel(1)
		w.Begin()
		w.Start("r1", with(task("steer", "hi"), flows.Settings{Rounds: 2}))
		hold.entered(w)
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "look left"})
		if receipt.State != rein.ReceiptPending {
			t.Errorf("receipt %+v", receipt)
		}
		w.Send(rein.Command{Kind: rein.CommandComment, Run: "r1", Text: "nice"})
		hold.release()
		w.WantEnd("r1", rein.EndDone, "message ann: look left")
		if got := w.receipt("r1", receipt.Command); got.State != rein.ReceiptApplied || got.Step != "2" {
			t.Errorf("receipt %+v", got)
		}
		w.WantCalls(2, "")
	}},
	{"a message that comes too late starts the next run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		hold := w.holdModel(1)
		w.Begin()
		w.Start("r1", task("once", "hi"))
		hold.entered(w)
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "and then?"})
		hold.release()
		w.WantEnd("r1", rein.EndDone, "hello")
		got := w.receipt("r1", receipt.Command)
		if got.State != rein.ReceiptStarted {
			t.Fatalf("receipt %+v", got)
		}
		w.WantEnd(got.Started, rein.EndDone, "hello")
		w.wantLate("r1", &rein.Next{Run: got.Started, Commands: []rein.CommandID{receipt.Command}})
		calls := w.Model.Calls()
		if last := calls[len(calls)-1].Request.Messages; len(last) != 1 || last[0].Text != "and then?" {
			t.Errorf("the next run was asked %+v", last)
		}
		w.Verify()
	}},
	{"a message to a run beside the conversation does not repeat that run", func(t *testing.T, world func(string) *World) {
		tweak := func(o *engine.Options) {
			o.Flows["aside"] = rein.Flow{Do: flows.Once, Aside: true}
			o.Prepare = func(task rein.Task) (rein.Task, error) {
				task.Flow = cmp.Or(task.Flow, "loop")
				return task, nil
			}
		}
		w := world(sayHello)
		w.Tweak = tweak
		hold := w.holdModel(2)
		w.Begin()
		first := with(task("once", "hi"), flows.Settings{Rounds: 7})
		first.Session = "s"
		w.Start("r1", first)
		w.WantEnd("r1", rein.EndDone, "hello")
		beside := with(task("aside", "count"), flows.Settings{Rounds: 3})
		beside.Session = "s"
		w.Start("r2", beside)
		hold.entered(w)
		w.wantNext("r2", hold, "once", string(first.Settings))

		w = world(sayHello)
		w.Tweak = tweak
		hold = w.holdModel(1)
		w.Begin()
		w.Start("r1", beside)
		hold.entered(w)
		w.wantNext("r1", hold, "loop", "")
	}},
	{"a message to a run that is stopped is not applied", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		w.UntilAsk("r1", 1)
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "hurry"})
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
		if got := w.receipt("r1", receipt.Command); got.State != rein.ReceiptNotApplied {
			t.Errorf("receipt %+v", got)
		}
		w.wantLate("r1", nil)
	}},
	{"a message to a child that ends is not applied", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", with(task("family", "go"), flows.Settings{Children: []rein.Task{askTask(rein.Question{})}}))
		ask := w.UntilAsk("r1.1", 1)
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1.1", Text: "hurry"})
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "done answered blue by ann")
		if got := w.receipt("r1.1", receipt.Command); got.State != rein.ReceiptNotApplied {
			t.Errorf("receipt %+v", got)
		}
		w.wantLate("r1.1", nil)
	}},
	{"a modify interrupts a model call", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nhang\n\nwhen\nsay fine")
		w.Begin()
		w.Start("r1", task("rewrite", "old"))
		w.UntilKind("r1", rein.StepStarted)
		receipt := w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		w.WantEnd("r1", rein.EndDone, "new: fine")
		w.wantFailure("r1", "1", rein.CodeInterrupted)
		if got := w.receipt("r1", receipt.Command); got.State != rein.ReceiptApplied {
			t.Errorf("receipt %+v", got)
		}
		w.Verify()
	}},
	{"a modify withdraws an ask", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nsay Which?\n\nwhen\nsay fine")
		w.Begin()
		w.Start("r1", task("rewrite", "old"))
		ask := w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "older"})
		w.WantEnd("r1", rein.EndDone, "older: fine")
		if got, err := w.Store.Ask(t.Context(), ask.ID); err != nil || got.State != rein.AskWithdrawn {
			t.Errorf("the ask is %s %v", got.State, err)
		}
	}},
	{"a modify interrupts all branches, and what was sent is unknown", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\ncall echo {}\ncall send {}\ncall add {}\n\nwhen\nsay fine")
		w.Tools.Hold("echo")
		w.Tools.Hold("send")
		w.Begin()
		w.Start("r1", task("rewrite", "old", "echo", "send", "add"))
		w.Tools.Started(w)
		w.Tools.Started(w)
		w.Until("the third call", func(e rein.Event) bool { return e.Kind == rein.StepDone && e.Step == "2.3.1" })
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		w.WantEnd("r1", rein.EndDone, "new: fine")
		for step, want := range map[rein.StepKey]rein.ToolStatus{"2.1.1": rein.ToolSkipped, "2.2.1": rein.ToolUnknown, "2.3.1": rein.ToolOK} {
			if got := w.stepEnd("r1", step); got.Result.Status != want {
				t.Errorf("step %s is %s, want %s", step, got.Result.Status, want)
			}
		}
		w.Verify()
	}},
	{"a modify reaches a run that nobody drives", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nsay Which?\n\nwhen\nsay fine")
		w.Begin()
		w.Start("r1", task("rewrite", "old"))
		w.UntilAsk("r1", 1)
		w.Restart()
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		w.WantEnd("r1", rein.EndDone, "new: fine")
	}},
	{"of two modifies the last wins", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nsay Which?\n\nwhen\nsay fine")
		w.Begin()
		w.Start("r1", task("rewrite", "old"))
		w.UntilAsk("r1", 1)
		w.Kill()
		s, err := w.Parts.Open(t, w.dir, w.committed)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"new", "newest"} {
			if _, err := s.Command(t.Context(), rein.Command{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: text}, now()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "newest: fine")
	}},
	{"malformed calls are answered and do not hurt", func(t *testing.T, world func(string) *World) {
		w := world(`
turn 1
malformed echo "["
wrong-tool deploy {}
call echo {}
turn 2
say I see.
`)
		w.Begin()
		w.Start("r1", task("loop", "go", "echo"))
		w.WantEnd("r1", rein.EndDone, "I see.")
		w.WantCalls(3, "echo=1") // one to mend the first call
		w.wantResult(1, rein.ToolRefused, `the arguments of "echo" are wrong`)
		w.wantResult(2, rein.ToolRefused, `tool "deploy" is not allowed here`)
		w.wantResult(3, rein.ToolOK, "echo {}")
		w.Verify()
	}},
}

// wantNext says something to a run whose model call is held, and wants the run that this starts to have a flow and settings.
func (w *World) wantNext(run rein.RunID, hold *modelHold, flow, settings string) {
	w.Helper()
	receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: run, Text: "and then?"})
	hold.release()
	w.WantEnd(run, rein.EndDone, "hello")
	got := w.receipt(run, receipt.Command)
	if got.State != rein.ReceiptStarted {
		w.Fatalf("receipt %+v", got)
	}
	w.WantEnd(got.Started, rein.EndDone, "hello")
	first, err := w.Store.Event(context.Background(), got.Started, 1)
	if err != nil {
		w.Fatal(err)
	}
	start, err := rein.Payload[rein.RunStart](first)
	if t := start.Task; err != nil || t.Flow != flow || string(t.Settings) != settings || len(t.Messages) != 1 || t.Messages[0].Text != "and then?" {
		w.Errorf("the next run is %+v, %v; want flow %s with settings %s", t, err, flow, settings)
	}
	w.Verify()
}

// wantLate wants the end of a run's log to say which run its unread messages started.
func (w *World) wantLate(run rein.RunID, want *rein.Next) {
	w.Helper()
	events := w.Events(run)
	end, err := rein.Payload[rein.RunEnd](events[len(events)-1])
	if err != nil || !reflect.DeepEqual(end.Next, want) {
		w.Errorf("the log of run %s ends with next %+v, %v; want %+v", run, end.Next, err, want)
	}
}
