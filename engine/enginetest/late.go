package enginetest

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/store"
)

// meanwhile sends commands while nobody serves.
func (w *World) meanwhile(commands ...rein.Command) {
	w.Helper()
	s, err := w.Parts.Open(w.T, w.dir, w.committed)
	if err != nil {
		w.Fatal(err)
	}
	for _, c := range commands {
		if _, err := s.Command(context.Background(), c, now()); err != nil {
			w.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		w.Fatal(err)
	}
}

// Covers: ENG-3 ENG-10 ENG-19 ENG-20 ENG-50
var late = []test{
	{"an answer counts although a stop came after it", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", askTask(rein.Question{}))
		ask := w.UntilAsk("r1", 1)
		w.stop()
		w.meanwhile(
			ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"}),
			rein.Command{Kind: rein.CommandStop, Run: "r1", By: "ann"},
		)
		w.Begin()
		w.WantEnd("r1", rein.EndStopped, "answered blue by ann")
		if got := w.stepEnd("r1", "1"); got.Answer.State != rein.AskAnswered || got.Failure != nil {
			t.Errorf("step %+v", got)
		}
	}},
	{"a call that was run again and worked is not asked about any more", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall slowsend {}\nturn 2\ncall slowsend {}\nturn 3\ncall slowsend {}\nturn 4\nsay over")
		w.Tools.Hold("slowsend")
		w.Begin()
		w.Start("r1", task("loop", "go", "slowsend"))
		ask := w.UntilAsk("r1", 1)
		w.Tools.Release()
		w.Answer(ask, rein.AskAnswered, rein.RunAgain)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(4, "slowsend=3")
		if n := count(w.Events("r1"), rein.AskOpened); n != 1 {
			t.Errorf("%d asks", n)
		}
	}},
	{"what is held ahead is given back at the end", func(t *testing.T, world func(string) *World) {
		w := world("when\nsay hello\nusage in=1 out=1")
		w.Begin()
		w.Start("r1", task("loop", "hi", "echo"))
		w.WantEnd("r1", rein.EndDone, "hello")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.ToolCalls != 0 || ledger.Used.DrivenMS > 5000 {
			t.Errorf("ledger %+v %v", ledger.Used, err)
		}
	}},
	{"a child inherits, and the next run knows the one before", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Tweak = func(o *engine.Options) { o.Worker.Models["other"] = o.Worker.Models[""] }
		w.Begin()
		parent := family(task("tell", "hi"))
		parent.Zone, parent.Language, parent.Model, parent.User = "Europe/Amsterdam", "nl", "other", "ann"
		w.Start("r1", parent)
		ask := w.UntilAsk("r1.1", 1)
		child := w.started("r1.1").Task
		if child.Zone != parent.Zone || child.Language != "nl" || child.Model != "other" || child.User != "ann" || child.Session != "r1" {
			t.Errorf("the child's task is %+v", child)
		}
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "and then?"})
		w.Answer(ask, rein.AskAnswered, "")
		w.End("r1")
		next := w.receipt("r1", receipt.Command).Started
		if got := w.started(next); got.After != "r1" || got.Task.Zone != parent.Zone || got.Task.User != "ann" {
			t.Errorf("the next run's start is %+v", got)
		}
	}},
	{"a modify that comes while another is read interrupts again", func(t *testing.T, world func(string) *World) {
		w := world("when user=old\nhang\n\nwhen\nsay fine")
		var once sync.Once
		w.Tweak = func(o *engine.Options) {
			inner := o.Store
			o.Store = tap{Store: inner, before: func(_ rein.RunID, d store.Draft) {
				if end, ok := d.Data.(*rein.StepEnd); !ok || len(end.Items) == 0 {
					return
				}
				once.Do(func() {
					_, err := inner.Command(context.Background(), rein.Command{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: "newest"}, now())
					if err != nil {
						t.Error(err)
					}
				})
			}}
		}
		w.Begin()
		w.Start("r1", task("rewrite", "old"))
		w.UntilKind("r1", rein.StepStarted)
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "new"})
		w.WantEnd("r1", rein.EndDone, "newest: fine")
	}},
	{"much mail is read in parts, and a message has its limit", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		hold := w.holdModel(1)
		w.flow("mail", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			if _, err := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 5}); err != nil {
				return rein.Outcome{}, err
			}
			first, err := run.Inbox()
			if err != nil {
				return rein.Outcome{}, err
			}
			second, err := run.Inbox()
			return rein.Outcome{Text: fmt.Sprint(len(first), len(second))}, err
		})
		w.Begin()
		w.Start("r1", task("mail", "hi"))
		hold.entered(w)
		long := strings.Repeat("x", 1<<20)
		for range 3 {
			w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: long})
		}
		_, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandMessage, Run: "r1", By: "ann", Text: long + "x"})
		if rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("a message that is too long: %v", err)
		}
		hold.release()
		w.WantEnd("r1", rein.EndDone, "2 1")
		w.Verify()
	}},
	{"a message is for the run and not for a branch", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		hold := w.holdModel(1)
		w.flow("branches", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			if _, err := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 5}); err != nil {
				return rein.Outcome{}, err
			}
			n := make([]int, 2)
			err := run.Parallel(func(run rein.Run) error {
				items, err := run.Inbox()
				n[0] = len(items)
				return err
			})
			if err != nil {
				return rein.Outcome{}, err
			}
			items, err := run.Inbox()
			n[1] = len(items)
			return rein.Outcome{Text: fmt.Sprint(n)}, err
		})
		w.Begin()
		w.Start("r1", task("branches", "hi"))
		hold.entered(w)
		w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "psst"})
		hold.release()
		w.WantEnd("r1", rein.EndDone, "[0 1]")
	}},
	{"a run that is started when every place is taken starts all the same", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.Dispatch = w.Parts.Dispatcher(1) }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepStarted)
		w.startsAtOnce("r2", task("once", "hi"))
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r2"})
		w.End("r2")
	}},
	{"a child that is spawned as the engine shuts down is driven by the next", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		spawned, goon := make(chan struct{}), make(chan struct{})
		var once sync.Once
		w.Tweak = func(o *engine.Options) {
			o.Store = tap{Store: o.Store, after: func(_ rein.RunID, d store.Draft) {
				if d.Starts != nil {
					once.Do(func() { close(spawned); <-goon })
				}
			}}
		}
		w.flow("late", func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			if _, err := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 5}); err != nil { // so that the spawn is a write of its own
				return rein.Outcome{}, err
			}
			return flows.Family(run, task)
		})
		w.Begin()
		late := family(task("once", "hi"))
		late.Flow = "late"
		w.Start("r1", late)
		<-spawned
		done := make(chan struct{})
		go func() { w.stop(); close(done) }()
		for w.Options.Dispatch.Here() {
			runtime.Gosched()
		}
		close(goon)
		<-done
		w.wantDue("r1.2")
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "done hello")
	}},
}

// startsAtOnce wants a start to come back, whatever its flow does.
func (w *World) startsAtOnce(id rein.RunID, t rein.Task) {
	w.Helper()
	started := make(chan error, 1)
	go func() {
		_, err := w.Engine.Start(context.Background(), id, t)
		started <- err
	}()
	select {
	case err := <-started:
		if err != nil {
			w.Error(err)
		}
	case <-time.After(patience / 2):
		w.Errorf("the start of run %s does not come back", id)
	}
}

// wantDue wants a run to be parked and due, with the store closed.
func (w *World) wantDue(run rein.RunID) {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e.Run == run && e.Kind == rein.RunParked {
			return
		}
	}
	w.Errorf("run %s was not handed over", run)
}

// started returns the payload of a run's first event.
func (w *World) started(run rein.RunID) rein.RunStart {
	w.Helper()
	start, err := rein.Payload[rein.RunStart](w.Events(run)[0])
	if err != nil {
		w.Fatal(err)
	}
	return start
}
