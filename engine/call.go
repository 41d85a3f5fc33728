package engine

import (
	"context"
	"time"

	"rein"
)

// beginCall registers a call and returns its context, which ends when the call must: at its deadline,
// when the run is interrupted, and when it is let go of. The context's cause says which of them it was. It
// is not derived from the one that the run is driven with: a shutdown gives calls time to end.
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

// interrupt cuts the running calls if what people sent demands it: a stop gives them a grace, the others
// do not. It is called with mu held, when a command was read and when a call begins, so that no call can
// slip in between. Cutting a call twice does no harm: the first cause stays.
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

// A call is a model call, or a call into a tool, under way: what can be cancelled.
type call struct{ cancel context.CancelCauseFunc }

// cancelCalls cuts all calls under way, for this cause. It is called with mu held.
func (ws *waits) cancelCalls(cause error) {
	for c := range ws.calls {
		c.cancel(cause)
	}
}

// errTimeout is the cause of a call's cancellation at its deadline.
var errTimeout = rein.Errorf(rein.CodeTimeout, "it took too long")
