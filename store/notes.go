package store

import "sync"

// Notes are what the function of a Watch has written down for a reader that works at its own pace. The
// store's writer calls that function and waits for it, so it must do no more than this. T is what is
// held; whoever defines it decides how much that may be, and what becomes of the rest.
type Notes[T any] struct {
	// Some holds a token when something may have been noted since the last Read.
	Some chan struct{}

	mu   sync.Mutex
	held T
}

// NewNotes returns notes that hold the zero value of T.
func NewNotes[T any]() *Notes[T] { return &Notes[T]{Some: make(chan struct{}, 1)} }

// Note changes what is held. change reports whether there is anything to read.
func (n *Notes[T]) Note(change func(held *T) (some bool)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !change(&n.held) {
		return
	}
	select {
	case n.Some <- struct{}{}:
	default: // the reader has not looked yet
	}
}

// Read takes what is held and leaves the zero value.
func (n *Notes[T]) Read() T {
	n.mu.Lock()
	defer n.mu.Unlock()
	var none T
	held := n.held
	n.held = none
	return held
}

// Watch has take write down what is new of each commit, until stop.
func (n *Notes[T]) Watch(w Watcher, take func(held *T, marks []Mark) (some bool)) (stop func()) {
	return w.Watch(func(marks []Mark) {
		n.Note(func(held *T) bool { return take(held, marks) })
	})
}
