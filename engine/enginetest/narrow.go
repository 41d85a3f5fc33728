package enginetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/store"
)

// A tap lets a test act between a driver's decision and its write.
type tap struct {
	engine.Store
	before func(rein.RunID, store.Draft)
	after  func(rein.RunID, store.Draft)
}

func (t tap) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	for _, d := range b.Drafts {
		if t.before != nil {
			t.before(b.Run, d)
		}
	}
	events, err := t.Store.Append(ctx, b)
	for _, d := range b.Drafts {
		if err == nil && t.after != nil {
			t.after(b.Run, d)
		}
	}
	return events, err
}

// flow adds a flow of the test's own.
func (w *World) flow(name string, f rein.FlowFunc) {
	before := w.Tweak
	w.Tweak = func(o *engine.Options) {
		if before != nil {
			before(o)
		}
		o.Flows[name] = rein.Flow{Do: f}
	}
}

func twoAsks(first, second time.Duration) rein.FlowFunc {
	return func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
		texts := make([]string, 2)
		ask := func(i int, timeout time.Duration) func(rein.Run) error {
			return func(run rein.Run) error {
				a, err := run.AskUser(rein.Question{Text: fmt.Sprint("Question ", i), Timeout: timeout})
				texts[i] = a.Text
				return err
			}
		}
		err := run.Parallel(ask(0, first), ask(1, second))
		return rein.Outcome{Text: strings.Join(texts, ",")}, err
	}
}

