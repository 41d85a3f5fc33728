package pace

import (
	"slices"
	"time"
)

// An amount is of requests and tokens, in this order.
type amount [2]int64

const (
	requests = iota
	tokens
)

func (a amount) plus(b amount) amount { return amount{a[0] + b[0], a[1] + b[1]} }

// slotsPerWindow bounds the memory of a window. What is sent within one slot counts as sent at the
// slot's latest moment, so a window never lets too much through.
const slotsPerWindow = 600

// A window is what was sent within its length before now. It slides: at no moment does it forget
// more than what is as old as it is long.
type window struct {
	length  time.Duration
	slots   []slot // by time
	used    amount // of all slots
	refused int64  // calls, of all slots
}

type slot struct {
	number  int64 // time in units of a slot's length
	last    time.Time
	used    amount
	refused int64
}

func (w *window) number(now time.Time) int64 {
	return now.UnixNano() / max(int64(w.length)/slotsPerWindow, 1)
}

// expire forgets what no longer counts.
func (w *window) expire(now time.Time) {
	n := 0
	for n < len(w.slots) && !w.counts(w.slots[n], now) {
		w.used = w.used.plus(amount{-w.slots[n].used[requests], -w.slots[n].used[tokens]})
		w.refused -= w.slots[n].refused
		n++
	}
	w.slots = slices.Delete(w.slots, 0, n)
}

// counts reports whether what was sent in the slot still counts at a time.
func (w *window) counts(s slot, at time.Time) bool { return at.Before(s.last.Add(w.length)) }

// add counts an amount as sent now and returns the number of its slot.
func (w *window) add(now time.Time, a amount) int64 {
	number := w.number(now)
	if n := len(w.slots); n == 0 || w.slots[n-1].number < number {
		w.slots = append(w.slots, slot{number: number})
	}
	last := &w.slots[len(w.slots)-1]
	last.last, last.used = now, last.used.plus(a)
	w.used = w.used.plus(a)
	return last.number
}

// find returns the place of a slot, if it still counts.
func (w *window) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(w.slots, number, func(s slot, n int64) int { return int(s.number - n) })
}

// refuse notes that a call of a slot was refused. It counts as sent all the same.
func (w *window) refuse(number int64) {
	if i, ok := w.find(number); ok {
		w.slots[i].refused++
		w.refused++
	}
}

// giveBack takes an amount out of a slot, if it still counts.
func (w *window) giveBack(number int64, a amount) {
	i, ok := w.find(number)
	if !ok {
		return
	}
	for dim, n := range a {
		n = min(n, w.slots[i].used[dim])
		w.slots[i].used[dim] -= n
		w.used[dim] -= n
	}
}

// usedAt is how much of what has been sent will still count at a time.
func (w *window) usedAt(at time.Time) amount {
	used := w.used
	for _, s := range w.slots {
		if w.counts(s, at) {
			break
		}
		used = used.plus(amount{-s.used[requests], -s.used[tokens]})
	}
	return used
}

// until is how long it takes at least until n fit below the limit, if all of it is sent as soon as
// it can be. Each whole limit takes a window, whose places are free again in the same rhythm.
func (w *window) until(dim int, n, limit int64, now time.Time) time.Duration {
	windows := max(n-1, 0) / limit
	wait := time.Duration(windows) * w.length
	over := w.used[dim] + n - windows*limit - limit
	for _, s := range w.slots {
		if over <= 0 {
			break
		}
		if over -= s.used[dim]; over <= 0 {
			wait += s.last.Add(w.length).Sub(now)
		}
	}
	return wait
}
