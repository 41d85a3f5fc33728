package engine

import (
	"sync"
	"time"
)

// A stopwatch measures the driven time of a call and ends the call when its limit is reached. It stands still while
// the call waits: waiting is free.
type stopwatch struct {
	mu     sync.Mutex
	limit  time.Duration
	before time.Duration // what was measured until it last stood still
	since  time.Time     // zero: it stands still
	timer  *time.Timer
	late   func()
}

// startWatch starts a stopwatch. late is called at the limit.
func startWatch(limit time.Duration, late func()) *stopwatch {
	w := &stopwatch{limit: limit, late: late}
	w.run()
	return w
}

// run lets it run on.
func (w *stopwatch) run() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since.IsZero() {
		w.since, w.timer = time.Now(), time.AfterFunc(w.limit-w.before, w.late)
	}
}

// stop makes it stand still.
func (w *stopwatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.since.IsZero() {
		w.timer.Stop()
		w.before, w.since = w.before+time.Since(w.since), time.Time{}
	}
}

// measured returns the time so far.
func (w *stopwatch) measured() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.since.IsZero() {
		return w.before
	}
	return w.before + time.Since(w.since)
}
