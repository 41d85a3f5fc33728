package telemetry

import "context"

// ForgetAll forgets every run, as if there had been too many.
func (w *Watcher) ForgetAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.known {
		w.forget(id)
	}
}

// Known is how many runs are kept in mind.
func (w *Watcher) Known() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.known)
}

// What is bounded, and by how much.
const (
	MaxNotes = maxNotes
	MaxQueue = maxQueue
	MaxNames = maxNames
	MaxItems = maxItems
)

// ReadOnly reads what is noted and exports nothing.
func (w *Watcher) ReadOnly(ctx context.Context) { w.read(ctx) }
