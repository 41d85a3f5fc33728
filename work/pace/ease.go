package pace

import (
	"math"
	"time"
)

// leastShare is how far the defaults are lowered at most.
const leastShare = 1.0 / 64

// ease lowers defaults that a provider which does not tell its limits finds too high: by half at
// each refusal, and up again by as much in some windows without one.
type ease struct {
	low     float64 // zero: never lowered
	from    time.Time
	doubles time.Duration
}

// recovery is in how many windows what was halved is whole again.
const recovery = 4

func (e *ease) share(now time.Time) float64 {
	if e.low == 0 {
		return 1
	}
	grown := float64(max(now.Sub(e.from), 0)) / float64(e.doubles)
	return min(e.low*math.Exp2(grown), 1)
}

// lower halves the share. Refusals that come in during the pause after one are of the same burst.
func (e *ease) lower(now, until time.Time, length time.Duration) {
	if e.low != 0 && now.Before(e.from) {
		e.from = until
		return
	}
	e.low = max(e.share(now)/2, leastShare)
	e.from, e.doubles = until, recovery*length
}
