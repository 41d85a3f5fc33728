package engine

import (
	"context"
	"time"

	"rein"
)

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

// A call is a model or tool call under way.
type call struct{ cancel context.CancelCauseFunc }

func (ws *waits) cancelCalls(cause error) {
	for c := range ws.calls {
		c.cancel(cause)
	}
}

var errTimeout = rein.Errorf(rein.CodeTimeout, "it took too long")
