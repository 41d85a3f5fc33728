package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"rein"
	"rein/dispatch"
	"rein/store"
)

// A drive is one attempt at carrying a run on: from the claim of an epoch until the run has ended,
// is parked, is blocked, or is lost to another driver or a shutdown. Everything in it is derived
// from the log.
type drive struct {
	*Engine
	id      rein.RunID
	epoch   int64
	task    rein.Task
	reserve rein.Amount

	// writing is held while the buffer is being appended or the log is being read, so that events
	// are taken in in order. It is taken before mu.
	writing sync.Mutex

	mu     sync.Mutex
	steps  map[rein.StepKey]*record
	forks  map[rein.StepKey]bool // steps that were a Parallel
	loaded bool                  // the log has been read
	seq    int64                 // everything up to here has been read
	mail

	buffer   []store.Draft // written, but not yet durable
	flusher  *time.Timer   // flushes soon, if flushing
	flushing bool

	rounds     int                   // the highest round that was paid for
	ahead      rein.Amount           // reserved for a call that has not been made yet
	spent      bool                  // the budget is spent
	stuck      bool                  // the model makes the same call again and again
	limit      *rein.Failure         // the limit of the user or household that spent it
	unknowns   map[string]string     // the keys of calls whose outcome is not known, by what they asked for
	sending    map[rein.StepKey]bool // whose call, not pure, is under way in this process
	reserveUse bool                  // the reserve has been used
	offers     map[string][]offer    // the tools that were offered when a call was made, by the call's ID
	past       []pastCall            // calls and what they gave
	summaries                        // of the older part of its prompts
	instead    []string              // what people wanted done in place of the task
	partial    string                // what people saw of the newest reply, if that was cut off

	// Who does what. A branch is running unless it waits.
	running int
	waits   map[*wait]struct{}
	changed chan struct{} // closed and replaced when something changed that a wait may be for
	idle    chan struct{} // holds one token when no branch is running
	calls   map[*call]struct{}
	state   state
	why     error // of lost
	blocked *rein.Blocked
	until   time.Time // of parked
	settled bool      // it is in the log where this drive left the run
	birth   *fresh    // its start has still to be written; guarded by writing
	durable bool      // its start is in the log; guarded by the engine's mu
	told    bool      // its end was told; guarded by the engine's mu
	// damaged says that the log cannot be read: then the run's row is all there is to go by.
	damaged bool
	// stubborn says that the flow would not stop asking after it was told that the run has ended.
	stubborn bool
}

// state says how far a drive has come in letting go of its run.
type state int

const (
	driving  state = iota
	draining       // shutdown: what is under way may end and be recorded, nothing new begins
	// From here on every branch unwinds at its next verb, and nothing is recorded.
	letGo   // shutdown, after the drain
	parked  // all branches wait; the run is rows now
	blocked // the log cannot be replayed
	lost    // an append was refused, or the store is gone
	ended
)

// Drive implements dispatch.Driver.
func (e *Engine) Drive(ctx context.Context, id rein.RunID) (dispatch.Next, error) {
	d := newDrive(e, id)
	fresh, err := e.enter(d)
	if err != nil {
		return dispatch.Next{}, err
	}
	if fresh != nil {
		next, err := d.driveFresh(ctx, fresh)
		e.leave(d)
		if d.lostRun() {
			return e.Drive(ctx, id) // it exists, or somebody else had it: it may be due
		}
		return next, err
	}
	defer e.leave(d)
	info, claimed, err := e.Store.Claim(ctx, id, e.Now())
	if rein.CodeOf(err) == rein.CodeNotFound {
		return dispatch.Next{Done: true}, nil // its start was refused
	}
	if err != nil {
		return dispatch.Next{}, wrap("claim run", id, err)
	}
	if !claimed {
		return dispatch.Next{Done: info.Status.Ended(), Until: info.WakeAt}, nil
	}
	d.epoch = info.Epoch
	e.mu.Lock()
	d.durable = true
	e.mu.Unlock()
	return d.drive(ctx)
}

