package engine

import (
	"context"
	"slices"
	"time"

	"rein"
	"rein/store"
)

// A wait is a branch that waits.
type wait struct {
	what  string
	until time.Time // when it ends by itself; zero: never
	woken bool      // it has been counted as running again
}

// await returns once ready says so. While it waits the run may be parked; then it does not return
// at all, and the verb is asked again by a replay. ready is called with mu held.
func (d *drive) await(what string, until time.Time, ready func() bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for !d.leaving() && !ready() {
		d.waitLocked(&wait{what: what, until: until})
	}
}

// leaving ends the calling branch if nothing new may begin. It is called with mu held.
func (d *drive) leaving() bool {
	if d.state >= draining {
		exit()
	}
	return false
}

// waitLocked waits until something has changed. It is called with mu held.
func (d *drive) waitLocked(w *wait) {
	d.waits[w] = struct{}{}
	d.rest()
	changed := d.changed
	d.mu.Unlock()
	timer, stop := alarm(w.until, d.Now)
	select {
	case <-changed:
	case <-timer:
	}
	stop()
	d.mu.Lock()
	if !w.woken {
		d.running++
	}
	delete(d.waits, w)
}

// alarm fires at the given time, if there is one.
func alarm(at time.Time, now func() time.Time) (<-chan time.Time, func()) {
	if at.IsZero() {
		return nil, func() {}
	}
	timer := time.NewTimer(max(at.Sub(now()), 0))
	return timer.C, func() { timer.Stop() }
}

// rest says that a branch is running no more. It is called with mu held.
func (d *drive) rest() {
	if d.running--; d.running == 0 {
		select {
		case d.idle <- struct{}{}:
		default:
		}
	}
}

// broadcast lets every waiting branch look again. They count as running from now on, not from when
// they get around to it: else the run could be parked on what they have not seen yet. It is called
// with mu held.
func (d *drive) broadcast() {
	for w := range d.waits {
		if !w.woken {
			w.woken = true
			d.running++
		}
	}
	close(d.changed)
	d.changed = make(chan struct{})
}

// park turns the run into rows, if all its branches wait and the store knows of no command that
// they have not seen.
func (d *drive) park() {
	d.writing.Lock()
	defer d.writing.Unlock()
	d.mu.Lock()
	if d.running > 0 || d.state > draining || len(d.waits) == 0 {
		d.mu.Unlock()
		return
	}
	until, what := d.waitingFor()
	ahead := d.ahead
	d.mu.Unlock()
	err := d.appendLocked(store.Draft{
		Kind: rein.RunParked, Data: &rein.Parked{Until: until, For: what}, Status: store.Waiting, Until: until,
		Spend: rein.Amount{}.Minus(ahead),
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

// waitingFor returns when the run is due by itself, and what it waits for. It is called with mu held.
func (d *drive) waitingFor() (until time.Time, what []string) {
	for w := range d.waits {
		if !w.until.IsZero() && (until.IsZero() || w.until.Before(until)) {
			until = w.until
		}
		what = append(what, w.what)
	}
	slices.Sort(what)
	return until, slices.Compact(what)
}

// A call is a model or tool call under way.
type call struct{ cancel context.CancelCauseFunc }

// begin registers a call and returns its context, which ends when the call must: at its deadline,
// when the run is interrupted, and when it is let go of.
func (d *drive) beginCall(limit time.Duration) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx, release := context.WithTimeoutCause(ctx, limit, errTimeout)
	c := &call{cancel}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.exitIfOver()
	d.calls[c] = struct{}{}
	d.interrupt()
	return ctx, func() {
		release()
		cancel(nil)
		d.mu.Lock()
		delete(d.calls, c)
		d.mu.Unlock()
	}
}

// interrupt cuts the running calls if what people sent demands it. It is called with mu held.
func (d *drive) interrupt() {
	switch {
	case d.ending == rein.CommandStop:
		for c := range d.calls {
			time.AfterFunc(d.StopGrace, func() { c.cancel(rein.ErrStopped) })
		}
	case d.ending != "":
		d.cancelCalls(sticky(d.ending))
	}
	if d.interrupted {
		d.cancelCalls(rein.ErrInterrupted)
	}
}

func (d *drive) cancelCalls(cause error) {
	for c := range d.calls {
		c.cancel(cause)
	}
}

func (d *drive) endingNow() rein.CommandKind {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.ending
}
