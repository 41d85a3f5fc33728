package notify

import (
	"rein"
	"rein/store"
)

// news is what has happened since it was last read, and is to be looked at.
type news struct {
	opened []rein.AskID
	closed []rein.RunID // in which asks may have been closed
	ended  []rein.RunID // roots
	missed bool         // there was more than is held: a sweep finds it
}

// maxNotes bounds what is held while the notifier is busy.
const maxNotes = 4096

func (n *news) take(marks []store.Mark) (some bool) {
	for _, m := range marks {
		n.takeOne(m)
	}
	return n.some()
}

func (n *news) takeOne(m store.Mark) {
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

func keep[T comparable](n *news, list []T, item T) []T {
	if len(list) > 0 && list[len(list)-1] == item {
		return list
	}
	if len(list) >= maxNotes {
		n.missed = true
		return list
	}
	return append(list, item)
}

// again has the asks of runs looked at once more.
func (n *news) again(runs []rein.RunID) (some bool) {
	for _, run := range runs {
		n.closed = keep(n, n.closed, run)
	}
	return n.some()
}

func (n *news) some() bool { return len(n.opened)+len(n.closed)+len(n.ended) > 0 }
