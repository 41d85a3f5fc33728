package feed

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// A cursor is what a follower has been given: of each run, the sequence number of its last event. As
// text it is the number of the run that is followed and, for a tree, the numbers of those below it:
// "12,3=4,3.1=2".
type cursor map[rein.RunID]int64

// text writes the cursor of the run, or of the tree below it.
func (c cursor) text(run rein.RunID) string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(c[run], 10))
	if len(c) == 1 {
		return b.String()
	}
	for _, id := range slices.Sorted(maps.Keys(c)) {
		if below, ok := strings.CutPrefix(string(id), string(run)+rein.Separator); ok {
			b.WriteString("," + below + "=" + strconv.FormatInt(c[id], 10))
		}
	}
	return b.String()
}

// parseCursor reads a cursor; an empty one is the beginning.
func parseCursor(run rein.RunID, s string, tree bool) (cursor, error) {
	c := cursor{run: 0}
	if s == "" {
		return c, nil
	}
	own, below, several := strings.Cut(s, ",")
	var ok bool
	if c[run], ok = parseSeq(own); !ok {
		return nil, badCursor(run, s, "take the cursor of a line of this feed, or none for the beginning")
	}
	if !several {
		return c, nil
	}
	if !tree {
		return nil, badCursor(run, s, "it is of a whole tree: follow the tree, or give the number before the first comma")
	}
	for pair := range strings.SplitSeq(below, ",") {
		name, seq, _ := strings.Cut(pair, "=")
		id := run + rein.Separator + rein.RunID(name)
		_, twice := c[id]
		if c[id], ok = parseSeq(seq); !ok || twice || id.Check() != nil {
			return nil, badCursor(run, s, "take the cursor of a line of this feed, or none for the beginning")
		}
	}
	return c, nil
}

// parseSeq reads a sequence number as this package writes it.
func parseSeq(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && strconv.FormatInt(n, 10) == s
}

func badCursor(run rein.RunID, s, why string) error {
	return rein.Errorf(rein.CodeInvalid, "cursor %.80q is none of run %s: %s", s, run, why)
}

// ErrLost is wrapped by the error for a cursor that is well formed and of another log than there is:
// of one that was restored from a backup, say. Who has it must begin again.
var ErrLost = errors.New("what the cursor is of is gone")

func lostCursor(run rein.RunID, s, why string) error {
	return &lost{badCursor(run, s, why)}
}

type lost struct{ error }

func (l *lost) Unwrap() []error { return []error{l.error, ErrLost} }