func newDrive(e *Engine, id rein.RunID) *drive {
	return &drive{
		Engine: e, id: id,
		steps: map[rein.StepKey]*record{}, forks: map[rein.StepKey]bool{}, mail: newMail(),
		waits: map[*wait]struct{}{}, changed: make(chan struct{}), idle: make(chan struct{}, 1),
		calls: map[*call]struct{}{}, unknowns: map[string]string{}, sending: map[rein.StepKey]bool{}, offers: map[string][]offer{},
	}
}

// enter makes the drive the one that the engine knows of, and returns what is known of a run that
// was just started here.
func (e *Engine) enter(d *drive) (*fresh, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.live[d.id] != nil {
		return nil, rein.Errorf(rein.CodeBusy, "run %s is being driven here already", d.id)
	}
	e.live[d.id] = d
	f := e.fresh[d.id]
	delete(e.fresh, d.id)
	d.durable = f != nil && f.durable
	return f, nil
}

func (e *Engine) leave(d *drive) {
	e.mu.Lock()
	delete(e.live, d.id)
	e.mu.Unlock()
}

func (d *drive) drive(ctx context.Context) (dispatch.Next, error) {
	if err := d.load(ctx); err != nil {
		if rein.CodeOf(err) != rein.CodeDamaged {
			if ctx.Err() != nil {
				d.handOver()
			}
			return dispatch.Next{}, wrap("read the log of run", d.id, err)
		}
		d.blocked, d.damaged = &rein.Blocked{Reason: err.Error()}, true
		d.look()
	}
	if d.blocked == nil {
		if flow, ok := d.Flows[d.task.Flow]; ok {
			d.carry(ctx, func() { d.finish(d.play(flow.Do)) })
		} else {
			d.blocked = &rein.Blocked{Reason: fmt.Sprintf("this program has no flow %q", d.task.Flow)}
		}
	}
	switch {
	case d.blocked != nil && d.endingNow() == "":
		d.forget()
		d.carry(ctx, d.block)
	case d.blocked != nil, d.stubborn:
		// A person may end a run that cannot be replayed, and one whose flow does not heed its end.
		d.Log.Warn("run is ended without its flow", "run", string(d.id), "flow", d.task.Flow)
		if d.blocked != nil {
			d.forget()
		}
		d.carry(ctx, func() { d.finish(rein.Outcome{}, nil) })
	}
	d.handOver()
	return d.result()
}

func (d *drive) result() (dispatch.Next, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.flusher != nil {
		d.flusher.Stop()
	}
	switch d.state {
	case ended, blocked:
		return dispatch.Next{Done: d.state == ended}, nil
	case parked:
		return dispatch.Next{Until: d.until}, nil
	case lost:
		if rein.CodeOf(d.why) == rein.CodeStale {
			return dispatch.Next{}, nil // it is somebody else's now
		}
		return dispatch.Next{}, wrap("drive run", d.id, d.why)
	}
	return dispatch.Next{}, nil // shut down; the run is due again
}

// carry runs f, and everything it starts, to its end or until the run is let go of, and meanwhile
// parks the run when all of it waits.
func (d *drive) carry(ctx context.Context, f func()) {
	exited := make(chan struct{})
	d.mu.Lock()
	d.state, d.running = driving, 1
	d.mu.Unlock()
	go func() {
		defer close(exited)
		f()
	}()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	defer timer.Stop()
	shutdown := ctx.Done()
	for {
		select {
		case <-exited:
			return
		case <-d.idle:
			timer.Reset(d.Grace)
		case <-timer.C:
			d.park()
		case <-shutdown:
			shutdown = nil
			d.drain()
			go d.force(exited)
		}
	}
}

// play calls the flow. A flow that panics has failed; one that unwinds never returns here.
func (d *drive) play(flow rein.FlowFunc) (out rein.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.Log.Error("flow panicked", "run", string(d.id), "flow", d.task.Flow, "panic", p, "stack", string(debug.Stack()))
			out, err = rein.Outcome{}, rein.Errorf(rein.CodeInternal, "flow %s panicked: %v", d.task.Flow, p)
		}
	}()
	return flow(&branch{drive: d}, d.task)
}
