// Package engine carries runs to their end: it replays a run's log, does what the flow asks for
// next, records it, and lets go of the run while it waits. Whatever it knows of a run it has read
// from the log, so it may be cut off anywhere and started again.
package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/dispatch"
	"rein/guard"
	"rein/store"
	"rein/work"
)

// Options say what an engine works with. Store, Flows, Worker and Dispatch are needed.
type Options struct {
	Store    store.Store
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
	// Ceiling is the largest budget that a caller may ask for; nil means rein.MaxBudget.
	Ceiling *rein.Budget

	// OnDelta is given the text that models write, as they write it. It must not block.
	OnDelta func(rein.Delta)
	Log     *slog.Logger     // nil is silent
	Now     func() time.Time // the wall clock; nil is time.Now
}

// NoGrace as Options.Grace, StopGrace or DrainGrace means: at once.
const NoGrace = time.Duration(-1)

// Engine starts runs, takes commands for them and drives them.
type Engine struct {
	Options
	ceiling rein.Budget

	mu    sync.Mutex
	live  map[rein.RunID]*drive
	fresh map[rein.RunID]*fresh             // started here, and about to be driven here
	waits map[rein.RunID][]chan rein.RunEnd // who waits for the end of a run
}

var _ dispatch.Driver = (*Engine)(nil)

// New checks the options and returns an engine. It does nothing until Serve.
func New(o Options) (*Engine, error) {
	switch {
	case o.Store == nil, o.Worker == nil, o.Dispatch == nil, len(o.Flows) == 0:
		return nil, rein.Errorf(rein.CodeInvalid, "an engine needs a store, a worker, a dispatcher and at least one flow")
	}
	if err := o.Worker.Check(); err != nil {
		return nil, err
	}
	e := &Engine{
		Options: o, ceiling: rein.MaxBudget(),
		live: map[rein.RunID]*drive{}, fresh: map[rein.RunID]*fresh{}, waits: map[rein.RunID][]chan rein.RunEnd{},
	}
	if o.Ceiling != nil {
		e.ceiling = *o.Ceiling
	}
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.Log == nil {
		e.Log = slog.New(slog.DiscardHandler)
	}
	e.Grace = grace(o.Grace, 2*time.Second)
	e.StopGrace = grace(o.StopGrace, 5*time.Second)
	e.DrainGrace = grace(o.DrainGrace, 5*time.Second)
	return e, nil
}

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
// returns when every run has been let go of: its calls have ended or will be taken up again.
func (e *Engine) Serve(ctx context.Context) error {
	err := e.Dispatch.Serve(ctx, e)
	e.mu.Lock()
	left := e.fresh
	e.fresh = map[rein.RunID]*fresh{}
	e.mu.Unlock()
	for id, f := range left {
		if f.durable { // started too late to be driven; for the others Start sees to it
			d := newDrive(e, id)
			d.begin(f)
			d.handOver()
		}
	}
	return err
}

// Due implements dispatch.Driver.
func (e *Engine) Due(ctx context.Context, _ time.Time, limit int) ([]rein.RunID, time.Time, error) {
	return e.Store.Due(ctx, e.Now(), limit)
}

// Start starts a run. The caller names it, so starting twice is safe: the same ID with the same
// task returns the run as it is, with another task it is CodeConflict.
func (e *Engine) Start(ctx context.Context, id rein.RunID, task rein.Task) (store.RunInfo, error) {
	return e.start(ctx, id, task, false)
}

func (e *Engine) start(ctx context.Context, id rein.RunID, task rein.Task, exclusive bool) (store.RunInfo, error) {
	start, err := e.prepare(id, task)
	if err != nil {
		return store.RunInfo{}, wrap("start run", id, err)
	}
	start.Exclusive = exclusive
	if info, known, err := e.bear(start); known {
		return info, wrap("start run", id, err)
	}
	start.Claim = false
	info, started, err := e.Store.Start(ctx, start)
	if err != nil {
		return info, wrap("start run", id, err)
	}
	if started {
		e.Dispatch.Wake(id)
	}
	return info, nil
}

