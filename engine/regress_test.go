package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// What a hostile review found, one test each.

func rtask(flow, text string, tools ...string) rein.Task {
	return rein.Task{Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: tools}
}

// spy is a store that a test can step into.
type spy struct {
	engine.Store
	claim  func(rein.RunID)
	before func(store.Batch)
	after  func(store.Batch)
}

func (s spy) Claim(ctx context.Context, run rein.RunID, now time.Time) (rein.RunInfo, bool, error) {
	if s.claim != nil {
		s.claim(run)
	}
	return s.Store.Claim(ctx, run, now)
}

func (s spy) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	if s.before != nil {
		s.before(b)
	}
	e, err := s.Store.Append(ctx, b)
	if err == nil && s.after != nil {
		s.after(b)
	}
	return e, err
}

// A start that nobody takes up any more comes back.
func TestStartDuringShutdownReturns(t *testing.T) {
	for round := range 12 {
		s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
		if err != nil {
			t.Fatal(err)
		}
		e, err := engine.New(engine.Options{
			Store: s, Flows: flows.All(), Dispatch: &local.Dispatcher{}, Grace: engine.NoGrace,
			Worker: &work.Worker{Models: map[string]rein.Model{"": chance{}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		go func() { served <- e.Serve(ctx) }()
		var wg sync.WaitGroup
		var started atomic.Int64
		for i := range 8 {
			wg.Go(func() {
				for j := range 20 {
					_, _ = e.Start(context.Background(), rein.RunID(fmt.Sprintf("r%d-%d", i, j)), rtask("ask", ""))
					started.Add(1)
				}
			})
		}
		for started.Load() < int64(10*round) {
			runtime.Gosched()
		}
		cancel()
		<-served
		done := make(chan struct{})
		go func() { wg.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(3 * time.Second):
			t.Fatalf("round %d: Start hangs after Serve has returned", round)
		}
		s.Close()
	}
}

// A late hint for an ended run does not make anybody wait for its end.
func TestWaitOnEndedRunReturns(t *testing.T) {
	w := enginetest.Prepare(t, parts, engine.NoGrace, "when\nsay hello")
	claiming, goon := make(chan struct{}, 10), make(chan struct{})
	var armed atomic.Bool
	w.Tweak = func(o *engine.Options) {
		o.Store = spy{Store: o.Store, claim: func(rein.RunID) {
			if armed.Load() {
				claiming <- struct{}{}
				<-goon
			}
		}}
	}
	w.Begin()
	w.Start("r1", rtask("once", "hi"))
	w.End("r1")
	for w.Engine.Live() > 0 {
		runtime.Gosched()
	}
	armed.Store(true)
	w.Options.Dispatch.Wake("r1") // a late hint, as any command that raced the end leaves behind
	<-claiming
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := w.Engine.Wait(ctx, "r1"); err != nil {
		t.Errorf("wait for a run that has ended: %v", err)
	}
	close(goon)
}

// A text that takes six times its length in JSON is still recorded.
func TestTextThatGrowsInJSON(t *testing.T) {
	for name, text := range map[string]string{"nul": strings.Repeat("\x00", 4<<20)} {
		t.Run(name, func(t *testing.T) {
			w := enginetest.Prepare(t, parts, time.Minute, "turn 1\ncall flood {}\nturn 2\nsay over")
			w.Tweak = func(o *engine.Options) {
				f := o.Worker.Tools["flood"]
				f.Do = func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: text}, nil }
				o.Worker.Tools["flood"] = f
			}
			w.Begin()
			w.Start("r1", rtask("loop", "go", "flood"))
			e := w.Until("end or block", func(e rein.Event) bool { return e.Kind.Ends() || e.Kind == rein.RunBlocked })
			if !e.Kind.Ends() {
				t.Errorf("run is %s %s", e.Kind, e.Data)
			}
		})
	}
}

// Children are cancelled for what the log holds, not for a reply that a crash can take back.
func TestChildrenAreReapedForWhatIsDurable(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "when attempt=1\nsay leave\n\nwhen\nsay stay")
	var dead atomic.Bool
	w.Tweak = func(o *engine.Options) {
		o.Flows["mind"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			id, err := run.Spawn(rein.Task{Flow: "ask"})
			if err != nil {
				return rein.Outcome{}, err
			}
			m, err := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 50})
			if err != nil || m.Text == "leave" {
				return rein.Outcome{Text: m.Text}, err
			}
			out, err := run.Wait(id)
			return rein.Outcome{Text: m.Text + " " + string(out.End)}, err
		}}
		if !dead.Load() {
			o.Store = killer{Store: o.Store, dead: &dead}
		}
	}
	asked := make(chan struct{})
	w.Model.Hook = func(rein.ModelRequest) { <-asked } // the child is to have opened its ask by then
	w.Begin()
	w.Start("r1", rtask("mind", "hi"))
	ask := w.UntilAsk("r1.1", 1)
	close(asked)
	w.Until("the cancel or the end", func(e rein.Event) bool {
		return e.Run == "r1.1" && e.Kind == rein.CommandCancel.EventKind()
	})
	w.Kill()
	w.Begin()
	_, _ = w.Engine.Command(t.Context(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "x", By: "ann"}))
	end := w.End("r1")
	if end.Text == "stay cancelled" {
		w.Dump()
		t.Errorf("the child was cancelled because of a reply that the log does not hold: %+v", end)
	}
}

