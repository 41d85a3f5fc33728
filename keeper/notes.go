package keeper

import (
	"sync"

	"rein"
	"rein/store"
)

// notes are the roots that have ended since they were last read. Whoever writes the logs takes them,
// and must not wait.
type notes struct {
	some chan struct{} // holds one token when there are any

	mu     sync.Mutex
	ended  []rein.RunID
	missed bool // there were too many
}

// maxNotes bounds what is held while the keeper is busy; a sweep finds the rest.
const maxNotes = 1000

func newNotes() *notes { return &notes{some: make(chan struct{}, 1)} }

func (n *notes) take(marks []store.Mark) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range marks {
		switch {
		case !m.Kind.Ends() || m.Run.Depth() > 0:
		case len(n.ended) < maxNotes:
			n.ended = append(n.ended, m.Run)
		default:
			n.missed = true
		}
	}
	if len(n.ended) > 0 {
		select {
		case n.some <- struct{}{}:
		default:
		}
	}
}

func (n *notes) read() (ended []rein.RunID, missed bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ended, missed = n.ended, n.missed
	n.ended, n.missed = nil, false
	return ended, missed
}