// The narrow places: what happens between a decision and its write, in branches, and at the edges
// of a budget.
//
// Covers: ENG-5 ENG-10 ENG-18 ENG-19 ENG-31 ENG-44 ENG-53
var narrow = []test{
	{"a run whose branches all wait is rows", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Grace = engine.NoGrace
		w.flow("two", twoAsks(0, 0))
		w.Begin()
		w.Start("r1", task("two", "hi"))
		w.UntilKind("r1", rein.RunParked)
		w.untilIdle()
	}},
	{"a run that was woken in its grace and waits again is rows", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Grace = 200 * time.Millisecond
		w.flow("two", twoAsks(0, 0))
		w.Begin()
		w.Start("r1", task("two", "hi"))
		w.UntilAsk("r1", 1)
		w.UntilAsk("r1", 2)
		w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "never mind"})
		w.UntilKind("r1", rein.RunParked)
		w.untilIdle()
	}},
	{"a run with two deadlines is due at the first", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Grace = engine.NoGrace
		w.flow("two", twoAsks(time.Hour, 48*time.Hour))
		w.Begin()
		w.Start("r1", task("two", "hi"))
		w.UntilKind("r1", rein.RunParked)
		info, err := w.Store.Run(context.Background(), "r1")
		if err != nil || time.Until(info.WakeAt) > 2*time.Hour || info.WakeAt.IsZero() {
			t.Errorf("it is due at %v %v", info.WakeAt, err)
		}
	}},
	{"a panic in a branch fails the run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.flow("fork", func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
			err := run.Parallel(func(rein.Run) error { panic("oops") }, func(rein.Run) error { return nil })
			return rein.Outcome{Text: "fine"}, err
		})
		w.Begin()
		w.Start("r1", task("fork", "hi"))
		if end := w.End("r1"); end.End != rein.EndFailed || !strings.Contains(end.Failure.Msg, "oops") {
			t.Errorf("ended as %+v", end)
		}
	}},
	{"a flow that no longer has its branches is blocked", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("pair", "go", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) { o.Flows["pair"] = rein.Flow{Do: flows.Loop} }
		w.Restart()
		w.Answer(ask, rein.AskApproved, "")
		if e := w.UntilKind("r1", rein.RunBlocked); !strings.Contains(string(e.Data), `"step":"2"`) {
			t.Errorf("blocked: %s", e.Data)
		}
	}},
	{"an interruption is recorded for steps that had not begun", func(t *testing.T, world func(string) *World) {
		w := world("when\nhang")
		w.flow("two steps", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			_, first := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 10})
			_, second := run.CallTool(rein.ToolCall{ID: "c", Name: "echo"})
			items, err := run.Inbox()
			if err != nil {
				return rein.Outcome{}, err
			}
			_, err = run.AskUser(rein.Question{Text: "Which?"})
			return rein.Outcome{Text: fmt.Sprint(rein.CodeOf(first), " ", rein.CodeOf(second), " ", len(items))}, err
		})
		w.Begin()
		w.Start("r1", task("two steps", "hi", "echo"))
		w.UntilKind("r1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "")
		w.WantEnd("r1", rein.EndDone, "interrupted interrupted 1")
		w.WantCalls(1, "")
	}},
	{"a modify that comes just before a call cuts it", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nhang\n\nwhen\nsay fine")
		var once sync.Once
		w.Tweak = func(o *engine.Options) {
			inner := o.Store
			o.Store = tap{Store: inner, before: func(run rein.RunID, d store.Draft) {
				if run != "r1" || d.Kind != rein.StepStarted {
					return
				}
				once.Do(func() {
					_, err := inner.Command(context.Background(), rein.Command{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: "new"}, now())
					if err != nil {
						t.Error(err)
					}
				})
			}}
			o.Flows["late"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
				if _, err := run.Inbox(); err != nil { // so that the run exists when the call is recorded
					return rein.Outcome{}, err
				}
				if _, err := run.Spawn(rein.Task{Flow: "once", Messages: []rein.Message{{Role: rein.User, Text: "x"}}}); err != nil {
					return rein.Outcome{}, err
				}
				return flows.Rewrite(run, task)
			}}
		}
		w.Begin()
		w.Start("r1", task("late", "old"))
		w.WantEnd("r1", rein.EndDone, "new: fine")
	}},
	{"a run that waits does not hold a shutdown up", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Tweak = func(o *engine.Options) { o.DrainGrace = time.Hour }
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		done := make(chan struct{})
		go func() { w.stop(); close(done) }()
		select {
		case <-done:
		case <-time.After(patience / 2):
			t.Fatal("the shutdown waits for a run that waits")
		}
		w.Begin()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "answered blue by ann")
	}},
	{"what is held ahead is given back while the run waits", func(t *testing.T, world func(string) *World) {
		for _, cut := range []bool{false, true} {
			w := world("when user=old\nsay Which?\nusage in=5 out=5\n\nwhen\nsay fine")
			w.Begin()
			w.Start("r1", task("rewrite", "old", "echo"))
			w.UntilAsk("r1", 1)
			if cut || w.Grace > 0 {
				w.Restart()
			} else {
				w.UntilKind("r1", rein.RunParked)
			}
			ledger, err := w.Store.Ledger(context.Background(), "r1")
			if err != nil || ledger.Used.ToolCalls != 0 || ledger.Used.DrivenMS > 45_000 { // the reserve is 30 s
				t.Errorf("the ledger of a run that waits: %+v %v", ledger.Used, err)
			}
			w.stop()
		}
	}},
	{"a closing call that the budget has room for leaves the reserve alone", func(t *testing.T, world func(string) *World) {
		w := world("when closing=yes\nsay bye\nusage in=3 out=4\n\nwhen\ncall echo {}\nusage in=1 out=2")
		w.Begin()
		w.Start("r1", with(task("loop", "go", "echo"), flows.Settings{Rounds: 1}))
		w.WantEnd("r1", rein.EndLimit, "bye")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.Tokens != 10 || ledger.Used.ToolCalls != 1 {
			t.Errorf("ledger %+v %v", ledger.Used, err)
		}
	}},
	{"a budget too small for the first step still starts and ends the run", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", budget(task("once", "hi"), func(b *rein.Budget) { b.Tokens = 20 }))
		if end := w.End("r1"); end.End != rein.EndLimit || end.Failure.Dim != "tokens" {
			t.Errorf("ended as %+v %v", end, end.Failure)
		}
	}},
	{"a run with one tool call left makes it and answers", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Begin()
		w.Start("r1", budget(task("loop", "look", "echo"), func(b *rein.Budget) { b.ToolCalls = 1 }))
		w.WantEnd("r1", rein.EndDone, "It said so.")
	}},
	{"a call gets what time there is", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Begin()
		w.Start("r1", budget(task("loop", "look", "echo"), func(b *rein.Budget) { b.DrivenMS = 30_000 }))
		w.WantEnd("r1", rein.EndDone, "It said so.")
		w.WantWithinCap("r1")
	}},
	{"a round is paid for once", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.flow("rounds", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			for _, round := range []int{1, 2, 1, 2, 2} {
				if _, err := run.CallModel(rein.Prompt{About: rein.About{Round: round}, Messages: task.Messages, MaxTokens: 5}); err != nil {
					return rein.Outcome{}, err
				}
			}
			return rein.Outcome{}, nil
		})
		w.Begin()
		w.Start("r1", task("rounds", "hi"))
		w.End("r1")
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.Rounds != 2 {
			t.Errorf("ledger %+v %v", ledger.Used, err)
		}
	}},
	{"a flow that thinks before its first step does not hold its start up", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		think := make(chan struct{})
		w.flow("think", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			<-think
			return rein.Outcome{Text: "thought"}, nil
		})
		w.Begin()
		w.startsAtOnce("r1", task("think", "hi"))
		close(think)
		w.WantEnd("r1", rein.EndDone, "thought")
	}},
	{"the log of a flow that does not heed its end does not grow", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", task("deaf", "hi"))
		w.UntilKind("r1", rein.StepDone)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.End("r1")
		stopped := 0
		for _, e := range w.Events("r1") {
			if e.Kind == rein.StepDone && strings.Contains(string(e.Data), `"code":"stopped"`) {
				stopped++
			}
		}
		if stopped > 1 {
			t.Errorf("%d steps say that the run was stopped", stopped)
		}
	}},
	{"a step that cannot be recorded blocks the run, and it can be stopped", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Tweak = func(o *engine.Options) { o.Worker.Models[""] = liar{o.Worker.Models[""]} }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.RunBlocked)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.WantEnd("r1", rein.EndStopped, "")
	}},
	{"prompts of branches do not mix", func(t *testing.T, world func(string) *World) {
		w := world("when\nsay ok")
		w.flow("talks", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			talk := task.Messages
			for range 3 { // so that the talk has room to spare
				m, err := run.CallModel(rein.Prompt{Messages: talk, MaxTokens: 5})
				if err != nil {
					return rein.Outcome{}, err
				}
				talk = append(talk[:len(talk):len(talk)], m)
			}
			var branches []func(rein.Run) error
			for i := range 4 {
				branches = append(branches, func(run rein.Run) error {
					mine := append(talk[:len(talk):len(talk)], rein.Message{Role: rein.User, Text: fmt.Sprint("branch ", i)})
					for range 3 {
						m, err := run.CallModel(rein.Prompt{Messages: mine, MaxTokens: 5})
						if err != nil {
							return err
						}
						mine = append(mine[:len(mine):len(mine)], m)
					}
					_, err := run.AskUser(rein.Question{Text: "Go on?"})
					if err != nil {
						return err
					}
					_, err = run.CallModel(rein.Prompt{About: rein.About{Phase: fmt.Sprint("branch-", i)}, Messages: mine, MaxTokens: 5})
					return err
				})
			}
			return rein.Outcome{Text: "over"}, run.Parallel(branches...)
		})
		w.Begin()
		w.Start("r1", task("talks", "hi"))
		var open []rein.Ask
		for i := range 4 {
			open = append(open, w.UntilAsk("r1", i+1))
		}
		w.Restart()
		for _, ask := range open {
			w.Answer(ask, rein.AskAnswered, "")
		}
		w.WantEnd("r1", rein.EndDone, "over")
		for _, c := range w.Model.Calls() {
			name, ok := strings.CutPrefix(c.Request.Phase, "branch-")
			if ok && c.Request.Messages[4].Text != "branch "+name {
				t.Errorf("branch %s was sent %+v", name, c.Request.Messages)
			}
		}
		w.Verify()
	}},
	{"a budget that is spent allows one closing call", func(t *testing.T, world func(string) *World) {
		for _, side := range []bool{true, false} {
			w := world("when closing=yes\nsay bye\nusage in=100 out=10\n\nwhen\nsay hello\nusage in=10 out=10")
			w.flow("closer", closer(side))
			w.Begin()
			w.Start("r1", budget(task("closer", "hi"), func(b *rein.Budget) { b.Rounds = 1 }))
			w.WantEnd("r1", rein.EndDone, "1 of 3")
			ledger, err := w.Store.Ledger(context.Background(), "r1")
			if err != nil || ledger.Used.Tokens != 130 {
				t.Errorf("ledger %+v %v", ledger.Used, err)
			}
			w.stop()
		}
	}},
	{"tokens have their price", func(t *testing.T, world func(string) *World) {
		w := world("price in=1.00 out=2.00\nwhen\nsay hello\nusage in=1000 out=100")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.End("r1")
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.Micros != 1200 {
			t.Errorf("ledger %+v %v", ledger.Used, err)
		}
	}},
	{"one call is held ahead at most, and counted once", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\nturn 2\ncall echo {}\nturn 3\nsay over")
		var most int64
		w.Model.Hook = func(rein.ModelRequest) {
			ledger, err := w.Store.Ledger(context.Background(), "r1")
			if err != nil {
				t.Error(err)
			}
			most = max(most, ledger.Used.ToolCalls)
		}
		w.flow("twice", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			p := rein.Prompt{Messages: task.Messages, Tools: task.Tools, MaxTokens: 10}
			if _, err := run.CallModel(p); err != nil { // its call is not made
				return rein.Outcome{}, err
			}
			return flows.Loop(run, task)
		})
		w.Begin()
		w.Start("r1", task("twice", "hi", "echo"))
		w.WantEnd("r1", rein.EndDone, "over")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.ToolCalls != 2 || most > 3 {
			t.Errorf("ledger %+v %v; at most %d calls were reserved", ledger.Used, err, most)
		}
	}},
	{"time is settled to what a call took", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall slow {}\ncall deploy {}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("loop", "hi", "slow", "deploy"))
		w.Answer(w.UntilAsk("r1", 1), rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "over")
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.DrivenMS < 0 || ledger.Used.DrivenMS > 5000 {
			t.Errorf("ledger %+v %v", ledger.Used, err)
		}
	}},
	{"a tool call of a new round pays for it", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.flow("rounds", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			p := rein.Prompt{About: rein.About{Round: 1}, Messages: task.Messages, Tools: task.Tools, MaxTokens: 5}
			if _, err := run.CallModel(p); err != nil {
				return rein.Outcome{}, err
			}
			_, err := run.CallTool(rein.ToolCall{About: rein.About{Round: 2}, ID: "c", Name: "echo"})
			return rein.Outcome{}, err
		})
		w.Begin()
		w.Start("r1", task("rounds", "hi", "echo"))
		w.End("r1")
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.Rounds != 2 {
			t.Errorf("ledger %+v %v", ledger.Used, err)
		}
	}},
	{"a cancel that comes with the intent keeps the call from being sent", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		w.Tweak = func(o *engine.Options) {
			inner := o.Store
			o.Store = tap{Store: inner, before: func(_ rein.RunID, d store.Draft) {
				if d.Kind != rein.StepIntent {
					return
				}
				_, err := inner.Command(context.Background(), rein.Command{Kind: rein.CommandCancel, Run: "r1", By: "ann"}, now())
				if err != nil {
					t.Error(err)
				}
			}}
		}
		w.Begin()
		w.Start("r1", task("loop", "go", "send"))
		w.End("r1")
		w.WantCalls(1, "")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolSkipped {
			t.Errorf("result %+v", got.Result)
		}
	}},
	{"what was approved and then stopped is not run", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("deploy"))
		w.Begin()
		w.Start("r1", task("loop", "go", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.stop()
		s, err := w.Parts.Open(t, w.dir, w.committed)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []rein.Command{
			ask.Reply(rein.Answer{State: rein.AskApproved, By: "ann"}),
			{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: "wait"},
		} {
			if _, err := s.Command(context.Background(), c, now()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		w.Begin()
		w.End("r1")
		w.WantCalls(1, "")
	}},
	{"a tool that is gone or has changed leaves an unknown outcome to a person", func(t *testing.T, world func(string) *World) {
		for name, change := range map[string]func(map[string]rein.Tool){
			"gone":    func(tools map[string]rein.Tool) { delete(tools, "add") },
			"changed": func(tools map[string]rein.Tool) { tool := tools["add"]; tool.Effect = rein.Unsafe; tools["add"] = tool },
		} {
			w := world(callOnce("add"))
			w.Tools.Hold("add")
			w.Begin()
			w.Start("r1", task("loop", "go", "add"))
			w.Tools.Started(w)
			w.Kill()
			w.Tweak = func(o *engine.Options) { change(o.Worker.Tools) }
			w.Begin()
			ask := w.UntilAsk("r1", 1)
			if ask.Kind != rein.AskUnknown {
				t.Errorf("%s: ask %+v", name, ask)
			}
			w.Answer(ask, rein.AskAnswered, rein.ItHappened)
			w.End("r1")
			w.WantCalls(1+len(w.Model.Calls())-1, "add=1")
			w.stop()
		}
	}},
	{"a call that is not pure and whose commit failed is unknown", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		w.Tweak = func(o *engine.Options) {
			send := o.Worker.Tools["send"]
			send.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
				return rein.Done{Commit: func(context.Context, rein.Tx) error { return errors.New("the list is full") }}, nil
			}
			o.Worker.Tools["send"] = send
		}
		w.Begin()
		w.Start("r1", task("loop", "go", "send"))
		w.End("r1")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolUnknown {
			t.Errorf("result %+v", got.Result)
		}
	}},
}

