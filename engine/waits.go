package engine

import (
	"slices"
	"sync"
	"time"
)

// waits say who does what: which branches run, which wait and for what, and which calls are under way.
// A branch is running unless it waits. The drive's mu guards it.
type waits struct {
	mu  *sync.Mutex // the drive's
	now func() time.Time

	running int
	all     map[*wait]struct{}
	changed chan struct{} // closed and replaced when something changed that a wait may be for
	idle    chan struct{} // holds one token when no branch is running
	calls   map[*call]struct{}
}

// newWaits returns the waits of a drive in which nothing runs yet.
func newWaits(mu *sync.Mutex, now func() time.Time) waits {
	return waits{
		mu: mu, now: now, all: map[*wait]struct{}{}, changed: make(chan struct{}), idle: make(chan struct{}, 1),
		calls: map[*call]struct{}{},
	}
}

// isIdle reports whether every branch waits. It is called with mu held.
func (ws *waits) isIdle() bool { return ws.running == 0 && len(ws.all) > 0 }

// A wait is a branch that waits.
type wait struct {
	what  string
	until time.Time // when it ends by itself; zero: never
	woken bool      // it has been counted as running again
}

// waitLocked waits until something has changed, or until the wait's time. It is called with mu held, and
// lets go of it meanwhile. The branch does not count as running until then, which is what allows the run to
// be parked; so the caller must look at the drive's state afterwards.
func (ws *waits) waitLocked(w *wait) {
	ws.all[w] = struct{}{}
	ws.rest()
	changed := ws.changed
	ws.mu.Unlock()
	timer, stop := alarm(w.until, ws.now)
	select {
	case <-changed:
	case <-timer:
	}
	stop()
	ws.mu.Lock()
	if !w.woken { // it was the timer, which counts nobody
		ws.running++
	}
	delete(ws.all, w)
}

// alarm fires at the given time, if there is one.
func alarm(at time.Time, now func() time.Time) (<-chan time.Time, func()) {
	if at.IsZero() {
		return nil, func() {}
	}
	timer := time.NewTimer(max(at.Sub(now()), 0))
	return timer.C, func() { timer.Stop() }
}

// rest says that a branch is running no more. The last one leaves a token, which starts the grace after
// which the run is parked. It is called with mu held.
func (ws *waits) rest() {
	if ws.running--; ws.running == 0 {
		select {
		case ws.idle <- struct{}{}:
		default:
		}
	}
}

// broadcast lets every waiting branch look again. They count as running from now on, not from when
// they get around to it: else the run could be parked on what they have not seen yet. It is called
// with mu held.
func (ws *waits) broadcast() {
	for w := range ws.all {
		if !w.woken {
			w.woken = true
			ws.running++
		}
	}
	close(ws.changed)
	ws.changed = make(chan struct{})
}

// waitingFor returns when the run is due by itself, and what it waits for. It is called with mu held.
func (ws *waits) waitingFor() (until time.Time, what []string) {
	for w := range ws.all {
		if !w.until.IsZero() && (until.IsZero() || w.until.Before(until)) {
			until = w.until
		}
		what = append(what, w.what)
	}
	slices.Sort(what)
	return until, slices.Compact(what)
}
