package pace

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// A reference lets calls through by the definition: in order, each as soon as all that went within a
// window before it leaves room.
type reference struct {
	limits Limits
	sent   []sent
	last   time.Time
}

func (r *reference) next(arrived time.Time, n int64) time.Time {
	at := arrived
	if r.last.After(at) {
		at = r.last
	}
	for {
		used, soonest := amount{}, time.Time{}
		for _, s := range r.sent {
			if end := s.at.Add(r.limits.Window); at.Before(end) {
				used = used.plus(s.used)
				if soonest.IsZero() || end.Before(soonest) {
					soonest = end
				}
			}
		}
		if used == (amount{}) || used[requests]+1 <= r.limits.Requests && (used[tokens]+n <= r.limits.Tokens || used[tokens] == 0) {
			break
		}
		at = soonest
	}
	r.sent = append(r.sent, sent{at: at, used: amount{1, n}})
	r.last = at
	return at
}

// One run's calls go exactly when the definition lets them, up to the length of a slot.
//
// Covers: SD-70 SD-73
func TestCallsGoWhenTheDefinitionSays(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			limits := Limits{Requests: 1 + r.Int64N(20), Tokens: 1 + r.Int64N(5000), Window: time.Duration(1+r.IntN(60)) * time.Second}
			l, ref := New(limits, nil), &reference{limits: limits}
			slot := limits.Window / slotsPerWindow
			calls := 100
			for i := range calls {
				time.Sleep(time.Duration(r.Int64N(int64(limits.Window) / 10)))
				n := r.Int64N(limits.Tokens * 5 / 4)
				arrived := time.Now()
				if _, err := l.Wait(t.Context(), acc, mod, Want{ID: fmt.Sprint(i), Run: "r", Tokens: n}, nil); err != nil {
					t.Fatal(err)
				}
				want, got := ref.next(arrived, n), time.Now()
				// The reference is told when each call went, so errors do not add up.
				ref.sent[i].at, ref.last = got, got
				if got.Before(want) || got.After(want.Add(slot+leastWait)) {
					t.Fatalf("seed %d, limits %+v: call %d of %d tokens went at %v, want %v", seed, limits, i, n, got.Sub(arrived), want.Sub(arrived))
				}
			}
		})
	}
}

// Whatever is asked, cancelled and settled, no window has more than the limit, unless it is one call
// alone, and everybody who stays goes through in the end.
//
// Covers: SD-70 SD-73 SD-75
func TestNoWindowIsEverTooFull(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 2))
			limits := Limits{Requests: 1 + r.Int64N(10), Tokens: 1 + r.Int64N(2000), Window: 10 * time.Second}
			c := crowd{t: t, l: New(limits, nil), r: r, waiting: map[string]time.Time{}}
			for i := range 150 {
				c.act(i, limits.Tokens)
			}
			for len(c.waiting) > 0 {
				c.comeBack()
			}
			checkWindows(t, seed, limits, c.sent)
			if n := c.asked - c.left; n != len(c.sent) {
				t.Errorf("seed %d: %d of %d calls went through", seed, len(c.sent), n)
			}
		})
	}
}

// A crowd asks with Take, comes back when it was told to, or leaves.
type crowd struct {
	t           *testing.T
	l           *Limiter
	r           *rand.Rand
	waiting     map[string]time.Time
	sent        []sent
	asked, left int
}

func (c *crowd) act(i int, most int64) {
	switch id := fmt.Sprint(i); {
	case c.r.IntN(10) == 0 && len(c.waiting) > 0:
		for id := range c.waiting {
			c.l.Leave(acc, mod, id)
			delete(c.waiting, id)
			c.left++
			break
		}
	case c.r.IntN(4) == 0 && len(c.waiting) > 0:
		c.comeBack()
	default:
		c.asked++
		c.take(Want{ID: id, Run: fmt.Sprint(i % 5), Tokens: c.tokens(i, most), Person: i%6 == 0})
	}
}

// tokens of a call are the same whenever it asks.
func (c *crowd) tokens(i int, most int64) int64 { return int64(i*7919) % (most * 5 / 4) }

func (c *crowd) take(want Want) {
	ticket, wait := c.l.Take(acc, mod, want)
	if wait > 0 {
		c.waiting[want.ID] = time.Now().Add(wait)
		return
	}
	delete(c.waiting, want.ID)
	c.sent = append(c.sent, sent{at: time.Now(), used: amount{1, want.Tokens}})
	if c.r.IntN(2) == 0 {
		ticket.Done(-1, nil)
	}
}

// comeBack lets time pass until the first of those who wait is due, and it asks again.
func (c *crowd) comeBack() {
	first := ""
	for id, due := range c.waiting {
		if first == "" || due.Before(c.waiting[first]) || due.Equal(c.waiting[first]) && id < first {
			first = id
		}
	}
	time.Sleep(time.Until(c.waiting[first]))
	var i int
	fmt.Sscan(first, &i)
	c.take(Want{ID: first, Run: fmt.Sprint(i % 5), Tokens: c.tokens(i, c.l.defaults.Tokens), Person: i%6 == 0})
}

func checkWindows(t *testing.T, seed uint64, limits Limits, all []sent) {
	t.Helper()
	for i, last := range all {
		used, n := last.used, 1
		for _, s := range all[:i] {
			if last.at.Before(s.at.Add(limits.Window)) {
				used = used.plus(s.used)
				if s.used[tokens] > 0 {
					n++
				}
			}
		}
		if used[requests] > limits.Requests || used[tokens] > limits.Tokens && n > 1 && last.used[tokens] > 0 {
			t.Fatalf("seed %d: %v within a window of %+v", seed, used, limits)
		}
	}
}