// closer spends its one round and then tries to close three times.
func closer(side bool) rein.FlowFunc {
	return func(run rein.Run, task rein.Task) (rein.Outcome, error) {
		for round := 1; round <= 2; round++ {
			p := rein.Prompt{About: rein.About{Round: round}, Messages: task.Messages, MaxTokens: 50}
			if _, err := run.CallModel(p); errors.Is(err, rein.ErrBudget) != (round == 2) {
				return rein.Outcome{}, fmt.Errorf("round %d: %w", round, err)
			}
		}
		closed := make([]int, 3)
		var branches []func(rein.Run) error
		for i := range closed {
			branches = append(branches, func(run rein.Run) error {
				_, err := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 50, Closing: true})
				if err == nil {
					closed[i] = 1
				}
				return nil
			})
		}
		if side {
			_ = run.Parallel(branches...)
		} else {
			for _, branch := range branches {
				_ = branch(run)
			}
		}
		return rein.Outcome{Text: fmt.Sprint(closed[0]+closed[1]+closed[2], " of 3")}, nil
	}
}

// liar is a model that reports more than any ledger can hold.
type liar struct{ rein.Model }

func (l liar) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	reply, err := l.Model.Generate(ctx, r, show)
	reply.Usage = &rein.Usage{Input: 1 << 60}
	return reply, err
}