// killer dies right after a command to a child.
type killer struct {
	engine.Store
	dead *atomic.Bool
}

func (k killer) Command(ctx context.Context, c rein.Command, at time.Time) (rein.Receipt, error) {
	if c.Kind == rein.CommandCancel {
		k.dead.Store(true)
	}
	return k.Store.Command(ctx, c, at)
}

func (k killer) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	if k.dead.Load() {
		return nil, rein.Errorf(rein.CodeUnavailable, "dead")
	}
	return k.Store.Append(ctx, b)
}

// An ask that would open after an unread modify does not stay open for nobody.
func TestAskAfterModifyIsNotLeftOpen(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "when user=old\nsay Which?\n\nwhen\nhang")
	var once sync.Once
	w.Tweak = func(o *engine.Options) {
		inner := o.Store
		o.Store = spy{Store: inner, before: func(b store.Batch) {
			for _, d := range b.Drafts {
				if d.Opens != nil {
					once.Do(func() {
						_, err := inner.Command(context.Background(), rein.Command{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: "new"}, time.Now())
						if err != nil {
							t.Error(err)
						}
					})
				}
			}
		}}
	}
	w.Begin()
	w.Start("r1", rtask("rewrite", "old"))
	w.Until("the model call on the new content", func(e rein.Event) bool { return e.Kind == rein.StepStarted && e.Step == "4" || e.Step == "5" })
	open, err := w.Store.Asks(t.Context(), store.AskFilter{Pending: true})
	if err != nil || len(open) > 0 {
		w.Dump()
		t.Errorf("still open: %+v %v", open, err)
	}
}

// Declining an unknown outcome never runs the call again, whatever text comes with it.
func TestDecliningIsNotRunningAgain(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "turn 1\ncall send {}\nturn 2\nsay over")
	w.Tools.Hold("send")
	w.Begin()
	w.Start("r1", rtask("loop", "go", "send"))
	w.Tools.Started(w)
	w.Kill()
	w.Begin()
	w.Answer(w.UntilAsk("r1", 1), rein.AskDeclined, rein.RunAgain)
	w.End("r1")
	w.WantCalls(2, "send=1")
}

// A message that is sent again does not reach the next run of the session as well.
func TestSayingAgainIsSayingOnce(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "when\nsay hello")
	w.Begin()
	ctx := t.Context()
	first := rein.Task{Flow: "ask", Session: "s1"}
	if _, err := w.Engine.Say(ctx, "m1", first, "ann", "hi"); err != nil {
		t.Fatal(err)
	}
	ask := w.UntilAsk("m1", 1)
	r, err := w.Engine.Say(ctx, "m2", first, "ann", "and more")
	if err != nil {
		t.Fatal(err)
	}
	w.Answer(ask, rein.AskAnswered, "blue")
	w.End("m1")
	again, err := w.Engine.Say(ctx, "m2", first, "ann", "and more") // the answer to the first was lost on the way
	if err != nil || !again.Again || again.Command != r.Command {
		t.Errorf("first %+v, again %+v %v", r, again, err)
	}
}

var _ = json.Marshal

var _ dispatch.Dispatcher

