package replay_test

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/model/script"
	"rein/replay"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

const payScript = `
when phase=act results=0
call look {}
when phase=act results=1
call pay {"n":1}
when phase=act results=2
call pay {"n":2}
when
say over
`

// A world has a flow with a tool that may be run once only, which counts.
type world struct {
	engine *engine.Engine
	flows  map[string]rein.Flow
	store  *sqlite.Store
	worker *work.Worker
	forks  *replay.Forks
	paid   atomic.Int64
	looked atomic.Int64
	signed atomic.Int64
	letter atomic.Value  // that is to be signed
	held   atomic.Bool   // whoever pays waits
	unsure atomic.Bool   // nobody knows whether it was paid
	free   chan struct{} // until then
}

func newWorld(t *testing.T) *world { return worldWith(t, func(s store.Store) store.Store { return s }) }

// worldWith is a world whose forks read what between returns.
func worldWith(t *testing.T, between func(store.Store) store.Store) *world {
	t.Helper()
	w := &world{free: make(chan struct{})}
	model, err := script.Parse("model", []byte(payScript))
	if err != nil {
		t.Fatal(err)
	}
	w.worker = &work.Worker{Models: map[string]rein.Model{"": model}, Tools: map[string]rein.Tool{
		"look": {Name: "look", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			w.looked.Add(1)
			return rein.Done{Text: "seen"}, nil
		}},
		"pay": {Name: "pay", Effect: rein.Unsafe, Approval: true, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			w.paid.Add(1)
			if w.held.Load() {
				<-w.free
			}
			if w.unsure.Load() {
				return rein.Done{}, rein.ErrOutcomeUnknown
			}
			return rein.Done{Text: "paid"}, nil
		}},
		"sign": {
			Name: "sign", Effect: rein.Unsafe, Approval: true, Pinned: []string{"shown"},
			Show: func(context.Context, rein.Invocation) (rein.Shown, error) {
				return rein.Shown{Text: "a letter", Pin: map[string]string{"shown": w.letter.Load().(string)}}, nil
			},
			Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
				w.signed.Add(1)
				return rein.Done{Text: string(inv.Args)}, nil
			},
		},
	}}
	w.letter.Store("first")
	if w.store, err = sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	w.forks = &replay.Forks{Store: between(w.store), Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) { return w.engine.Command(ctx, c) }}
	w.forks.Wrap(w.worker)
	flows := flow.All()
	w.flows = flows
	flows["family"], flows["beside"], flows["signing"], flows["talk"], flows["paying"] = rein.Flow{Do: family}, rein.Flow{Do: beside}, rein.Flow{Do: signing}, rein.Flow{Do: talk}, rein.Flow{Do: paying}
	if w.engine, err = engine.New(engine.Options{Store: w.store, Flows: flows, Worker: w.worker, Dispatch: &local.Dispatcher{}, Began: w.forks.Began, Precedent: w.forks.Precedent}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- w.engine.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		w.store.Close()
	})
	return w
}

// run starts a run and waits for its end. Approvals are given by the policy.
func (w *world) run(t *testing.T, id rein.RunID, task rein.Task) []rein.Event {
	t.Helper()
	if _, err := w.engine.Start(context.Background(), id, task); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := w.engine.Wait(ctx, id); err != nil {
		t.Fatal(err)
	}
	var log []rein.Event
	for e, err := range w.store.Events(context.Background(), id, 0) {
		if err != nil {
			t.Fatal(err)
		}
		log = append(log, e)
	}
	return log
}

func payTask() rein.Task {
	return rein.Task{
		Flow: "operate", Tools: []string{"look", "pay"}, Policy: rein.Policy{Allow: []string{"pay"}},
		Messages: []rein.Message{{Role: rein.User, Text: "go"}},
	}
}

// stepOf finds the step of the nth result.
func stepOf(log []rein.Event, text string, n int) rein.StepKey {
	for _, e := range log {
		if e.Kind == rein.StepDone && strings.Contains(string(e.Data), text) {
			if n--; n == 0 {
				return e.Step
			}
		}
	}
	return ""
}

