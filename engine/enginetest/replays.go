package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/internal/labs"
)

// playAll is a script for the flow "all": one call of every class one by one, then side by side.
const playAll = `
when run=r1.*
say child

turn 1
call echo {"n":1}
call add {"n":2}
call post {"n":3}
call send {"n":4}

turn 2
call echo {"n":5}
call send {"n":6}
call keep {"n":7}

turn 3
say fine
`

func allTask() rein.Task {
	return with(task("all", "old", "echo", "add", "post", "send", "keep"), flows.Settings{
		Children: []rein.Task{task("once", "one"), askTask(rein.Question{})},
	})
}

// cuts are runs that are cut off after every one of their events.
var cuts = map[string]struct {
	script string
	task   rein.Task
}{
	"once":    {sayHello, task("once", "hi")},
	"loop":    {"turn 1\ncall echo {}\ncall add {}\ncall send {}\nturn 2\ncall post {}\nturn 3\nsay over", task("loop", "go", "echo", "add", "send", "post")},
	"pair":    {"turn 1\ncall echo {}\ncall deploy {}\ncall send {}\nturn 2\nsay over", task("pair", "go", "echo", "deploy", "send")},
	"ask":     {sayHello, askTask(rein.Question{})},
	"steer":   {sayHello, with(task("steer", "hi"), flows.Settings{Rounds: 3})},
	"family":  {sayHello, family(task("once", "hi"), askTask(rein.Question{}))},
	"crowd":   {sayHello, with(task("crowd", "go"), flows.Settings{Children: []rein.Task{task("once", "1"), askTask(rein.Question{})}})},
	"orphans": {sayHello, with(task("orphans", "go"), flows.Settings{Children: []rein.Task{askTask(rein.Question{})}})},
	"limit":   {forEver, budget(with(task("loop", "go", "echo"), flows.Settings{Rounds: 3}), func(b *rein.Budget) { b.Tokens = 100_000 })},
	"all":     {playAll, allTask()},
}

// Covers: LAW-3 LAW-10 ENG-2 ENG-14 ENG-15 ENG-16 ENG-23 ENG-51
var replays = append(cutTests(), []test{
	{"a flow that changed blocks its run, and the old one resumes it", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\ncall deploy {}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("loop", "go", "echo", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) { o.Flows["loop"], o.DrainGrace = rein.Flow{Do: flows.Pair}, engine.NoGrace }
		w.Restart()
		w.Answer(ask, rein.AskApproved, "")
		blocked := w.UntilKind("r1", rein.RunBlocked)
		why, err := rein.Payload[rein.Blocked](blocked)
		if err != nil || why.Step != "2" || !strings.Contains(why.Reason, "loop") {
			t.Errorf("blocked: %+v %v", why, err)
		}
		w.wantStatus("r1", rein.StatusBlocked)
		w.Tweak = nil
		w.Restart()
		w.wantStatus("r1", rein.StatusBlocked) // a restart alone changes nothing
		if err := w.Engine.Resume(context.Background(), "r1", "ann"); err != nil {
			t.Fatal(err)
		}
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "deploy=1 echo=1")
		w.Verify()
	}},
	{"a flow that ends before its log does blocks its run", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\ncall deploy {}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("loop", "go", "echo", "deploy"))
		w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) {
			o.Flows["loop"] = rein.Flow{Do: func(rein.Run, rein.Task) (rein.Outcome, error) { return rein.Outcome{}, nil }}
		}
		w.stop()
		w.wake("r1")
		w.Begin()
		w.UntilKind("r1", rein.RunBlocked)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
	}},
	{"a run whose flow is gone is blocked and can be deleted", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", family(askTask(rein.Question{})))
		ask := w.UntilAsk("r1.1", 1)
		w.Tweak = func(o *engine.Options) { delete(o.Flows, "ask") }
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.UntilKind("r1.1", rein.RunBlocked)
		w.Send(rein.Command{Kind: rein.CommandDelete, Run: "r1.1"})
		w.WantEnd("r1", rein.EndDone, "deleted ")
	}},
	{"a better prompt does not block a run", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {}\n\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("loop", "go", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) {
			o.Flows["loop"] = rein.Flow{Do: func(run rein.Run, t rein.Task) (rein.Outcome, error) {
				t.Messages = []rein.Message{{Role: rein.System, Text: "Be kind."}, {Role: rein.User, Text: "better"}}
				return flows.Loop(run, t)
			}}
		}
		w.Restart()
		w.Answer(ask, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.Verify() // the new prompt is recorded as a difference from the old one, not from the edited
		calls := w.Model.Calls()
		if got := calls[len(calls)-1].Request.Messages; got[0].Text != "Be kind." {
			t.Errorf("the new prompt was not used: %+v", got)
		}
	}},
	{"an old driver can write no more", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("echo"))
		w.Tools.Hold("echo")
		w.Begin()
		w.Start("r1", task("loop", "go", "echo"))
		w.Tools.Started(w)
		w.Tools.mu.Lock()
		held := w.Tools.held["echo"]
		delete(w.Tools.held, "echo")
		w.Tools.mu.Unlock()
		other, err := engine.New(w.Options)
		if err != nil {
			t.Fatal(err)
		}
		next, err := other.Drive(context.Background(), "r1")
		if err != nil || !next.Done {
			t.Fatalf("take-over: %+v %v", next, err)
		}
		close(held) // only now does the first driver learn its result
		w.WantEnd("r1", rein.EndDone, "over")
		w.untilIdle()
		log := w.Events("r1")
		if n := count(log, rein.StepDone); n != 3 {
			t.Errorf("%d steps are done", n)
		}
		w.WantCalls(2, "echo=2")
		w.Verify()
	}},
}...)

