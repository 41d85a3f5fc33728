package pace

import (
	"time"

	"rein"
)

// A gate is what a provider said is left of a window that others may use too. It fills evenly until
// it is whole again; then it is open, and only our own count holds.
type gate struct {
	left, limit int64
	base        int64 // how much had been let through, with the call whose reply told
	from        time.Time
	fill        time.Duration // zero: nothing was told
}

func newGate(a rein.Allowance, limit, base int64, now time.Time, length time.Duration) gate {
	fill := a.Reset
	if fill <= 0 {
		fill = length
	}
	left := max(a.Left, 0)
	return gate{left: left, limit: max(limit, left, 1), base: base, from: now, fill: min(fill, maxWait)}
}

func (g gate) isOpen(at time.Time) bool { return g.fill == 0 || !at.Before(g.from.Add(g.fill)) }

// fits reports whether n more may be sent at a time, after so much was let through in all. What is
// larger than the limit goes when everything is there.
func (g gate) fits(n, granted int64, at time.Time) bool {
	return g.isOpen(at) || g.there(granted, at) >= min(n, g.limit)
}

func (g gate) there(granted int64, at time.Time) int64 {
	share := float64(max(at.Sub(g.from), 0)) / float64(g.fill)
	return g.left + int64(share*float64(g.limit-g.left)) - (granted - g.base)
}

// until is how long it takes until n more may be sent.
func (g gate) until(n, granted int64, now time.Time) time.Duration {
	if g.fits(n, granted, now) {
		return 0
	}
	open := g.from.Add(g.fill).Sub(now)
	missing := min(n, g.limit) - g.there(granted, now)
	rate := float64(g.limit-g.left) / float64(g.fill) // per nanosecond
	if rate <= 0 || float64(missing)/rate >= float64(open) {
		return open
	}
	return min(time.Duration(float64(missing)/rate)+time.Millisecond, open)
}
