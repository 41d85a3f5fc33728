package telemetry

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"rein"
	"rein/store"
)

// notes are the runs whose logs have grown since they were last read. Whoever writes the logs takes
// them, and must not wait.
type notes struct {
	some chan struct{} // holds one token when there are any

	mu     sync.Mutex
	grown  map[rein.RunID]reach
	missed int64 // events of runs that there was no room for
}

// A reach is the part of a log that has not been read.
type reach struct{ from, to int64 }

// maxNotes bounds the runs that are noted while the reader is busy. However much the log of one of
// them grows, it is one note.
const maxNotes = 4096

func newNotes() *notes {
	return &notes{some: make(chan struct{}, 1), grown: map[rein.RunID]reach{}}
}

func (n *notes) take(marks []store.Mark) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, m := range marks {
		r, noted := n.grown[m.Run]
		switch {
		case noted:
			n.grown[m.Run] = reach{r.from, m.Seq}
		case len(n.grown) < maxNotes:
			n.grown[m.Run] = reach{m.Seq, m.Seq}
		default:
			n.missed++
		}
	}
	select {
	case n.some <- struct{}{}:
	default: // the reader has not looked yet
	}
}

// A note is one run with the part of its log that is new.
type note struct {
	run rein.RunID
	reach
}

// read returns what is noted, parents before their children, and how many events were missed.
func (n *notes) read() (list []note, missed int64) {
	n.mu.Lock()
	grown := n.grown
	missed, n.grown, n.missed = n.missed, map[rein.RunID]reach{}, 0
	n.mu.Unlock()
	for _, run := range slices.SortedFunc(maps.Keys(grown), func(a, b rein.RunID) int { return strings.Compare(string(a), string(b)) }) {
		list = append(list, note{run, grown[run]})
	}
	return list, missed
}
