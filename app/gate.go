package app

import (
	"context"
	"net/http"
	"sync"
	"time"

	"rein"
	"rein/server/wire"
)

// A gate counts the requests in progress, and lets none in once the process is about to end.
type gate struct {
	nudged chan struct{} // gets a value when it may be time to end

	mu       sync.Mutex
	open     int
	last     time.Time // when one came or ended
	released bool      // whoever came last said that they need nothing more
	closed   bool
}

// count lets requests through.
func (g *gate) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.add(1) {
			wire.Problem(w, errShut)
			return
		}
		defer g.add(-1)
		next.ServeHTTP(w, r)
	})
}

// unlessShut lets requests through that do not count. To whoever looks, a process that is about to end is not
// there any more.
func (g *gate) unlessShut(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.isShut() {
			wire.Problem(w, errShut)
			return
		}
		next.ServeHTTP(w, r)
	})
}

var errShut = rein.Errorf(rein.CodeUnavailable, "this process is shutting down")

func (g *gate) add(n int) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed && n > 0 {
		return false
	}
	g.open += n
	g.last = time.Now()
	g.released = g.released && n < 0
	if g.released && g.open == 0 {
		g.nudge()
	}
	return true
}

// release notes that whoever came last needs nothing more.
func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.released = true
	g.nudge()
}

func (g *gate) nudge() {
	select {
	case g.nudged <- struct{}{}:
	default:
	}
}

func (g *gate) isReleased() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.released
}

// used returns when a request last came or ended, and how many are in progress.
func (g *gate) used() (last time.Time, open int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last, g.open
}

func (g *gate) isShut() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// shut lets nobody in any more, if nobody is in and nothing is to be done. Work begins by requests, so there
// is none afterwards.
func (g *gate) shut(needed func() bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = g.closed || g.open == 0 && !needed()
	return g.closed
}

func (g *gate) force() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}

// A vigil waits until nobody has needed a process for some time.
type vigil struct {
	idle   time.Duration
	last   func() time.Time // when it was last needed
	leave  func() bool      // it is not needed now, and takes no more work
	done   func() bool      // the same, and nobody has anything left here
	nudged <-chan struct{}  // something may have changed
}

// wait reports whether it has come to that; false: the context ended.
func (v vigil) wait(ctx context.Context) bool {
	for since := v.last(); ; {
		if last := v.last(); last.After(since) {
			since = last
		}
		if v.done() || time.Since(since) >= v.idle && v.leave() {
			return true
		}
		select {
		case <-time.After(v.idle / 20): // what happens between two looks is seen at the next
		case <-v.nudged:
		case <-ctx.Done():
			return false
		}
	}
}