// prepare checks a root's task and fills in what it leaves open.
func (e *Engine) prepare(id rein.RunID, task rein.Task) (store.Start, error) {
	if err := id.Check(); err != nil {
		return store.Start{}, err
	}
	if id.Depth() > 0 {
		return store.Start{}, rein.Errorf(rein.CodeInvalid, "run ID %q is a child's: only its parent can start it", string(id))
	}
	digest, err := taskDigest(task)
	if err != nil {
		return store.Start{}, err
	}
	if err := e.checkTask(task); err != nil {
		return store.Start{}, err
	}
	if task.Budget == nil {
		budget := rein.DefaultBudget()
		task.Budget = &budget
	}
	if err := task.Budget.Check(e.ceiling); err != nil {
		return store.Start{}, err
	}
	task.Household = cmp.Or(task.Household, "home")
	task.User = cmp.Or(task.User, "owner")
	task.Session = cmp.Or(task.Session, string(id))
	return e.startOf(id, digest, task)
}

// startOf makes the request that creates a run whose task has been checked.
func (e *Engine) startOf(id rein.RunID, digest rein.Hash, task rein.Task) (store.Start, error) {
	task.Start = e.Now().UTC()
	start := store.Start{Run: id, Digest: digest, At: task.Start, Claim: e.Dispatch.Here()}
	// The flow gets what a replay would give it.
	data, err := json.Marshal(rein.RunStart{Task: task, Reserve: guard.Reserve(task.Budget.Amount, e.modelInfo(task.Model))})
	if err == nil {
		err = json.Unmarshal(data, &start.Start)
	}
	if err != nil {
		return start, rein.Errorf(rein.CodeInvalid, "the task cannot be recorded: %w", err)
	}
	return start, nil
}

// checkTask says what is wrong with the names in a task, if anything.
func (e *Engine) checkTask(task rein.Task) error {
	if _, ok := e.Flows[task.Flow]; !ok {
		return rein.Errorf(rein.CodeInvalid, "flow %q does not exist; there is: %s", task.Flow, strings.Join(slices.Sorted(maps.Keys(e.Flows)), ", "))
	}
	if _, err := e.Worker.Model(task.Model); err != nil {
		return err
	}
	if _, err := e.Worker.Offered(task.Tools); err != nil {
		return err
	}
	if task.Settings != nil && !json.Valid(task.Settings) {
		return rein.Errorf(rein.CodeInvalid, "the task's settings are not valid JSON")
	}
	return nil
}

func (e *Engine) modelInfo(name string) rein.ModelInfo {
	m, err := e.Worker.Model(name)
	if err != nil {
		return rein.ModelInfo{}
	}
	return m.Info()
}

// taskDigest identifies a task as the caller gave it.
func taskDigest(task rein.Task) (rein.Hash, error) {
	task.Start = time.Time{}
	data, err := json.Marshal(task)
	if err != nil {
		return rein.Hash{}, rein.Errorf(rein.CodeInvalid, "the task cannot be recorded: %w", err)
	}
	return sha256.Sum256(data), nil
}

// Command sends a run what a person wants of it. When it returns, the command is durable, whatever
// happens to this process, and the receipt says where it stands.
func (e *Engine) Command(ctx context.Context, c rein.Command) (rein.Receipt, error) {
	if err := checkCommand(c); err != nil {
		return rein.Receipt{}, err
	}
	return e.command(ctx, c)
}

func (e *Engine) command(ctx context.Context, c rein.Command) (rein.Receipt, error) {
	receipt, err := e.Store.Command(ctx, c, e.Now())
	if err != nil {
		return receipt, wrap("send "+string(c.Kind)+" to run", c.Run, err)
	}
	for _, run := range receipt.Touched {
		e.wake(run)
	}
	return receipt, nil
}

// checkCommand says what is wrong with a person's command, if anything.
func checkCommand(c rein.Command) error {
	if err := c.Run.Check(); err != nil {
		return err
	}
	switch c.Kind {
	case rein.CommandMessage, rein.CommandModify, rein.CommandComment:
		if strings.TrimSpace(c.Text) == "" {
			return rein.Errorf(rein.CodeInvalid, "a %s needs a text", c.Kind)
		}
	case rein.CommandAnswer:
		if c.Ask == "" {
			return rein.Errorf(rein.CodeInvalid, "an answer needs the ID of the ask it is for")
		}
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
	default:
		return rein.Errorf(rein.CodeInvalid, "command %q does not exist; there is: answer, message, stop, cancel, delete, modify, comment", c.Kind)
	}
	return nil
}

