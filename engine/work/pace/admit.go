package pace

import (
	"time"

	"rein/internal/turn"
)

// How long a place is kept for a caller that is away. For hold after it is due, what it needs is
// left for it; for keep, only its place in the queue is.
const (
	hold = 2 * time.Second
	keep = 5 * time.Minute
)

// admit lets through whom it can, in order, and makes the first who has to wait look again at how
// long that is, unless it is the asker itself.
func (ln *lane) admit(now time.Time, asker *entry) {
	ln.window.expire(now)
	ln.dropLost(now)
	for {
		e, free := ln.first(now, asker)
		if e == nil {
			return
		}
		if free {
			ln.grant(e, now)
		}
		if e != asker && e.look != nil {
			select {
			case e.look <- struct{}{}:
			default: // it will look anyhow
			}
		}
		if !free {
			return
		}
	}
}

// dropLost forgets the entries of callers that did not come back.
func (ln *lane) dropLost(now time.Time) {
	if now.Sub(ln.swept) < time.Second {
		return
	}
	ln.swept = now
	var lost []*entry
	for _, e := range ln.byID {
		if !e.here && now.After(e.due.Add(keep)) {
			lost = append(lost, e)
		}
	}
	for _, e := range lost {
		ln.remove(e)
	}
}

// first returns the first entry that is here, and whether it can go: there is room for it, and it
// takes nothing from those before it who are away.
func (ln *lane) first(now time.Time, asker *entry) (e *entry, free bool) {
	switch {
	case ln.blocking > 0:
		if place := ln.line.First(func(p *turn.Place[*entry]) bool { return p.Item.here }); place != nil {
			e = place.Item
		}
	case asker != nil && asker.grant == nil:
		e = asker // nobody else is here
	}
	if e == nil || !ln.fits(e.need, now) {
		return e, false
	}
	away, back := ln.awayBefore(e.place, now)
	return e, away == amount{} || ln.leaves(e.need.plus(away), later(back, now))
}

// awayBefore is what is left for those before a place who are away, and when the first of them is
// expected.
func (ln *lane) awayBefore(place *turn.Place[*entry], now time.Time) (away amount, back time.Time) {
	for p := range ln.line.InOrder() {
		if p == place {
			break
		}
		e := p.Item
		if e.here || !ln.isHeld(e, now) {
			continue
		}
		if away == (amount{}) || e.due.Before(back) {
			back = e.due
		}
		away = away.plus(e.need)
	}
	return away, back
}

// isHeld reports whether something is left for a caller that is away: it is not late, and what is
// sent now will still count when it comes back.
func (ln *lane) isHeld(e *entry, now time.Time) bool {
	return !now.After(e.due.Add(hold)) && e.due.Before(now.Add(ln.window.length))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// fits reports whether a call may be sent now. One that is larger than the whole window goes alone,
// once the window is empty.
func (ln *lane) fits(need amount, now time.Time) bool {
	if now.Before(ln.pausedUntil) {
		return false
	}
	limit := ln.limit(now)
	for dim, n := range need {
		if used := ln.window.used[dim]; used > 0 && used+n > limit[dim] {
			return false
		}
		if !ln.gates[dim].fits(n, ln.granted[dim], now) {
			return false
		}
	}
	return true
}

// leaves reports whether so much can be sent by then.
func (ln *lane) leaves(need amount, by time.Time) bool {
	limit, used := ln.limit(by), ln.window.usedAt(by)
	for dim, n := range need {
		if used[dim]+n > limit[dim] || !ln.gates[dim].fits(n, ln.granted[dim], by) {
			return false
		}
	}
	return true
}

func (ln *lane) grant(e *entry, now time.Time) {
	ln.seq++
	ln.granted = ln.granted.plus(e.need)
	e.grant = &grant{need: e.need, slot: ln.window.add(now, e.need), seq: ln.seq, after: ln.granted}
	ln.line.Serve(e.place)
	ln.forget(e)
}

// leastWait keeps a caller from asking in a loop.
const leastWait = 10 * time.Millisecond

// waitOf says how long an entry waits at least, if all before it come back when they are due; and
// when it should look again although nobody has told it to: its turn may be sooner if they do not.
func (ln *lane) waitOf(e *entry, now time.Time) (wait, alarm time.Duration) {
	var all, near amount
	limit := ln.limit(now)
	alarm = maxWait
	for place := range ln.line.InOrder() {
		other := place.Item
		late := other.due.Add(hold).Sub(now)
		if !other.here && late < 0 {
			continue
		}
		need := amount{other.need[requests], min(other.need[tokens], limit[tokens])}
		all = all.plus(need)
		if other == e {
			near = near.plus(need)
			break
		}
		if other.here {
			near = near.plus(need)
		} else if ln.isHeld(other, now) {
			near = near.plus(need)
			alarm = min(alarm, late+leastWait)
		}
	}
	return ln.until(all, now), min(alarm, ln.until(near, now))
}

// until is how long it takes at least until so much can have been sent.
func (ln *lane) until(need amount, now time.Time) time.Duration {
	wait, limit := max(ln.pausedUntil.Sub(now), leastWait), ln.limit(now)
	for dim, n := range need {
		wait = max(wait, ln.window.until(dim, n, limit[dim], now), ln.gates[dim].until(n, ln.granted[dim], now))
	}
	return wait
}
