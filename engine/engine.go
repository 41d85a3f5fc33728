package engine

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/dispatch"
	"rein/engine/work"
	"rein/internal/workers"
	"rein/store"
)

// A Store is what an engine needs of one. It writes logs, which nothing else does, and reads them back;
// it neither erases nor watches them.
type Store interface {
	store.Writer
	store.Logs
	store.Views
	store.DriverViews
	store.Snapshots
}

// Options say what an engine works with. Store, Flows, Worker and Dispatch are needed.
type Options struct {
	Store    Store
	Flows    map[string]rein.Flow
	Worker   *work.Worker
	Dispatch dispatch.Dispatcher

	// Grace is how long a run that waits stays in memory before it is parked; zero means 2 s, and
	// NoGrace parks at once.
	Grace time.Duration
	// StopGrace is how long a running call may take to reach its end after a stop; zero means 5 s.
	StopGrace time.Duration
	// DrainGrace is how long running calls may take to reach their end at shutdown; zero means 5 s.
	DrainGrace time.Duration
	// Prepare, if not nil, completes the task of a root before it is frozen: settings, texts. What it
	// changed is not part of what makes two starts of one ID the same.
	Prepare func(rein.Task) (rein.Task, error)
	// ForkFlow is the flow of the runs that tools fork; empty means operate.
	ForkFlow string
	// Policy makes the policies that runs were started with stricter, never looser.
	Policy rein.Policy
	// Rules, if not nil, returns the policy that holds for a run by its task, beside Policy, whenever a call
	// is judged: like that, it can make the run stricter, never looser.
	Rules func(*rein.Task) rein.Policy
	// Roles, if not nil, says what the users of households may let happen. It is asked whenever a call is judged, and can
	// make runs stricter, never looser. Nil: everybody may approve everything.
	Roles Roles
	// Narrows, if not nil, returns the tools that a run may use from the result of a call on, if it narrows them, as a skill
	// can when it is loaded; nil: the call leaves all. What several calls leave is added up. No list gives the run a tool
	// that it does not have.
	Narrows func(*rein.Task, rein.ToolCall) []string
	// Ceiling returns the largest budget that a caller may ask for; nil means rein.MaxBudget.
	Ceiling func() rein.Budget
	// Modes, if not nil, returns the mode in which a new session starts and the loosest one that is allowed; nil
	// means ask and sandbox. It is called whenever a call is judged, and can make runs stricter, never looser.
	Modes func() (usual, loosest rein.Mode)

	// OnDelta is given the text that models write, and the output of tools that show it, as it comes. It must not block.
	OnDelta func(rein.Delta)
	Log     *slog.Logger     // nil is silent
	Now     func() time.Time // the wall clock; nil is time.Now
	// Began, if not nil, returns how a run began whose way is recorded: one that is played again, or one
	// below a fork. A child brings its parent's task, for the parent may be too new to be in the log.
	Began func(run rein.RunID, parent *rein.Task) (Beginning, bool)
	// Precedent, if not nil, returns what a run knew then of calls equal to one that is answered from a
	// recording. ok is false of a call that is really made.
	Precedent func(context.Context, rein.Tool, rein.Invocation) (p Precedent, ok bool, err error)
	// Named says that tasks may name images whose content this store does not have: those of a recording, whose models
	// do not look at them.
	Named bool
}

// A Beginning is what a flow can see of how its run began.
type Beginning struct {
	At       time.Time // zero is Options.Now
	Revision int       // of the flow
	// CodeTools is rein.Task.CodeTools.
	CodeTools []string
}

// NoGrace as Options.Grace, StopGrace or DrainGrace means: at once.
const NoGrace = time.Duration(-1)

// Engine starts runs, takes commands for them and drives them.
//
// Most of it is a drive's; an engine only knows which runs are in memory, so that a command reaches the
// drive of its run, a caller hears of an end, and no run is driven twice in one process. Across processes
// the store's epochs see to that.
type Engine struct {
	opts Options

	mu    sync.Mutex
	live  map[rein.RunID]*drive
	fresh map[rein.RunID]*fresh             // started here, and about to be driven here
	waits map[rein.RunID][]chan rein.RunEnd // who waits for the end of a run

	owners map[rein.RunID]dispatch.Owner // of trees, by their root; some of those that were asked for

	flows atomic.Pointer[workers.Pool] // in which flows run while somebody serves
}

