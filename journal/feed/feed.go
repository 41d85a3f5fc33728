// Package feed follows the logs of runs live: it catches up from the store, then continues as the
// logs grow, with the text that models are writing in between. A follower that keeps up gets events as they were
// written; one that does not reads them from the store when it is ready for them. So a slow follower delays
// nobody, holds little memory and misses nothing.
package feed

import (
	"sync"

	"rein"
	"rein/store"
)

// A Feed knows which logs have grown and what models are writing now.
type Feed struct {
	source  store.Reader
	unwatch func()
	over    chan struct{} // closed by Close

	mu        sync.Mutex
	closed    bool
	followers map[rein.RunID]map[*follower]bool // by the root of the run they follow
	texts     map[rein.RunID]map[rein.StepKey]*text
	heard     map[rein.RunID]int64 // the newest event of an unfinished run that the store told of
}

// New makes a feed of the source. Close ends it.
func New(source store.Reader) *Feed {
	f := &Feed{
		source: source, over: make(chan struct{}),
		followers: map[rein.RunID]map[*follower]bool{},
		texts:     map[rein.RunID]map[rein.StepKey]*text{},
		heard:     map[rein.RunID]int64{},
	}
	f.unwatch = source.Watch(f.grown)
	return f
}

// ErrShutdown is what Follow ends with when the feed is closed.
var ErrShutdown = rein.Errorf(rein.CodeUnavailable, "the process that drives this run is shutting down: follow it again when the process is back")

// Close ends every follower with ErrShutdown, after what is durable by now.
func (f *Feed) Close() {
	f.unwatch()
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.closed = true
		close(f.over)
	}
}

// OnDelta takes a piece of text that a model or a tool has written, for engine.Options. It never waits.
func (f *Feed) OnDelta(d rein.Delta) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return
	}
	steps := f.texts[d.Run]
	if steps == nil {
		steps = map[rein.StepKey]*text{}
		f.texts[d.Run] = steps
	}
	t := steps[d.Step]
	if t == nil {
		t = &text{attempt: d.Attempt, output: d.Output}
		steps[d.Step] = t
	}
	if t.add(d) {
		f.wake(d.Run, func(*follower) {})
	}
}

// grown takes note of what is durable now. The store's writer calls it.
func (f *Feed) grown(marks []store.Mark) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range marks {
		f.heard[m.Run] = m.Seq
		switch {
		case m.Kind.Ends():
			delete(f.texts, m.Run)
			delete(f.heard, m.Run)
		case m.Kind == rein.StepDone, m.Kind == rein.SubDone:
			f.dropText(m.Run, m.Step)
		}
		f.wake(m.Run, func(l *follower) { l.grew(m) })
	}
}

// dropText lets go of a text that is in the log now. It is called with mu held.
func (f *Feed) dropText(run rein.RunID, step rein.StepKey) {
	steps := f.texts[run]
	if delete(steps, step); len(steps) == 0 {
		delete(f.texts, run)
	}
}

// wake tells those who follow the run. It is called with mu held.
func (f *Feed) wake(run rein.RunID, note func(*follower)) {
	for l := range f.followers[run.Root()] {
		if !l.follows(run) {
			continue
		}
		note(l)
		select {
		case l.woken <- struct{}{}:
		default: // it has not looked yet
		}
	}
}

func (f *Feed) join(l *follower) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root := l.run.Root()
	if f.followers[root] == nil {
		f.followers[root] = map[*follower]bool{}
	}
	f.followers[root][l] = true
}

func (f *Feed) leave(l *follower) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root := l.run.Root()
	if delete(f.followers[root], l); len(f.followers[root]) == 0 {
		delete(f.followers, root)
	}
}

// Followers returns how many follow something now.
func (f *Feed) Followers() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, of := range f.followers {
		n += len(of)
	}
	return n
}
