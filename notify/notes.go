package notify

import (
	"sync"

	"rein"
	"rein/store"
)

// notes are what has happened since they were last read. Whoever writes the logs takes them, and must
// not wait.
type notes struct {
	some chan struct{} // holds one token when there are any

	mu sync.Mutex
	news
}

// news is what is to be looked at.
type news struct {
	opened []rein.AskID
	closed []rein.RunID // in which asks may have been closed
	ended  []rein.RunID // roots
	missed bool         // there was more than is held: a sweep finds it
}

// maxNotes bounds what is held while the notifier is busy.
const maxNotes = 4096

func newNotes() *notes { return &notes{some: make(chan struct{}, 1)} }

func (n *notes) take(marks []store.Mark) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range marks {
		n.takeOne(m)
	}
	n.tell()
}

func (n *notes) takeOne(m store.Mark) {
	if m.Kind == rein.AskOpened {
		n.opened = keep(n, n.opened, rein.NewAskID(m.Run, m.Step))
		return
	}
	ends := m.Kind.Ends()
	if ends && m.Run.Depth() == 0 {
		n.ended = keep(n, n.ended, m.Run)
	}
	if ends || closes(m.Kind.Command()) {
		n.closed = keep(n, n.closed, m.Run)
	}
}

// closes reports whether a command can close an ask.
func closes(kind rein.CommandKind) bool {
	return kind == rein.CommandAnswer || kind == rein.CommandExpire || kind == rein.CommandModify || kind.Force() > 0
}

func keep[T comparable](n *notes, list []T, item T) []T {
	if len(list) > 0 && list[len(list)-1] == item {
		return list
	}
	if len(list) >= maxNotes {
		n.missed = true
		return list
	}
	return append(list, item)
}

// again has the asks of a run looked at once more.
func (n *notes) again(runs []rein.RunID) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, run := range runs {
		n.closed = keep(n, n.closed, run)
	}
	n.tell()
}

// tell is called with mu held.
func (n *notes) tell() {
	if len(n.opened)+len(n.closed)+len(n.ended) == 0 {
		return
	}
	select {
	case n.some <- struct{}{}:
	default:
	}
}

func (n *notes) read() news {
	n.mu.Lock()
	defer n.mu.Unlock()
	read := n.news
	n.news = news{}
	return read
}