// idleFlows is how many goroutines wait for a flow to run: enough for runs that start now and then, each of which would
// otherwise have to grow a stack before its first call.
const idleFlows = 16

var _ dispatch.Driver = (*Engine)(nil)

// New checks the options and returns an engine. It does nothing until Serve; runs can be started and
// commanded before, and are then driven by whoever serves.
func New(o Options) (*Engine, error) {
	switch {
	case o.Store == nil, o.Worker == nil, o.Dispatch == nil, len(o.Flows) == 0:
		return nil, rein.Errorf(rein.CodeInvalid, "an engine needs a store, a worker, a dispatcher and at least one flow")
	}
	if err := o.Worker.Check(); err != nil {
		return nil, err
	}
	e := &Engine{
		opts: o,
		live: map[rein.RunID]*drive{}, fresh: map[rein.RunID]*fresh{}, waits: map[rein.RunID][]chan rein.RunEnd{},
		owners: map[rein.RunID]dispatch.Owner{},
	}
	if e.opts.Ceiling == nil {
		e.opts.Ceiling = rein.MaxBudget
	}
	if e.opts.Now == nil {
		e.opts.Now = time.Now
	}
	if e.opts.Log == nil {
		e.opts.Log = slog.New(slog.DiscardHandler)
	}
	e.opts.Grace = grace(o.Grace, 2*time.Second)
	e.opts.StopGrace = grace(o.StopGrace, 5*time.Second)
	e.opts.DrainGrace = grace(o.DrainGrace, 5*time.Second)
	return e, nil
}

// grace reads an option: zero is the default, and a negative one means at once.
func grace(d, otherwise time.Duration) time.Duration {
	switch {
	case d < 0:
		return 0
	case d == 0:
		return otherwise
	}
	return d
}

// Serve drives all unfinished runs, those that a crash cut off too, until the context ends. It
// returns when every run has been let go of: its calls have ended or will be taken up again. A run that
// was started too late to be driven is handed over, so that the next one who serves finds it at once.
func (e *Engine) Serve(ctx context.Context) error {
	if err := e.dispatch(ctx); err != nil {
		return err
	}
	left := map[rein.RunID]*fresh{}
	e.mu.Lock()
	for id, f := range e.fresh {
		if f.durable { // started too late to be driven; the others are Start's to take back
			left[id] = f
			delete(e.fresh, id)
		}
	}
	e.mu.Unlock()
	for id, f := range left {
		d := newDrive(e, id)
		d.adoptStart(f)
		d.handOver()
	}
	return nil
}

// dispatch has the dispatcher drive until the context ends.
func (e *Engine) dispatch(ctx context.Context) error {
	pool := &workers.Pool{Idle: idleFlows}
	defer pool.Close()
	if e.flows.CompareAndSwap(nil, pool) {
		defer e.flows.Store(nil)
	}
	return e.opts.Dispatch.Serve(ctx, e)
}

// Due implements dispatch.Driver.
func (e *Engine) Due(ctx context.Context, _ time.Time, limit int) ([]rein.RunID, time.Time, error) {
	return e.opts.Store.Due(ctx, e.opts.Now(), limit)
}

// wake makes whoever has the run look at its log. The dispatcher is told in any case: a drive that
// is just letting go would not look any more. It is a hint: the command is in the log, and a sweep of the
// dispatcher finds a run whose hint was lost.
func (e *Engine) wake(run rein.RunID) {
	e.mu.Lock()
	d := e.live[run]
	if f := e.fresh[run]; f != nil {
		f.woken = true
	}
	e.mu.Unlock()
	if d != nil {
		d.catchUp()
	}
	e.opts.Dispatch.Wake(run)
}

// wrap says what was being done to which run, and keeps what programs act on.
func wrap(op string, run rein.RunID, err error) error {
	if err == nil {
		return nil
	}
	wrapped := rein.Errorf(rein.CodeOf(err), "%s %s: %w", op, run, err)
	if cause, ok := errors.AsType[*rein.Error](err); ok {
		wrapped.Dim, wrapped.RetryAfter = cause.Dim, cause.RetryAfter
	}
	return wrapped
}

// Live returns how many runs are in memory: driven, or waiting within their grace.
func (e *Engine) Live() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.live)
}

// Waiting reports whether the run is in memory and all of it waits.
func (e *Engine) Waiting(run rein.RunID) bool {
	e.mu.Lock()
	d := e.live[run]
	e.mu.Unlock()
	if d == nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waits.isIdle()
}
