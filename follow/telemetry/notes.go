package telemetry

import (
	"maps"
	"slices"
	"strings"

	"rein"
	"rein/store"
)

// news is which runs' logs have grown since it was last read.
type news struct {
	grown  map[rein.RunID]reach
	missed int64 // events of runs that there was no room for
}

// A reach is the part of a log that has not been read.
type reach struct{ from, to int64 }

// maxNotes bounds the runs that are noted while the reader is busy. However much the log of one of
// them grows, it is one note.
const maxNotes = 4096

func (n *news) take(marks []store.Mark) (some bool) {
	if n.grown == nil {
		n.grown = map[rein.RunID]reach{}
	}
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
	return true
}

// A note is one run with the part of its log that is new.
type note struct {
	run rein.RunID
	reach
}

// list returns the runs, parents before their children.
func (n *news) list() (list []note) {
	for _, run := range slices.SortedFunc(maps.Keys(n.grown), func(a, b rein.RunID) int { return strings.Compare(string(a), string(b)) }) {
		list = append(list, note{run, n.grown[run]})
	}
	return list
}