// Before the step of a fork nothing is run again; after it a tool that may change something is run
// only if it is allowed.
//
// Covers: LAW-3
func TestForkRunsNothingTwice(t *testing.T) {
	w := newWorld(t)
	log := w.run(t, "run-one", payTask())
	if w.paid.Load() != 2 || w.looked.Load() != 1 {
		t.Fatalf("paid %d, looked %d", w.paid.Load(), w.looked.Load())
	}
	tape, err := replay.Record(context.Background(), w.store, "run-one", w.worker, rein.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	second := stepOf(log, `"text":"paid"`, 2)
	for _, c := range []struct {
		id    rein.RunID
		allow []string
		paid  int64
	}{{"fork-stubbed", nil, 2}, {"fork-allowed", []string{"pay"}, 3}} {
		task, err := replay.Fork(tape, second, nil, c.allow)
		if err != nil {
			t.Fatal(err)
		}
		log := w.run(t, c.id, task)
		if w.paid.Load() != c.paid || w.looked.Load() != 1 {
			t.Errorf("%s: paid %d, want %d; looked %d", c.id, w.paid.Load(), c.paid, w.looked.Load())
		}
		if stubbed := stepOf(log, "was not run: this run is a fork", 1); (stubbed == second) != (c.allow == nil) {
			t.Errorf("%s: the call was stubbed at step %q", c.id, stubbed)
		}
		if end := log[len(log)-1]; end.Kind != rein.RunCompleted {
			t.Errorf("%s: %s %s", c.id, end.Kind, end.Data)
		}
	}
}

// Nobody forks another's run.
func TestForkOfAnother(t *testing.T) {
	w := newWorld(t)
	task := payTask()
	task.User = "ann"
	w.run(t, "run-one", task)
	task = payTask()
	task.User = "bob"
	task.Fork = &rein.Fork{Run: "run-one", Step: "4"}
	log := w.run(t, "fork", task)
	if end := log[len(log)-1]; end.Kind != rein.RunFailed {
		t.Errorf("%s %s", end.Kind, end.Data)
	}
}

// family looks, lets a child do its work, and looks twice more.
func family(run rein.Run, task rein.Task) (rein.Outcome, error) {
	for n := range 3 {
		if _, err := run.CallTool(rein.ToolCall{ID: fmt.Sprint("c", n), Name: "look", Args: fmt.Appendf(nil, `{"n":%d}`, n)}); err != nil {
			return rein.Outcome{}, err
		}
		if n > 0 {
			continue
		}
		child, err := run.Spawn(rein.Task{Flow: "operate", Tools: task.Tools, Policy: task.Policy, Messages: task.Messages})
		if err != nil {
			return rein.Outcome{}, err
		}
		if _, err := run.Wait(child); err != nil {
			return rein.Outcome{}, err
		}
	}
	return rein.Outcome{End: rein.EndDone}, nil
}

// A fork keeps nothing once it has passed its step, nor do its children.
//
// Attack: 72
func TestForkLetsGoAtItsStep(t *testing.T) {
	w := newWorld(t)
	task := payTask()
	task.Flow = "family"
	log := w.run(t, "run-one", task)
	looked, paid := w.looked.Load(), w.paid.Load()
	task.Fork = &rein.Fork{Run: "run-one", Step: stepOf(log, `"text":"seen"`, 2)}
	if log = w.run(t, "fork", task); log[len(log)-1].Kind != rein.RunCompleted {
		t.Fatalf("%s %s", log[len(log)-1].Kind, log[len(log)-1].Data)
	}
	if w.looked.Load() != looked+2 || w.paid.Load() != paid {
		t.Errorf("looked %d times, want 2; paid %d times, want 0", w.looked.Load()-looked, w.paid.Load()-paid)
	}
	if n := w.forks.Kept(); n != 0 {
		t.Errorf("%d places are kept of a fork that has ended", n)
	}
}

// held stops whoever reads a run's log, until it is released.
type held struct {
	store.Store
	run              rein.RunID
	entered, release chan struct{}
	once             sync.Once
}

func (h *held) hold(run rein.RunID) {
	if run == h.run {
		h.once.Do(func() { close(h.entered) })
		<-h.release
	}
}

func (h *held) Event(ctx context.Context, run rein.RunID, seq int64) (rein.Event, error) {
	h.hold(run)
	return h.Store.Event(ctx, run, seq)
}

func (h *held) Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error] {
	h.hold(run)
	return h.Store.Events(ctx, run, after)
}

