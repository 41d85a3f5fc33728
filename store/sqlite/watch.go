package sqlite

import (
	"slices"
	"sync"

	"rein"
	"rein/store"
)

// watchers are told of every commit.
type watchers struct {
	watchMu sync.Mutex // held while they are told, so that none is told after its stop
	watch   []*watcher
}

type watcher struct{ tell func([]store.Mark) }

// Watch implements store.Watcher. A store that is open for reading writes nothing, and so tells
// nothing.
func (s *Store) Watch(f func([]store.Mark)) (stop func()) {
	w := &watcher{f}
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	s.watch = append(s.watch, w)
	return func() {
		s.watchMu.Lock()
		defer s.watchMu.Unlock()
		for i := range s.watch {
			if s.watch[i] == w {
				s.watch = append(s.watch[:i:i], s.watch[i+1:]...)
				return
			}
		}
	}
}

// tell says which events are durable now.
func (w *writer) tell() {
	if w.onCommit != nil {
		w.onCommit(w.events)
	}
	w.store.watchMu.Lock()
	defer w.store.watchMu.Unlock()
	if len(w.store.watch) == 0 {
		return
	}
	marks, events := make([]store.Mark, len(w.events)), slices.Clone(w.events) // the writer uses its list again
	for i := range events {
		e := &events[i]
		marks[i] = store.Mark{Run: e.Run, Seq: e.Seq, Kind: e.Kind, Step: e.Step, Size: len(e.Data), Read: func() rein.Event { return *e }}
	}
	for _, watcher := range w.store.watch {
		watcher.tell(marks)
	}
}
