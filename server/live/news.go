package live

import (
	"rein"
	"rein/store"
)

// How many changes, and bytes of steps, may wait until listeners hear of them. If there are more, every listener begins again.
const (
	maxNews  = 4096
	maxBytes = 16 << 20
	maxCall  = 256 << 10 // bytes of a step that began, if it is a call: prompts have more
)

// news holds what the store reported and no listener has heard yet.
type news struct {
	roots  map[rein.RunID]bool // those in whose tree something happened; true: their session shows it
	opened []store.Mark        // of asks
	closed map[rein.RunID]bool // the runs whose asks may have been closed; true: the run has ended
	steps  []store.Mark        // that began or ended
	size   int                 // of the payloads of steps
	lost   bool                // there was too much
}

// take notes marks. The writer of the store waits for it.
func (n *news) take(marks []store.Mark) (some bool) {
	if n.lost {
		return true
	}
	if n.roots == nil {
		n.roots, n.closed = map[rein.RunID]bool{}, map[rein.RunID]bool{}
	}
	for _, m := range marks {
		root := m.Run.Root()
		n.roots[root] = n.roots[root] || m.Run == root && isListed(m.Kind)
		switch {
		case m.Kind == rein.AskOpened:
			n.opened = append(n.opened, m)
		case m.Kind == rein.StepStarted && m.Size > maxCall: // a prompt
		case (m.Kind == rein.StepStarted || m.Kind == rein.StepDone) && m.Read != nil:
			n.steps, n.size = append(n.steps, m), n.size+m.Size
		case closesAsks(m.Kind):
			n.closed[m.Run] = n.closed[m.Run] || m.Kind.Ends()
		}
	}
	if len(n.roots) > maxNews || len(n.opened) > maxNews || len(n.closed) > maxNews || len(n.steps) > maxNews || n.size > maxBytes {
		*n = news{lost: true}
	}
	return len(marks) > 0
}

// isListed reports whether an event of a root changes what is shown of its session.
func isListed(kind rein.Kind) bool {
	switch kind {
	case rein.RunStarted, rein.RunParked, rein.RunBlocked, rein.RunResumed:
		return true
	}
	return kind.Ends()
}

// closesAsks reports whether asks of the run may have been closed in the transaction of the event.
func closesAsks(kind rein.Kind) bool {
	switch kind.Command() {
	case rein.CommandAnswer, rein.CommandExpire, rein.CommandModify, rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
		return true
	}
	return kind.Ends()
}
