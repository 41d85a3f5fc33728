package engine

import (
	"context"
	"time"

	"rein"
)

// beginCall registers a call and returns its context, which ends when the call must: when the run is
// interrupted, when it is let go of, and when it is cut. The context's cause says which of them it was. It is
// not derived from the one that the run is driven with: a shutdown gives calls time to end.
func (d *drive) beginCall() (context.Context, *call) {
	ctx, cut := context.WithCancelCause(context.Background())
	c := &call{drive: d, cut: cut}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.exitIfOver()
	d.waits.calls[c] = struct{}{}
	d.interrupt()
	return ctx, c
}

// beginTimed is beginCall for a call with a deadline.
func (d *drive) beginTimed(limit time.Duration) (context.Context, func()) {
	ctx, c := d.beginCall()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	return ctx, func() {
		cancel()
		c.release()
	}
}

// release says that the call is over.
func (c *call) release() {
	c.cut(nil)
	c.drive.mu.Lock()
	defer c.drive.mu.Unlock()
	delete(c.drive.waits.calls, c)
}

// interrupt cuts the running calls if what people sent demands it: a stop gives them a grace, the others
// do not. It is called with mu held, when a command was read and when a call begins, so that no call can
// slip in between. Cutting a call twice does no harm: the first cause stays.
func (d *drive) interrupt() {
	switch {
	case d.mail.ending == rein.CommandStop:
		for c := range d.waits.calls {
			time.AfterFunc(d.opts.StopGrace, func() { c.cut(rein.ErrStopped) })
		}
	case d.mail.ending != "":
		d.waits.cancelCalls(sticky(d.mail.ending))
	}
	if d.mail.interrupted {
		d.waits.cancelCalls(rein.ErrInterrupted)
	}
}

// A call is a model call, or a call into a tool, under way.
type call struct {
	drive *drive
	cut   context.CancelCauseFunc
}

// cancelCalls cuts all calls under way, for this cause. It is called with mu held.
func (ws *waits) cancelCalls(cause error) {
	for c := range ws.calls {
		c.cut(cause)
	}
}

// errTimeout is the cause of a call's cancellation at its deadline.
var errTimeout = rein.Errorf(rein.CodeTimeout, "it took too long")
