// Package enginetest is the contract of the engine with a store and a dispatcher. Every pair of
// them must pass it, with a grace period and without one, so nothing can work only because a run is
// still in memory.
package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/dispatch"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/model/script"
	"rein/store"
)

// Parts are what the contract is about.
type Parts struct {
	// Open opens the store in a folder. Opening it again after Close is a restart. onCommit is given
	// every event once it is durable, in order.
	Open func(t *testing.T, dir string, onCommit func([]rein.Event)) (Store, error)
	// Dispatcher makes a new dispatcher that drives at most so many runs at once; zero: as many as it
	// likes.
	Dispatcher func(limit int) dispatch.Dispatcher
}

// Store is a store that can be closed.
type Store interface {
	store.Store
	io.Closer
}

// patience bounds every wait of the contract; it is never waited for unless something is wrong.
const patience = 2 * time.Minute

// A World is an engine with everything around it. It can be restarted and killed.
type World struct {
	*testing.T
	Parts Parts
	Grace time.Duration
	Model *script.Model
	Tools *Tools
	Tweak func(*engine.Options) // changes the options before the engine is made

	Engine *engine.Engine
	Store  Store

	Options engine.Options // of the engine, once it has begun
	dir     string
	stop    func()

	mu      sync.Mutex
	events  []rein.Event
	deltas  []rein.Delta
	came    chan struct{} // closed and replaced when events come
	shown   chan struct{} // closed and replaced when text comes
	dead    atomic.Bool
	dieAt   atomic.Int64 // kill after this many events; zero: never
	commits int
}

// Prepare makes a world whose model plays the script. Begin starts it.
func Prepare(t *testing.T, parts Parts, grace time.Duration, play string) *World {
	t.Helper()
	model, err := script.Parse(t.Name(), []byte(play))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{T: t, Parts: parts, Grace: grace, Model: model, Tools: NewTools(), dir: t.TempDir(), came: make(chan struct{}), shown: make(chan struct{})}
	t.Cleanup(func() {
		if w.stop != nil {
			w.stop()
		}
	})
	return w
}

// Begin opens the store and serves.
func (w *World) Begin() {
	w.Helper()
	var err error
	if w.Store, err = w.Parts.Open(w.T, w.dir, w.committed); err != nil {
		w.Fatal(err)
	}
	w.dead.Store(false)
	options := engine.Options{
		Store: mortal{w.Store, &w.dead}, Flows: flows.All(), Dispatch: w.Parts.Dispatcher(0),
		Worker: &work.Worker{Models: map[string]rein.Model{"": w.Model}, Tools: w.Tools.All(), Abandon: 50 * time.Millisecond},
		Grace:  w.Grace, DrainGrace: 300 * time.Millisecond,
		OnDelta: w.delta,
	}
	if w.Tweak != nil {
		w.Tweak(&options)
	}
	w.Options = options
	if w.Engine, err = engine.New(options); err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- w.Engine.Serve(ctx) }()
	for !options.Dispatch.Here() { // else what is started now takes the other way
		runtime.Gosched()
	}
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-served; err != nil {
			w.Errorf("serve: %v", err)
		}
		if err := w.Store.Close(); err != nil && !w.dead.Load() {
			w.Errorf("close: %v", err)
		}
	})
}

// Restart shuts the engine down gracefully and starts another.
func (w *World) Restart() {
	w.Helper()
	w.stop()
	w.Begin()
}

// Kill cuts the engine off as a crash does: nothing more reaches the log. Begin starts another.
func (w *World) Kill() {
	w.dead.Store(true)
	w.Tools.Release()
	w.stop()
}

func (w *World) committed(events []rein.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, events...)
	w.commits += len(events)
	if at := int(w.dieAt.Load()); at > 0 && w.commits >= at {
		w.dead.Store(true)
	}
	close(w.came)
	w.came = make(chan struct{})
}

func (w *World) delta(d rein.Delta) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deltas = append(w.deltas, d)
	close(w.shown)
	w.shown = make(chan struct{})
}

// Start starts a run and fails the test if it cannot.
func (w *World) Start(id rein.RunID, task rein.Task) {
	w.Helper()
	if _, err := w.Engine.Start(context.Background(), id, task); err != nil {
		w.Fatal(err)
	}
}

// Send sends a command and fails the test if it is refused.
func (w *World) Send(c rein.Command) rein.Receipt {
	w.Helper()
	if c.By == "" {
		c.By = "ann"
	}
	receipt, err := w.Engine.Command(context.Background(), c)
	if err != nil {
		w.Fatal(err)
	}
	return receipt
}

// Answer answers an ask.
func (w *World) Answer(ask rein.Ask, state rein.AskState, text string) {
	w.Helper()
	w.Send(ask.Reply(rein.Answer{State: state, Text: text, By: "ann"}))
}

// Until waits for an event that the condition holds for.
func (w *World) Until(what string, is func(rein.Event) bool) rein.Event {
	w.Helper()
	deadline := time.After(patience)
	for from := 0; ; {
		w.mu.Lock()
		events, came := w.events, w.came
		w.mu.Unlock()
		for ; from < len(events); from++ {
			if is(events[from]) {
				return events[from]
			}
		}
		select {
		case <-came:
		case <-deadline:
			w.Dump()
			w.Fatalf("no %s", what)
		}
	}
}

// UntilKind waits for an event of a run.
func (w *World) UntilKind(run rein.RunID, kind rein.Kind) rein.Event {
	w.Helper()
	return w.Until(fmt.Sprintf("%s of run %s", kind, run), func(e rein.Event) bool { return e.Run == run && e.Kind == kind })
}

