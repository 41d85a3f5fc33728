package keeper

import (
	"rein"
	"rein/store"
)

// news is which roots have ended since it was last read.
type news struct {
	ended  []rein.RunID
	missed bool // there were too many
}

// maxNotes bounds what is held while the keeper is busy; a sweep finds the rest.
const maxNotes = 1000

func (n *news) take(marks []store.Mark) (some bool) {
	for _, m := range marks {
		switch {
		case !m.Kind.Ends() || m.Run.Depth() > 0:
		case len(n.ended) < maxNotes:
			n.ended = append(n.ended, m.Run)
		default:
			n.missed = true
		}
	}
	return len(n.ended) > 0
}