// The reserve pays for one closing call.
func TestReserveIsSpentOnce(t *testing.T) {
	for _, side := range []bool{true, false} {
		t.Run(fmt.Sprint("side by side ", side), func(t *testing.T) {
			w := enginetest.Prepare(t, parts, time.Minute, "when closing=yes\nsay bye\nusage in=100 out=10\n\nwhen\nsay hello\nusage in=10 out=10")
			w.Tweak = func(o *engine.Options) {
				o.Flows["closer"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
					p := rein.Prompt{Messages: task.Messages, MaxTokens: 50}
					p.Round = 1
					if _, err := run.CallModel(p); err != nil {
						return rein.Outcome{}, err
					}
					p.Round = 2
					if _, err := run.CallModel(p); !errors.Is(err, rein.ErrBudget) {
						return rein.Outcome{}, fmt.Errorf("not spent: %w", err)
					}
					c := rein.Prompt{Messages: task.Messages, MaxTokens: 50, Closing: true}
					ok := make([]bool, 3)
					if side {
						var fs []func(rein.Run) error
						for i := range ok {
							fs = append(fs, func(run rein.Run) error { _, err := run.CallModel(c); ok[i] = err == nil; return nil })
						}
						_ = run.Parallel(fs...)
					} else {
						for i := range ok {
							_, err := run.CallModel(c)
							ok[i] = err == nil
						}
					}
					return rein.Outcome{Text: fmt.Sprint(ok)}, nil
				}}
			}
			w.Begin()
			task := rtask("closer", "hi")
			b := rein.DefaultBudget()
			b.Rounds = 1
			task.Budget = &b
			w.Start("r1", task)
			end := w.End("r1")
			l, _ := w.Store.Ledger(t.Context(), "r1")
			if strings.Count(end.Text, "true") != 1 {
				t.Errorf("closing calls that worked: %s; the ledger has %d tokens, the provider counted %d", end.Text, l.Used.Tokens, 20+110*strings.Count(end.Text, "true"))
			}
		})
	}
}

// An unknown outcome is remembered although the repeated call failed.
func TestUnknownOutcomeIsRemembered(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "turn 1\ncall slowsend {}\nturn 2\ncall slowsend {}\nturn 3\ncall slowsend {}\nturn 4\nsay over")
	var n atomic.Int64
	w.Tweak = func(o *engine.Options) {
		f := o.Worker.Tools["slowsend"]
		f.Do = func(ctx context.Context, _ rein.Invocation) (rein.Done, error) {
			switch n.Add(1) {
			case 1:
				<-ctx.Done() // may have happened
				return rein.Done{}, ctx.Err()
			case 2:
				return rein.Done{}, errors.New("no route to host") // certainly did not
			}
			return rein.Done{Text: "sent"}, nil
		}
		o.Worker.Tools["slowsend"] = f
	}
	w.Begin()
	w.Start("r1", rtask("loop", "go", "slowsend"))
	w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, rein.RunAgain)
	e := w.Until("second ask or end", func(e rein.Event) bool { return e.Kind.Ends() || e.Kind == rein.AskOpened && e.Step != "4.unknown" })
	if e.Kind.Ends() {
		t.Errorf("the first call is still unknown, and the third was sent without a word: %d calls", n.Load())
	}
}

// A key belongs to the arguments that were sent, not to those that were asked for.
func TestEditedCallsKeepTheirOwnKeys(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "turn 1\ncall slowadd {\"n\":1}\nturn 2\ncall slowadd {\"n\":1}\nturn 3\nsay over")
	var mu sync.Mutex
	done := map[string]string{} // what happened, by key: an idempotent service
	var n int
	w.Tweak = func(o *engine.Options) {
		f := o.Worker.Tools["slowadd"]
		f.Approval = true
		f.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			mu.Lock()
			n++
			first := n == 1
			if _, ok := done[inv.Key]; !ok {
				done[inv.Key] = string(inv.Args)
			}
			mu.Unlock()
			if first {
				<-ctx.Done()
				return rein.Done{}, ctx.Err()
			}
			return rein.Done{Text: "added"}, nil
		}
		o.Worker.Tools["slowadd"] = f
	}
	w.Begin()
	w.Start("r1", rtask("loop", "go", "slowadd"))
	ask := w.UntilAsk("r1", 1)
	w.Send(ask.Reply(rein.Answer{State: rein.AskEdited, Args: []byte(`{"n":2}`), By: "ann"}))
	w.Answer(w.UntilAsk("r1", 2), rein.AskApproved, "")
	w.End("r1")
	mu.Lock()
	defer mu.Unlock()
	if len(done) != 2 {
		t.Errorf("n=2 and n=1 were approved; what happened: %v", done)
	}
}

