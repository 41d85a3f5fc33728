package pace

import (
	"math"
	"time"
)

// leastShare is how far the defaults are lowered at most.
const leastShare = 1.0 / 64

// ease lowers defaults that a provider which does not tell its limits finds too high: to the part
// that it took of what was sent within a window, and up again, twofold in some windows without a
// refusal. One refusal of a few calls says little and lowers little; a burst that was mostly refused
// shows how much the provider takes.
type ease struct {
	low     float64 // zero: never lowered
	before  float64 // the share that the burst was sent with
	from    time.Time
	doubles time.Duration
}

// recovery is in how many windows what was halved is whole again: slow enough that a provider at its
// limit refuses one call in a window or two, and not the same one time and again.
const recovery = 12

func (e *ease) share(now time.Time) float64 {
	if e.low == 0 {
		return 1
	}
	grown := float64(max(now.Sub(e.from), 0)) / float64(e.doubles)
	return min(e.low*math.Exp2(grown), 1)
}

// lower takes in a refusal: of so many calls that were sent within a window, so many were refused so
// far. Until the window is over, and the pause that the provider wants, refusals are of one burst.
func (e *ease) lower(now, until time.Time, length time.Duration, sent, refused int64) {
	if e.low == 0 || !now.Before(e.from) {
		e.before, e.low = e.share(now), 1
	}
	sent = max(sent, 1)
	taken := sent - min(max(refused, 1), sent)
	e.low = min(e.low, max(e.before*float64(taken+1)/float64(sent+1), leastShare))
	e.from, e.doubles = later(until, now.Add(length)), recovery*length
}
