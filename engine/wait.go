package engine

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// await returns once ready says so. While it waits the run may be parked; then it does not return
// at all, and the verb is asked again by a replay. ready is called with mu held.
func (d *drive) await(what string, until time.Time, ready func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for {
		d.exitIfLeaving()
		if ready() {
			return
		}
		d.waits.waitLocked(&wait{what: what, until: until})
	}
}

// exitIfLeaving ends the calling branch if nothing new may begin. It is called with mu held.
func (d *drive) exitIfLeaving() {
	if d.state >= draining {
		exit()
	}
}

// park turns the run into rows, if all its branches wait and the store knows of no command that
// they have not seen.
func (d *drive) park() {
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.mu.Lock()
	if !d.waits.isIdle() || d.state > draining {
		d.mu.Unlock()
		return
	}
	until, what := d.waits.waitingFor()
	unused := d.purse.unusedLocked()
	d.mu.Unlock()
	err := d.appendLocked(store.Draft{
		Kind: rein.RunParked, Data: &rein.Parked{Until: until, For: what}, Status: store.Waiting, Until: until,
		Spend: unused,
	})
	switch {
	case err == nil:
		d.mu.Lock()
		d.until = until
		d.unwindLocked(parked, nil)
		d.mu.Unlock()
	case rein.CodeOf(err) == rein.CodeUnseen:
		d.mu.Lock()
		if err := d.readLocked(); err != nil {
			d.unwindLocked(lost, err)
		}
		d.mu.Unlock()
	default:
		d.unwind(lost, err)
	}
}

// begin registers a call and returns its context, which ends when the call must: at its deadline,
// when the run is interrupted, and when it is let go of.
func (d *drive) beginCall(limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx, release := context.WithTimeoutCause(ctx, limit, errTimeout)
	c := &call{cancel}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.exitIfOver()
	d.waits.calls[c] = struct{}{}
	d.interrupt()
	return ctx, func() {
		release()
		cancel(nil)
		d.mu.Lock()
		delete(d.waits.calls, c)
		d.mu.Unlock()
	}
}

// interrupt cuts the running calls if what people sent demands it. It is called with mu held.
func (d *drive) interrupt() {
	switch {
	case d.mail.ending == rein.CommandStop:
		for c := range d.waits.calls {
			time.AfterFunc(d.opts.StopGrace, func() { c.cancel(rein.ErrStopped) })
		}
	case d.mail.ending != "":
		d.waits.cancelCalls(sticky(d.mail.ending))
	}
	if d.mail.interrupted {
		d.waits.cancelCalls(rein.ErrInterrupted)
	}
}
