package pace

import (
	"time"

	"rein"
)

// How long a place is kept for a caller that is away. For hold after it is due, what it needs is
// left for it; for keep, only its place in the queue is.
const (
	hold = 2 * time.Second
	keep = 5 * time.Minute
)

// maxTokens bounds an estimate, so that sums of them cannot overflow.
const maxTokens = 1 << 40

// A lane is an account and model: what was sent, what the provider said, and who waits.
type lane struct {
	defaults amount
	window   window
	told     amount  // limits that the provider told; zero: it did not
	gates    [2]gate // what is left, as the provider told
	toldBy   uint64  // the newest call whose reply set the gates
	granted  amount  // all that was ever let through, as estimated
	seq      uint64  // of the last grant
	arrivals uint64

	line line
	byID map[string]*entry

	pausedUntil time.Time
	ease        ease
	touched     time.Time
}

// A grant is a call that was let through.
type grant struct {
	need  amount
	slot  int64
	seq   uint64
	after amount // lane.granted, this one included
	done  bool
}

func newLane(defaults Limits) *lane {
	return &lane{
		defaults: amount{defaults.Requests, defaults.Tokens},
		window:   window{length: defaults.Window},
		byID:     map[string]*entry{},
	}
}

func (ln *lane) isIdle(now time.Time) bool {
	return len(ln.byID) == 0 && len(ln.line.people.entries)+len(ln.line.others.entries) == 0 &&
		!now.Before(ln.pausedUntil) && now.Sub(ln.touched) > idleFor
}

// enter returns the entry of a call: the one it has left behind, or a new one at its run's end.
func (ln *lane) enter(want Want) *entry {
	need := amount{1, min(max(want.Tokens, 0), maxTokens)}
	if e := ln.byID[want.ID]; e != nil && !e.here {
		e.need = need
		return e
	}
	ln.arrivals++
	e := &entry{id: want.ID, run: want.Run, person: want.Person, seq: ln.arrivals, need: need}
	if want.ID != "" && ln.byID[want.ID] == nil {
		ln.byID[want.ID] = e
	}
	ln.line.of(e).add(e)
	return e
}

func (ln *lane) remove(e *entry) {
	ln.line.of(e).remove(e)
	ln.forget(e)
}

func (ln *lane) forget(e *entry) {
	if ln.byID[e.id] == e {
		delete(ln.byID, e.id)
	}
}

// abandon removes an entry whose caller has given up, even if it was just let through.
func (ln *lane) abandon(e *entry, now time.Time) {
	if e.grant == nil {
		ln.remove(e)
	} else {
		e.grant.done = true
		ln.window.giveBack(e.grant.slot, e.grant.need)
	}
	ln.admit(now, nil)
}

// admit lets through whom it can, in order, and makes the first who has to wait look again at how
// long that is, unless it is the asker itself.
func (ln *lane) admit(now time.Time, asker *entry) {
	ln.window.expire(now)
	ln.dropLost(now)
	for {
		e, free := ln.first(now)
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
func (ln *lane) first(now time.Time) (e *entry, free bool) {
	var away amount
	var back time.Time // when the first of them is expected
	for e := range ln.line.inOrder() {
		if e.here {
			return e, ln.fits(e.need, now) && (away == amount{} || ln.leaves(e.need.plus(away), later(back, now)))
		}
		if now.After(e.due.Add(hold)) {
			continue // it is late
		}
		if away == (amount{}) || e.due.Before(back) {
			back = e.due
		}
		away = away.plus(e.need)
	}
	return nil, false
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
	ln.line.granted(e)
	ln.forget(e)
}

// leastWait keeps a caller from asking in a loop.
const leastWait = 10 * time.Millisecond

// waitOf says how long an entry waits at least, and when it should look again although nobody has
// told it to: if one who is away does not come back, its turn may be sooner.
func (ln *lane) waitOf(e *entry, now time.Time) (wait, alarm time.Duration) {
	limit := ln.limit(now)
	var need amount
	alarm = maxWait
	for other := range ln.line.inOrder() {
		if !other.here {
			late := other.due.Add(hold).Sub(now)
			if late < 0 {
				continue
			}
			alarm = min(alarm, late+leastWait)
		}
		for dim, n := range other.need {
			need[dim] += min(n, limit[dim])
		}
		if other == e {
			break
		}
	}
	wait = max(ln.pausedUntil.Sub(now), leastWait)
	for dim, n := range need {
		wait = max(wait, ln.window.until(dim, n, limit[dim], now), ln.gates[dim].until(n, ln.granted[dim], now))
	}
	return wait, min(alarm, wait)
}

// settle replaces the estimate of a call by what it took. What was too much is given back to the
// time when it was sent; what was too little counts from now on.
func (ln *lane) settle(g *grant, used int64, now time.Time) {
	if used < 0 {
		return
	}
	more := min(used, maxTokens) - g.need[tokens]
	if more > 0 {
		ln.window.add(now, amount{0, more})
	} else {
		ln.window.giveBack(g.slot, amount{0, -more})
	}
}

// learn takes over what the provider said. What is left is believed to the newest call that tells.
func (ln *lane) learn(g *grant, pace rein.Pace, now time.Time) {
	isNewest := g.seq >= ln.toldBy
	for dim, a := range [2]rein.Allowance{pace.Requests, pace.Tokens} {
		if a.Limit > 0 {
			ln.told[dim] = min(a.Limit, maxTokens)
		}
		if !a.Known || !isNewest {
			continue
		}
		ln.toldBy = g.seq
		ln.gates[dim] = newGate(a, ln.limit(now)[dim], g.after[dim], now, ln.window.length)
	}
}

// limit is how much may be sent in a window.
func (ln *lane) limit(now time.Time) amount {
	limit := ln.told
	for dim, told := range ln.told {
		if told == 0 {
			limit[dim] = max(int64(ln.ease.share(now)*float64(ln.defaults[dim])), 1)
		}
	}
	return limit
}

func (ln *lane) pause(now time.Time, d time.Duration) {
	if until := now.Add(d); until.After(ln.pausedUntil) {
		ln.pausedUntil = until
	}
	ln.ease.lower(now, ln.pausedUntil, ln.window.length)
}
