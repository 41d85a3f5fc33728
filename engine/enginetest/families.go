package enginetest

import (
	"context"
	"strings"
	"testing"

	"rein"
	"rein/engine/enginetest/flows"
	"rein/store"
)

func family(children ...rein.Task) rein.Task {
	return with(task("family", "go"), flows.Settings{Children: children})
}

// Covers: ENG-26 ENG-27 ENG-28 ENG-43 ENG-52 ENG-53
var families = []test{
	{"every end of a child is an outcome", func(t *testing.T, world func(string) *World) {
		w := world("when user=bad\nfail provider \"out of order\"\n\nwhen\nsay hello")
		w.Begin()
		w.Start("r1", family(task("once", "hi"), task("once", "bad"), askTask(rein.Question{}), askTask(rein.Question{}), task("panic", "")))
		w.Answer(w.UntilAsk("r1.3", 1), rein.AskDeclined, "")
		w.UntilAsk("r1.4", 1)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1.4"})
		end := w.End("r1")
		got := strings.Split(end.Text, ",")
		want := []string{"done hello", "failed out of order", "declined ", "stopped ", "failed flow panic panicked"}
		for i := range want {
			if i >= len(got) || !strings.HasPrefix(got[i], want[i][:min(len(want[i]), len(got[i]))]) || got[i] == "" {
				t.Errorf("child %d: got %q, want %q", i+1, got, want[i])
			}
		}
		w.Verify()
	}},
	{"a child that is deleted while its parent waits", func(t *testing.T, world func(string) *World) {
		w := world("when run=r1.1.*\nhang\n\nwhen\nsay hello")
		w.Begin()
		w.Start("r1", family(family(task("once", "deep"), askTask(rein.Question{})), task("once", "hi")))
		w.UntilKind("r1.1.1", rein.StepStarted)
		ask := w.UntilAsk("r1.1.2", 1)
		w.Send(rein.Command{Kind: rein.CommandDelete, Run: "r1.1"})
		w.WantEnd("r1", rein.EndDone, "deleted r1.1.1,r1.1.2,done hello")
		for _, run := range []rein.RunID{"r1.1", "r1.1.1", "r1.1.2"} {
			if info, err := w.Store.Run(context.Background(), run); err != nil || info.Status != "deleted" {
				t.Errorf("run %s is %s %v", run, info.Status, err)
			}
		}
		if got, _ := w.Store.Ask(context.Background(), ask.ID); got.State != rein.AskWithdrawn {
			t.Errorf("the ask below is %s", got.State)
		}
		w.leavesFirst()
		w.Verify()
	}},
	{"waiting survives restarts on both sides", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", family(askTask(rein.Question{}), family(askTask(rein.Question{}))))
		first := w.UntilAsk("r1.1", 1)
		second := w.UntilAsk("r1.2.1", 1)
		w.Restart()
		w.Answer(second, rein.AskAnswered, "red")
		w.End("r1.2")
		w.Kill()
		w.Begin()
		w.Answer(first, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "done answered blue by ann,done done answered red by ann")
		w.Verify()
	}},
	{"spawns beyond depth and number are refused, and the run goes on", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		deep := family(family(family(task("once", "too deep"))))
		budget := rein.DefaultBudget()
		budget.Depth, budget.Runs = 2, 4
		deep.Budget = &budget
		w.Start("r1", deep)
		w.WantEnd("r1", rein.EndDone, "done done refused limit")
		many := family(task("once", "1"), task("once", "2"), task("once", "3"), task("once", "4"))
		many.Budget = &budget
		w.Start("r2", many)
		w.WantEnd("r2", rein.EndDone, "done hello,done hello,done hello,refused limit")
		w.Verify()
	}},
	{"a child has at most its parent's tools", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\nwrong-tool send {}\nturn 2\nsay over")
		w.Begin()
		child := task("loop", "go", "echo", "send")
		parent := family(child)
		parent.Tools = []string{"echo"}
		w.Start("r1", parent)
		w.WantEnd("r1", rein.EndDone, "done over")
		w.WantCalls(2, "echo=1")
	}},
	{"a child with an unknown flow is a recorded failure", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", family(task("nosuchflow", "hi")))
		w.WantEnd("r1", rein.EndDone, "refused invalid")
	}},
	{"children that nobody waits for end with their parent", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Begin()
		w.Start("r1", with(task("orphans", "go"), flows.Settings{Children: []rein.Task{task("once", "hi"), askTask(rein.Question{})}}))
		w.WantEnd("r1", rein.EndDone, "gone")
		for info, err := range w.Store.Runs(context.Background(), store.Filter{Tree: "r1"}) {
			if err != nil || info.ID != "r1" && info.Status != "cancelled" {
				t.Errorf("run %s is %s %v", info.ID, info.Status, err)
			}
		}
		w.leavesFirst()
		w.Verify()
	}},
	{"children spawned in branches", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", with(task("crowd", "go"), flows.Settings{Children: []rein.Task{task("once", "1"), askTask(rein.Question{}), task("once", "3")}}))
		ask := w.UntilAsk("r1.1-2-1", 1)
		w.End("r1.1-3-1")
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "done,done,done")
		w.Verify()
	}},
}
