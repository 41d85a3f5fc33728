package pace

import (
	"time"

	"rein"
	"rein/internal/turn"
)

// maxTokens bounds an estimate, so that sums of them cannot overflow.
const maxTokens = 1 << 40

// A lane is an account and model: what was sent, what the provider said, and who waits.
type lane struct {
	defaults amount // parts below zero are not known
	measured amount // what was sent within a window when the provider refused a call; zero: it never did
	window   window
	told     amount  // limits that the provider told; zero: it did not
	gates    [2]gate // what is left, as the provider told
	toldBy   uint64  // the newest call whose reply set the gates
	granted  amount  // all that was ever let through, as estimated
	seq      uint64  // of the last grant

	line     turn.Line[*entry]
	byID     map[string]*entry
	blocking int // how many of them block in Wait

	pausedUntil time.Time
	ease        ease
	touched     time.Time
	swept       time.Time // when lost entries were last looked for
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
	return len(ln.byID) == 0 && ln.line.Len() == 0 &&
		!now.Before(ln.pausedUntil) && now.Sub(ln.touched) > idleFor
}

// enter returns the entry of a call: the one it has left behind, or a new one at its run's end.
func (ln *lane) enter(want Want) *entry {
	need := amount{1, min(max(want.Tokens, 0), maxTokens)}
	if e := ln.byID[want.ID]; e != nil && !e.here {
		e.need = need
		return e
	}
	e := &entry{id: want.ID, need: need}
	if want.ID != "" && ln.byID[want.ID] == nil {
		ln.byID[want.ID] = e
	}
	e.place = ln.line.Add(want.who(), e)
	return e
}

func (ln *lane) remove(e *entry) {
	ln.line.Remove(e.place)
	ln.forget(e)
}

func (ln *lane) forget(e *entry) {
	if e.look != nil {
		ln.blocking--
	}
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
		limit := ln.limit(now)[dim]
		if limit == maxTokens {
			limit = 0 // what is left is all that is known
		}
		ln.gates[dim] = newGate(a, limit, g.after[dim], now, ln.window.length)
	}
}

// limit is how much may be sent in a window.
func (ln *lane) limit(now time.Time) amount {
	limit := ln.told
	for dim, told := range ln.told {
		if told == 0 {
			limit[dim] = ln.own(dim, now)
		}
	}
	return limit
}

// own is our own limit of what the provider does not tell.
func (ln *lane) own(dim int, now time.Time) int64 {
	share, base := ln.ease.share(now), ln.defaults[dim]
	if base < 0 {
		if share == 1 {
			return maxTokens
		}
		base = ln.measured[dim]
	}
	return max(int64(share*float64(base)), 1)
}

// refuse takes in that the provider did not want a call, and wants none for so long.
func (ln *lane) refuse(g *grant, now time.Time, d time.Duration) {
	if until := now.Add(d); until.After(ln.pausedUntil) {
		ln.pausedUntil = until
	}
	ln.window.expire(now)
	ln.window.refuse(g.slot)
	ln.measured = amount{max(ln.window.used[requests], usualRequests), max(ln.window.used[tokens], usualTokens)}
	ln.ease.lower(now, ln.pausedUntil, ln.window.length, ln.window.used[requests], ln.window.refused)
}
