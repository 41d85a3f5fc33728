package sqlite

import (
	"sync"

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
	marks := make([]store.Mark, len(w.events))
	for i := range w.events {
		e := &w.events[i]
		marks[i] = store.Mark{Run: e.Run, Seq: e.Seq, Kind: e.Kind, Step: e.Step}
	}
	for _, watcher := range w.store.watch {
		watcher.tell(marks)
	}
}