// A failure is told live as it is told on replay.
func TestFailureIsTheSameOnReplay(t *testing.T) {
	w := enginetest.Prepare(t, parts, engine.NoGrace, "when\nsay hello")
	var said []string
	var mu sync.Mutex
	w.Tweak = func(o *engine.Options) {
		o.Worker.Models[""] = broken{}
		o.Flows["teller"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
			_, err := run.CallModel(rein.Prompt{Messages: task.Messages, MaxTokens: 50})
			mu.Lock()
			said = append(said, fmt.Sprint(err))
			mu.Unlock()
			_, err2 := run.AskUser(rein.Question{Text: "?"})
			return rein.Outcome{Text: fmt.Sprint(err)}, err2
		}}
	}
	w.Begin()
	w.Start("r1", rtask("teller", "hi"))
	w.UntilAsk("r1", 1)
	w.Restart()
	w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, "")
	w.End("r1")
	mu.Lock()
	defer mu.Unlock()
	for _, s := range said[1:] {
		if s != said[0] {
			t.Errorf("live %q, replayed %q", said[0], s)
		}
	}
}

type broken struct{ chance }

func (broken) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	return rein.ModelReply{}, rein.Errorf(rein.CodeProvider, "bad gateway \xff\xfe")
}

type chatty struct{ chance }

func (chatty) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	return rein.ModelReply{}, rein.Errorf(rein.CodeProvider, "bad gateway %s", strings.Repeat("<html>", 3<<20))
}

// An error of many megabytes does not block the run.
func TestHugeFailureIsRecorded(t *testing.T) {
	w := enginetest.Prepare(t, parts, engine.NoGrace, "when\nsay hello")
	w.Tweak = func(o *engine.Options) { o.Worker.Models[""] = chatty{} }
	w.Begin()
	w.Start("r1", rtask("once", "hi"))
	e := w.Until("end or block", func(e rein.Event) bool { return e.Kind.Ends() || e.Kind == rein.RunBlocked })
	if !e.Kind.Ends() {
		t.Errorf("%s %s", e.Kind, e.Data)
	}
}

// A second Serve is refused and takes no run away from the first.
func TestSecondServeTakesNothingAway(t *testing.T) {
	w := enginetest.Prepare(t, parts, engine.NoGrace, "when\nsay hello")
	w.Begin()
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = w.Engine.Serve(context.Background())
			}
		}
	}()
	done := make(chan struct{})
	go func() {
		for i := range 300 {
			_, _ = w.Engine.Start(context.Background(), rein.RunID(fmt.Sprint("r", i)), rtask("once", "hi"))
		}
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Error("Start hangs")
	}
	close(stop)
}

