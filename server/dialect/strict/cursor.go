package strict

import (
	"fmt"
	"strconv"
	"strings"

	"rein"
)

// A place is after a message: that of a run's log at seq, as its n-th. As text it is "RUN:SEQ.N".
// "RUN:SEQ", which is what other feeds of the log know, is after all messages of the event.
type place struct {
	run rein.RunID
	seq int64
	n   int
}

// all is more messages than an event has.
const all = 1 << 30

func (p place) String() string { return fmt.Sprintf("%s:%d.%d", p.run, p.seq, p.n) }

// before reports whether the place comes before the n-th message of an event.
func (p place) before(seq int64, n int) bool {
	return p.seq < seq || p.seq == seq && p.n < n
}

func parsePlace(text string) (place, error) {
	wrong := rein.Errorf(rein.CodeInvalid, "after is %.80q; it must be the cursor of a message, as RUN:NUMBER.NUMBER", text)
	run, at, ok := strings.Cut(text, ":")
	p := place{run: rein.RunID(run), n: all}
	if !ok || p.run.Check() != nil {
		return place{}, wrong
	}
	seq, n, several := strings.Cut(at, ".")
	var err error
	if p.seq, err = strconv.ParseInt(seq, 10, 64); err != nil || p.seq < 0 {
		return place{}, wrong
	}
	if several {
		if p.n, err = strconv.Atoi(n); err != nil || p.n < 0 {
			return place{}, wrong
		}
	}
	return p, nil
}