// While a fork reads the log of another run, runs that are none go on.
//
// Attack: 72
func TestForkHoldsUpNobody(t *testing.T) {
	h := &held{entered: make(chan struct{}), release: make(chan struct{})}
	w := worldWith(t, func(s store.Store) store.Store { h.Store = s; return h })
	w.run(t, "run-one", payTask())
	h.run = "run-one"
	release := sync.OnceFunc(func() { close(h.release) })
	defer release()
	task := payTask()
	task.Fork = &rein.Fork{Run: "run-one", Step: "3"}
	if _, err := w.engine.Start(t.Context(), "fork", task); err != nil {
		t.Fatal(err)
	}
	<-h.entered
	w.run(t, "other", payTask())
	release()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := w.engine.Wait(ctx, "fork"); err != nil {
		t.Error(err)
	}
}

// A run that is too long for a cassette is refused before it fills the memory.
func TestRecordIsBounded(t *testing.T) {
	w := newWorld(t)
	w.run(t, "run-one", payTask())
	if _, err := replay.RecordUpTo(t.Context(), w.store, "run-one", w.worker, rein.Policy{}, 1000); rein.CodeOf(err) != rein.CodeLimit {
		t.Errorf("%v", err)
	}
	if _, err := replay.Record(t.Context(), w.store, "run-one", w.worker, rein.Policy{}); err != nil {
		t.Error(err)
	}
}

// talk looks, asks, hears what was said meanwhile and looks again.
func talk(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	if _, err := run.CallTool(rein.ToolCall{ID: "b", Name: "look", Args: []byte(`{"n":1}`)}); err != nil {
		return rein.Outcome{}, err
	}
	answer, err := run.AskUser(rein.Question{Text: "which?"})
	if err != nil {
		return rein.Outcome{}, err
	}
	heard, err := run.Inbox()
	if err != nil {
		return rein.Outcome{}, err
	}
	if _, err := run.CallTool(rein.ToolCall{ID: "c", Name: "look", Args: []byte(`{}`)}); err != nil {
		return rein.Outcome{}, err
	}
	text := answer.Text
	for _, m := range heard {
		text += " " + m.Text
	}
	return rein.Outcome{End: rein.EndDone, Text: text}, nil
}

// What people said to a run they say to its fork, once.
func TestForkHearsPeopleOnce(t *testing.T) {
	w := newWorld(t)
	task := rein.Task{Flow: "talk", Tools: []string{"look"}, Messages: []rein.Message{{Role: rein.User, Text: "go"}}}
	asked := w.await("run-one", rein.AskOpened)
	if _, err := w.engine.Start(t.Context(), "run-one", task); err != nil {
		t.Fatal(err)
	}
	asked(t)
	asks, err := w.store.Asks(t.Context(), store.AskFilter{Tree: "run-one"})
	if err != nil || len(asks) != 1 {
		t.Fatal(asks, err)
	}
	for _, c := range []rein.Command{
		{Kind: rein.CommandMessage, Run: "run-one", By: "owner", Text: "hello"},
		{Kind: rein.CommandAnswer, Run: "run-one", Ask: asks[0].ID, By: "owner", Answer: rein.Answer{State: rein.AskAnswered, Text: "red", Shown: asks[0].Shown}},
	} {
		if _, err := w.engine.Command(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if end, err := w.engine.Wait(ctx, "run-one"); err != nil || end.Text != "red hello" {
		t.Fatal(end, err)
	}
	task.Fork = &rein.Fork{Run: "run-one", Step: "3"}
	log := w.run(t, "fork", task)
	if end := log[len(log)-1]; !strings.Contains(string(end.Data), "red hello") || strings.Contains(string(end.Data), "hello hello") {
		t.Errorf("%s %s", end.Kind, end.Data)
	}
}

// await returns a function that waits for an event of the run.
func (w *world) await(run rein.RunID, kind rein.Kind) func(*testing.T) {
	came := make(chan struct{}, 1)
	stop := w.store.Watch(func(marks []store.Mark) {
		for _, m := range marks {
			if m.Run == run && m.Kind == kind {
				select {
				case came <- struct{}{}:
				default:
				}
			}
		}
	})
	return func(t *testing.T) {
		t.Helper()
		defer stop()
		select {
		case <-came:
		case <-time.After(20 * time.Second):
			t.Fatalf("%s has no %s", run, kind)
		}
	}
}
