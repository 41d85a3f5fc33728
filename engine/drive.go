package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"rein"
	"rein/dispatch"
	"rein/engine/guard"
	"rein/internal/workers"
)

// A drive is one attempt at carrying a run on: from the claim of an epoch until the run has ended,
// is parked, is blocked, or is lost to another driver or a shutdown. Everything in it is derived
// from the log, so a drive is never saved, and two of them would come to the same.
//
// See the package comment for its parts, for the order of its locks and for how it lets go.
type drive struct {
	engine *Engine
	opts   *Options // the engine's
	id     rein.RunID
	task   rein.Task

	mu        sync.Mutex // guards what follows; see also runLog.writing
	log       runLog
	mail      mail
	purse     purse
	waits     waits
	history   history
	summaries summaries
	partial   string       // what people saw of the newest reply, if that was cut off
	workers   workers.Pool // in which its calls are made

	state   state
	why     error // of lost
	blocked *rein.Blocked
	until   time.Time // of parked
	// stubborn says that the flow would not stop asking after it was told that the run has ended.
	stubborn bool

	durable bool // its start is in the log; guarded by the engine's mu
	told    bool // its end was told; guarded by the engine's mu
}

// redactor takes secrets out of what the run says and its tools return.
func (d *drive) redactor() *guard.Redactor { return d.opts.Worker.RedactFor(&d.task) }

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

// Drive implements dispatch.Driver. A run that is not due any more is not claimed, and one that another
// process claims later refuses this drive's appends: so a dispatcher may call it too often, and at the same
// time as another one.
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
	if next, claimed, err := d.claim(ctx); err != nil || !claimed {
		return next, err
	}
	return d.drive(ctx)
}

// claim makes the drive the one that may write the run's log, if the run is due. Nothing that was read earlier counts,
// so the log is only loaded after it.
func (d *drive) claim(ctx context.Context) (next dispatch.Next, claimed bool, err error) {
	info, claimed, err := d.opts.Store.Claim(ctx, d.id, d.opts.Now())
	if rein.CodeOf(err) == rein.CodeNotFound {
		return dispatch.Next{Done: true}, false, nil // its start was refused
	}
	if err != nil {
		return next, false, wrap("claim run", d.id, err)
	}
	if !claimed {
		return dispatch.Next{Done: info.Status.Ended(), Until: info.WakeAt}, false, nil
	}
	d.log.epoch = info.Epoch
	d.engine.mu.Lock()
	defer d.engine.mu.Unlock()
	d.durable = true
	return next, true, nil
}

// newDrive makes the drive of a run that nobody has claimed yet, with its parts under its lock. It is not inlined: what
// it needs for a moment would be on the stack of each run for as long as that lasts.
//
//go:noinline
func newDrive(e *Engine, id rein.RunID) *drive {
	d := &drive{engine: e, opts: &e.opts, id: id}
	d.log = runLog{mu: &d.mu, steps: map[rein.StepKey]*record{}, forks: map[rein.StepKey]bool{}}
	d.mail = mail{mu: &d.mu, answers: map[rein.AskID]rein.Answer{}, children: map[rein.RunID]bool{}}
	d.purse = purse{mu: &d.mu}
	d.waits = newWaits(&d.mu, e.opts.Now)
	d.history = history{
		mu: &d.mu, tool: d.tool, offers: map[string][]offer{},
		unknowns: map[string]string{}, sending: map[rein.StepKey]bool{},
	}
	if narrows := e.opts.Narrows; narrows != nil {
		d.history.narrows = func(call rein.ToolCall) []string { return narrows(&d.task, call) }
	}
	d.summaries = summaries{mu: &d.mu}
	return d
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

// leave makes room for the next drive of the run.
func (e *Engine) leave(d *drive) {
	d.workers.Close()
	e.mu.Lock()
	delete(e.live, d.id)
	e.mu.Unlock()
}

// drive reads the log, plays the flow against it, and says what comes next for the run. It returns when
// no goroutine of the flow is left.
//
// A run that cannot be replayed is recorded as blocked, and its log stays as it is: a person may resume it
// with a program that can. It is only ended if somebody ends it, and so is one whose flow does not heed
// its end.
func (d *drive) drive(ctx context.Context) (dispatch.Next, error) {
	if err := d.load(ctx); err != nil {
		if rein.CodeOf(err) != rein.CodeDamaged {
			if ctx.Err() != nil {
				d.handOver()
			}
			return dispatch.Next{}, wrap("read the log of run", d.id, err)
		}
		d.blocked, d.log.damaged = &rein.Blocked{Reason: err.Error()}, true
		d.catchUp()
	}
	if d.blocked == nil {
		if flow, ok := d.opts.Flows[d.task.Flow]; ok {
			d.carry(ctx, func() { d.finish(d.play(flow.Do)) })
		} else {
			d.blocked = &rein.Blocked{Reason: fmt.Sprintf("this program has no flow %q", d.task.Flow)}
		}
	}
	switch {
	case d.blocked != nil && d.mail.endingNow() == "":
		d.log.forget()
		d.carry(ctx, d.block)
	case d.blocked != nil, d.stubborn:
		// A person may end a run that cannot be replayed, and one whose flow does not heed its end.
		d.opts.Log.Warn("run is ended without its flow", "run", string(d.id), "flow", d.task.Flow)
		if d.blocked != nil {
			d.log.forget()
		}
		d.carry(ctx, func() { d.finish(rein.Outcome{}, nil) })
	}
	d.handOver()
	return d.result()
}

// result tells the dispatcher what the drive came to. A run that another driver has claimed is no error: it
// is in good hands.
func (d *drive) result() (dispatch.Next, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log.flusher != nil {
		d.log.flusher.Stop()
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
// parks the run when all of it has waited for the grace. It is the one place that starts a goroutine for
// a flow, and it does not return before that goroutine has.
func (d *drive) carry(ctx context.Context, f func()) {
	exited := make(chan struct{})
	d.mu.Lock()
	d.state, d.waits.running = driving, 1
	d.mu.Unlock()
	d.engine.flows.Load().Go(func() {
		defer close(exited)
		f()
	})
	var park <-chan time.Time
	shutdown := ctx.Done()
	for {
		select {
		case <-exited:
			return
		case <-d.waits.idle:
			park = time.After(d.opts.Grace)
		case <-park:
			d.park()
		case <-shutdown:
			// A closed channel is always ready; nil never is. The loop goes on, since the flow's goroutine must
			// have left before this function may: it still writes to the drive.
			shutdown = nil
			d.drain()
			go d.force(exited)
		}
	}
}

// play calls the flow. A flow that panics has failed; one that unwinds never returns here, since Goexit
// ends the goroutine once the deferred functions have run.
func (d *drive) play(flow rein.FlowFunc) (out rein.Outcome, err error) {
	defer func() {
		if p := recover(); p != nil {
			d.opts.Log.Error("flow panicked", "run", string(d.id), "flow", d.task.Flow, "panic", p, "stack", string(debug.Stack()))
			out, err = rein.Outcome{}, rein.Errorf(rein.CodeInternal, "flow %s panicked: %v", d.task.Flow, p)
		}
	}()
	return d.carryOn(flow)
}