// Say brings a message to a session. If a run is under way there it steers that run, else it starts
// a new one with the given ID and task, whose messages get the text at their end.
func (e *Engine) Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error) {
	if strings.TrimSpace(text) == "" {
		return rein.Receipt{}, rein.Errorf(rein.CodeInvalid, "a message needs a text")
	}
	if task.Session == "" {
		return rein.Receipt{}, rein.Errorf(rein.CodeInvalid, "a message to a session needs the session's ID")
	}
	task.Messages = append(slices.Clone(task.Messages), rein.Message{Role: rein.User, Text: text})
	for ctx.Err() == nil {
		info, err := e.start(ctx, id, task, true)
		if err == nil {
			return rein.Receipt{Kind: rein.CommandMessage, State: rein.ReceiptStarted, Started: info.ID}, nil
		}
		if rein.CodeOf(err) != rein.CodeBusy {
			return rein.Receipt{}, err
		}
		active, err := e.activeRoot(ctx, task.Session)
		if err != nil {
			return rein.Receipt{}, err
		}
		if active == "" {
			continue // it has just ended: start after all
		}
		receipt, err := e.command(ctx, rein.Command{Kind: rein.CommandMessage, Run: active, By: by, Text: text, Key: "say-" + string(id)})
		if rein.CodeOf(err) != rein.CodeFinished {
			return receipt, err
		}
	}
	return rein.Receipt{}, ctx.Err()
}

func (e *Engine) activeRoot(ctx context.Context, session string) (rein.RunID, error) {
	for info, err := range e.Store.Runs(ctx, store.Filter{Session: session, Unfinished: true, Roots: true, Limit: 1}) {
		return info.ID, err
	}
	return "", nil
}

// Resume tries a blocked run again.
func (e *Engine) Resume(ctx context.Context, run rein.RunID, by string) error {
	if err := e.Store.Resume(ctx, run, by, e.Now()); err != nil {
		return wrap("resume run", run, err)
	}
	e.wake(run)
	return nil
}

// Wait returns how the run ended, once it has.
func (e *Engine) Wait(ctx context.Context, run rein.RunID) (rein.RunEnd, error) {
	end, held := e.endOf(run)
	defer e.forget(run, end)
	if !held { // it may have ended before, or not exist
		info, err := e.Store.Run(ctx, run)
		if err != nil {
			return rein.RunEnd{}, wrap("wait for run", run, err)
		}
		if info.Status.Ended() {
			return *info.Outcome, nil
		}
	}
	select {
	case e := <-end:
		return e, nil
	case <-ctx.Done():
		return rein.RunEnd{}, wrap("wait for run", run, ctx.Err())
	}
}

// endOf returns where the end of a run will be told, and whether the run is in memory.
func (e *Engine) endOf(run rein.RunID) (end chan rein.RunEnd, held bool) {
	end = make(chan rein.RunEnd, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waits[run] = append(e.waits[run], end)
	d := e.live[run]
	f := e.fresh[run]
	return end, f != nil && f.durable || d != nil && d.durable && !d.told
}

func (e *Engine) forget(run rein.RunID, end chan rein.RunEnd) {
	e.mu.Lock()
	defer e.mu.Unlock()
	left := slices.DeleteFunc(e.waits[run], func(c chan rein.RunEnd) bool { return c == end })
	if len(left) == 0 {
		delete(e.waits, run)
	} else {
		e.waits[run] = left
	}
}

// wake makes whoever has the run look at its log. The dispatcher is told in any case: a drive that
// is just letting go would not look any more.
func (e *Engine) wake(run rein.RunID) {
	e.mu.Lock()
	d := e.live[run]
	if f := e.fresh[run]; f != nil {
		f.woken = true
	}
	e.mu.Unlock()
	if d != nil {
		d.look()
	}
	e.Dispatch.Wake(run)
}

// tell wakes what waits for the end of a run: its parent, and callers of Wait.
func (e *Engine) tell(run rein.RunID, end rein.RunEnd) {
	e.mu.Lock()
	for _, wait := range e.waits[run] {
		wait <- end
	}
	delete(e.waits, run)
	if d := e.live[run]; d != nil {
		d.told = true
	}
	e.mu.Unlock()
	if parent := run.Parent(); parent != "" {
		e.wake(parent)
	}
}

// wrap says what was being done to which run, and keeps the code.
func wrap(op string, run rein.RunID, err error) error {
	if err == nil {
		return nil
	}
	return rein.Errorf(rein.CodeOf(err), "%s %s: %w", op, run, err)
}

// Live returns how many runs are in memory: driven, or waiting within their grace.
func (e *Engine) Live() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.live)
}