// UntilAsk waits until the run has an open ask, the nth it opens.
func (w *World) UntilAsk(run rein.RunID, nth int) rein.Ask {
	w.Helper()
	n := 0
	e := w.Until(fmt.Sprintf("ask %d of run %s", nth, run), func(e rein.Event) bool {
		if e.Run == run && e.Kind == rein.AskOpened {
			n++
		}
		return n == nth || e.Run == run && e.Kind.Ends()
	})
	if e.Kind != rein.AskOpened {
		w.Dump()
		w.Fatalf("run %s ended without its ask %d", run, nth)
	}
	ask, err := rein.Payload[rein.Ask](e)
	if err != nil {
		w.Fatal(err)
	}
	return ask
}

// End waits for the end of a run.
func (w *World) End(run rein.RunID) rein.RunEnd {
	w.Helper()
	e := w.Until("end of run "+string(run), func(e rein.Event) bool { return e.Run == run && e.Kind.Ends() })
	end, err := rein.Payload[rein.RunEnd](e)
	if err != nil {
		w.Fatal(err)
	}
	return end
}

// WantEnd waits for the end of a run and compares it.
func (w *World) WantEnd(run rein.RunID, end rein.End, text string) {
	w.Helper()
	got := w.End(run)
	if got.End != end || got.Text != text {
		w.Dump()
		w.Errorf("run %s ended as %s %q (%v), want %s %q", run, got.End, got.Text, got.Failure, end, text)
	}
	if end == rein.EndFailed || end == rein.EndLimit {
		return
	}
	if got.Failure != nil {
		w.Errorf("run %s ended with failure %v", run, *got.Failure)
	}
}

// WantCalls compares how often the model and the tools were called.
func (w *World) WantCalls(model int, tools string) {
	w.Helper()
	if got := len(w.Model.Calls()); got != model {
		w.Errorf("the model was called %d times, want %d", got, model)
	}
	if got := w.Tools.Counts(); got != tools {
		w.Errorf("tools were called %q, want %q", got, tools)
	}
}

// Events returns the log of a run so far.
func (w *World) Events(run rein.RunID) []rein.Event {
	w.Helper()
	var log []rein.Event
	for e, err := range w.Store.Events(context.Background(), run, 0) {
		if err != nil {
			w.Fatal(err)
		}
		log = append(log, e)
	}
	return log
}

// Dump prints everything that happened.
func (w *World) Dump() {
	var b strings.Builder
	for info, err := range w.Store.Runs(context.Background(), store.Filter{}) {
		fmt.Fprintf(&b, "%s is %s, epoch %d, due %v (%v)\n", info.ID, info.Status, info.Epoch, info.WakeAt, err)
	}
	fmt.Fprintf(&b, "%d are held\n", w.Engine.Live())
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		fmt.Fprintf(&b, "%s:%d %s %s %s\n", e.Run, e.Seq, e.Kind, e.Step, e.Data)
	}
	w.Log(b.String())
}

// Verify checks every log, and that all that people see is what the logs make of it.
func (w *World) Verify() {
	w.Helper()
	ctx := context.Background()
	if wrong, err := w.Store.VerifyAccounts(ctx); err != nil || len(wrong) > 0 {
		w.Errorf("accounts: %v %v", wrong, err)
	}
	err := w.Store.Audit(ctx, func(v store.Verdict) error {
		if len(v.Wrong) > 0 {
			w.Errorf("audit of %q: %v", v.Run, v.Wrong)
		}
		return nil
	})
	if err != nil {
		w.Error(err)
	}
	for info, err := range w.Store.Runs(ctx, store.Filter{}) {
		if err != nil {
			w.Fatal(err)
		}
		if err := ValidTranscripts(w.Events(info.ID)); err != nil {
			w.Errorf("run %s: %v", info.ID, err)
		}
	}
}

// mortal is a store that a process loses when it dies.
type mortal struct {
	Store
	dead *atomic.Bool
}

var errDead = rein.Errorf(rein.CodeUnavailable, "this process is dead")

func (m mortal) Append(ctx context.Context, b store.Batch) ([]rein.Event, error) {
	if m.dead.Load() {
		return nil, errDead
	}
	return m.Store.Append(ctx, b)
}

func (m mortal) Start(ctx context.Context, s store.Start) (rein.RunInfo, bool, error) {
	if m.dead.Load() {
		return rein.RunInfo{}, false, errDead
	}
	return m.Store.Start(ctx, s)
}

func (m mortal) Claim(ctx context.Context, run rein.RunID, now time.Time) (rein.RunInfo, bool, error) {
	if m.dead.Load() {
		return rein.RunInfo{}, false, errDead
	}
	return m.Store.Claim(ctx, run, now)
}

func (m mortal) Command(ctx context.Context, c rein.Command, at time.Time) (rein.Receipt, error) {
	if m.dead.Load() {
		return rein.Receipt{}, errDead
	}
	return m.Store.Command(ctx, c, at)
}

// task is a task of one message.
func task(flow, text string, tools ...string) rein.Task {
	return rein.Task{Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: tools}
}

// with gives a task settings.
func with(t rein.Task, s flows.Settings) rein.Task {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	t.Settings = data
	return t
}

// count counts events of a kind.
func count(log []rein.Event, kinds ...rein.Kind) int {
	n := 0
	for _, e := range log {
		if slices.Contains(kinds, e.Kind) {
			n++
		}
	}
	return n
}