// A run that is claimed as the engine shuts down is due again.
func TestClaimedAtShutdownIsHandedOver(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var armed atomic.Bool
	e, err := engine.New(engine.Options{
		Flows: flows.All(), Dispatch: &local.Dispatcher{}, Grace: engine.NoGrace,
		Store: claimSpy{s, func() {
			if armed.Load() {
				cancel()
			}
		}},
		Worker: &work.Worker{Models: map[string]rein.Model{"": chance{}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	if _, err := e.Start(context.Background(), "r1", rtask("ask", "")); err != nil {
		t.Fatal(err)
	}
	until(t, s, "r1", waiting)
	for e.Live() > 0 {
		runtime.Gosched()
	}
	ask, err := s.Ask(context.Background(), "r1:1.ask")
	if err != nil {
		t.Fatal(err)
	}
	armed.Store(true)
	if _, err := e.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "x", By: "ann"})); err != nil {
		t.Fatal(err)
	}
	<-served
	due, _, _ := s.Due(context.Background(), time.Now().Add(time.Hour), 10)
	info, _ := s.Run(context.Background(), "r1")
	if len(due) == 0 && !info.Status.Ended() {
		t.Errorf("nobody will drive it: %+v", info)
	}
}

type claimSpy struct {
	engine.Store
	after func()
}

func (c claimSpy) Claim(ctx context.Context, run rein.RunID, now time.Time) (rein.RunInfo, bool, error) {
	i, ok, err := c.Store.Claim(ctx, run, now)
	c.after()
	return i, ok, err
}

// A parent that waits gives the only place to its child.
func TestParentWaitsWithOnePlace(t *testing.T) {
	p := parts
	p.Dispatcher = func(int) dispatch.Dispatcher { return &local.Dispatcher{Sweep: time.Hour, Limit: 1} }
	w := enginetest.Prepare(t, p, 100*time.Millisecond, "when\nsay hello")
	w.Begin()
	settings, _ := json.Marshal(flows.Settings{Children: []rein.Task{rtask("once", "a"), rtask("once", "b")}})
	task := rtask("family", "hi")
	task.Settings = settings
	began := time.Now()
	w.Start("r1", task)
	w.WantEnd("r1", rein.EndDone, "done hello,done hello")
	t.Log(time.Since(began))
}

// However long its ID, an ask of a run can expire.
func TestAskExpiresInARunWithALongID(t *testing.T) {
	w := enginetest.Prepare(t, parts, time.Minute, "when\nsay hello")
	w.Tweak = func(o *engine.Options) {
		var deep func(run rein.Run, left int, f func(rein.Run) error) error
		deep = func(run rein.Run, left int, f func(rein.Run) error) error {
			if left == 0 {
				return f(run)
			}
			return run.Parallel(func(run rein.Run) error { return deep(run, left-1, f) })
		}
		o.Flows["nest"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (out rein.Outcome, err error) {
			err = deep(run, 15, func(run rein.Run) error {
				child := rein.Task{Flow: "nest", Language: task.Language + "x"}
				if len(child.Language) == 3 {
					child = rein.Task{Flow: "ask", Settings: []byte(`{"question":{"text":"Quick?","timeout":1000000}}`)}
				}
				id, err := run.Spawn(child)
				if err != nil {
					return err
				}
				out, err = run.Wait(id)
				return err
			})
			return out, err
		}}
		o.Flows["tooDeep"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (out rein.Outcome, err error) {
			err = deep(run, 16, func(run rein.Run) error {
				_, err := run.Spawn(rein.Task{Flow: "once"})
				out.Text = fmt.Sprint(err)
				return nil
			})
			return out, err
		}}
	}
	w.Begin()
	task := rein.Task{Flow: "nest"}
	b := rein.DefaultBudget()
	b.Depth = 8
	task.Budget = &b
	id := rein.RunID(strings.Repeat("r", 64))
	w.Start(id, task)
	e := w.Until("end or block", func(e rein.Event) bool { return e.Kind == rein.RunBlocked || e.Run == id && e.Kind.Ends() })
	if !e.Kind.Ends() {
		t.Errorf("%s %s", e.Kind, e.Data)
	}
	w.Start("r2", rein.Task{Flow: "tooDeep"})
	e = w.Until("end or block", func(e rein.Event) bool { return e.Run == "r2" && (e.Kind == rein.RunBlocked || e.Kind.Ends()) })
	if !e.Kind.Ends() {
		t.Errorf("%s %s", e.Kind, e.Data)
	}
}

// Nothing grows with the runs that have ended.
func TestNoGoroutineIsLeft(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		w := enginetest.Prepare(t, parts, 50*time.Millisecond, "when\nsay hello")
		w.Begin()
		for i := range 100 {
			w.Start(rein.RunID(fmt.Sprint("a", i)), rtask("once", "hi"))
			w.Start(rein.RunID(fmt.Sprint("b", i)), rtask("ask", "hi"))
		}
		for i := range 100 {
			w.End(rein.RunID(fmt.Sprint("a", i)))
		}
		w.Kill()
	}
	for deadline := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before+5; runtime.Gosched() {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, were %d\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}

// A thousand people may talk to one run at once.
func TestThousandMessages(t *testing.T) {
	w := enginetest.Prepare(t, parts, engine.NoGrace, "when\nsay hello")
	w.Begin()
	w.Start("r1", rtask("ask", "hi"))
	ask := w.UntilAsk("r1", 1)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			for j := range 50 {
				w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: fmt.Sprint(i, " ", j)})
			}
		})
	}
	wg.Wait()
	w.Answer(ask, rein.AskAnswered, "blue")
	w.End("r1")
	receipts, err := w.Store.Receipts(t.Context(), "r1")
	started := 0
	for _, r := range receipts {
		if r.State == rein.ReceiptStarted {
			started++
		}
	}
	if err != nil || started != 1000 {
		t.Errorf("%d of 1000 messages started the next run: %v", started, err)
	}
}