func cutTests() []test {
	var tests []test
	for name, c := range cuts {
		tests = append(tests, test{"cut after every event of " + name, func(t *testing.T, world func(string) *World) {
			reference := world(c.script)
			want := reference.cut(c.task, 0)
			events := reference.commits
			reference.stop()
			for n := 1; n < events; n++ {
				if !labs.Cell(n, 4) {
					continue
				}
				w := world(c.script)
				if got := w.cut(c.task, n); got != want && got != afterUnknown(want) {
					w.Dump()
					t.Errorf("cut after event %d of %d:\n got %s\nwant %s", n, events, got, want)
				}
				w.Verify()
				w.stop()
			}
		}})
	}
	return tests
}

// cut runs a task to its end, killed after the nth event, and sums up what came of it. A person
// answers what is asked, and answers the truth about unknown outcomes.
func (w *World) cut(task rein.Task, n int) string {
	w.Helper()
	w.dieAt.Store(int64(n))
	w.Begin()
	_, err := w.Engine.Start(context.Background(), "r1", task)
	if err != nil && !w.dead.Load() {
		w.Fatal(err)
	}
	answered := map[rein.AskID]bool{}
	for {
		e := w.Until("end of r1", func(e rein.Event) bool {
			return e.Run == "r1" && e.Kind.Ends() || e.Kind == rein.AskOpened && !answered[rein.NewAskID(e.Run, e.Step)] || w.dead.Load()
		})
		switch {
		case w.dead.Load():
			w.dieAt.Store(0)
			w.Kill()
			w.Begin()
		case e.Kind.Ends():
			return sumUp(e, fmt.Sprintf("unsafe=%d idempotent=%d checkable=%d", w.Tools.count("send")+w.Tools.count("deploy"), w.Tools.Keys("add"), w.Tools.count("post")))
		default:
			answered[rein.NewAskID(e.Run, e.Step)] = w.answerTruly(e)
		}
	}
}

// sumUp puts an outcome and its effects together. The output of a call that a person vouched for was
// lost with the process, and so is left out.
func sumUp(end rein.Event, effects string) string {
	text := string(end.Data)
	if strings.Contains(text, "a person says") {
		text = "vouched for"
	}
	return text + "\n" + effects
}

func afterUnknown(want string) string {
	_, effects, _ := strings.Cut(want, "\n")
	return "vouched for\n" + effects
}

// answerTruly answers an ask, if it still can be.
func (w *World) answerTruly(e rein.Event) bool {
	w.Helper()
	ask, err := rein.Payload[rein.Ask](e)
	if err != nil {
		w.Fatal(err)
	}
	answer := rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"}
	switch ask.Kind {
	case rein.AskApproval:
		answer = rein.Answer{State: rein.AskApproved, By: "ann"}
	case rein.AskUnknown:
		answer.Text = rein.RunAgain
		if w.Tools.happened(ask.Call.Name, string(ask.Run)+":"+string(ask.Step)) {
			answer.Text = rein.ItHappened
		}
	}
	_, err = w.Engine.Command(context.Background(), ask.Reply(answer))
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed, rein.CodeFinished:
		return true
	case rein.CodeUnavailable:
		return false
	}
	w.Fatal(err)
	return false
}

func (t *Tools) count(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.counts[name]
}

func (t *Tools) happened(name, key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.effects[name+" "+key] > 0
}

// wake makes a run due while nobody serves.
func (w *World) wake(run rein.RunID) {
	w.Helper()
	s, err := w.Parts.Open(w.T, w.dir, w.committed)
	if err != nil {
		w.Fatal(err)
	}
	if err := s.Resume(context.Background(), run, "ann", now()); err != nil {
		w.Fatal(err)
	}
	if err := s.Close(); err != nil {
		w.Fatal(err)
	}
}

func (w *World) wantStatus(run rein.RunID, want rein.Status) {
	w.Helper()
	info, err := w.Store.Run(context.Background(), run)
	if err != nil || info.Status != want {
		w.Errorf("run %s is %s, want %s (%v)", run, info.Status, want, err)
	}
}
