package pace

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rein"
	"rein/engine/guard"
)

// A provider is a server that refuses what goes beyond its limits in any window, and counts it. It
// may tell its limits or only when to come back.
type provider struct {
	limit  amount
	length time.Duration
	tells  bool // its limits, and what is left
	mute   bool // it does not even say when to come back

	mu      sync.Mutex
	sent    []sent
	refused int
	most    amount // that was asked of it within a window, refusals included
	// What came after the first burst: after the first window in which something was refused.
	burst        time.Time // the end of that window
	laterRefused int
	laterMost    int64 // requests within a window
}

type sent struct {
	at   time.Time
	used amount
	ok   bool
}

// call answers one request, at once.
func (p *provider) call(n int64) (*rein.Pace, *rein.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, used, asked := time.Now(), amount{}, amount{1, n}
	var oldest time.Time
	later := int64(1)
	for _, s := range p.sent {
		if now.Before(s.at.Add(p.length)) {
			asked = asked.plus(s.used)
			if s.at.After(p.burst) {
				later++
			}
			if s.ok {
				used = used.plus(s.used)
				if oldest.IsZero() {
					oldest = s.at
				}
			}
		}
	}
	p.most = amount{max(p.most[0], asked[0]), max(p.most[1], asked[1])}
	total := used.plus(amount{1, n})
	ok := total[requests] <= p.limit[requests] && (total[tokens] <= p.limit[tokens] || used[tokens] == 0)
	p.sent = append(p.sent, sent{now, amount{1, n}, ok})
	if ok {
		used = total
	} else {
		p.refused++
		if p.burst.IsZero() {
			p.burst = now.Add(p.length)
		}
	}
	if !p.burst.IsZero() && now.After(p.burst) {
		p.laterMost = max(p.laterMost, later)
		if !ok {
			p.laterRefused++
		}
	}
	var pace *rein.Pace
	if p.tells {
		tell := func(dim int) rein.Allowance {
			return rein.Allowance{Limit: p.limit[dim], Left: max(p.limit[dim]-used[dim], 0), Known: true, Reset: p.length}
		}
		pace = &rein.Pace{Requests: tell(requests), Tokens: tell(tokens)}
	}
	if ok {
		return pace, nil
	}
	if p.mute {
		return nil, &rein.Error{Code: rein.CodeRateLimited, Msg: "429"}
	}
	after := max(oldest.Add(p.length).Sub(now), time.Second)
	return pace, &rein.Error{Code: rein.CodeRateLimited, Msg: "429", RetryAfter: after, Pace: pace}
}

// complete makes one call as a worker does: it waits for a place, and tries again when refused.
func complete(t *testing.T, l *Limiter, p *provider, run int, n int64, jitter float64) bool {
	var working time.Duration
	for try := 1; ; try++ {
		want := Want{ID: fmt.Sprint(run), Run: fmt.Sprint(run), Tokens: n, Person: run%9 == 0}
		ticket, err := l.Wait(t.Context(), acc, mod, want, nil)
		if err != nil {
			t.Error(err)
			return false
		}
		began := time.Now()
		time.Sleep(time.Duration(1+run%7) * 100 * time.Millisecond) // the way there
		pace, refusal := p.call(n)
		working += time.Since(began)
		if refusal == nil {
			ticket.Done(n, pace)
			return true
		}
		ticket.Refused(refusal.RetryAfter, pace)
		wait, again := guard.Retry(refusal, try, working, jitter)
		if !again {
			return false
		}
		time.Sleep(wait)
	}
}

// Covers: SD-74 SD-75
func TestManyRunsShareOneProviderAndNoneIsLost(t *testing.T) {
	const runs, callsEach = 135, 3
	for _, tc := range []struct {
		name   string
		limit  amount
		tells  bool
		mute   bool
		refuse int   // at most
		later  int   // likewise, after the first burst
		most   int64 // requests within a window, after the first burst
	}{
		{name: "limits as ours", limit: amount{60, 50_000}},
		{name: "limits as ours, told", limit: amount{60, 50_000}, tells: true},
		{name: "lower limits, told", limit: amount{20, 20_000}, tells: true, refuse: 40, later: 0, most: 20},
		// What was taken of the first burst is what is sent next; more is tried only little by little.
		{name: "lower limits, not told", limit: amount{20, 20_000}, refuse: 55, later: 15, most: 22},
		{name: "lower limits, no word of when", limit: amount{20, 20_000}, mute: true, refuse: 55, later: 15, most: 22},
		{name: "much lower limits, no word of when", limit: amount{4, 5_000}, mute: true, refuse: 90, later: 32, most: 5},
		{name: "higher limits, told", limit: amount{500, 500_000}, tells: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := New(Limits{}, nil)
				// The way there is not always the same, so what left within a minute may arrive within less.
				p := &provider{limit: tc.limit, length: time.Minute - time.Second, tells: tc.tells, mute: tc.mute}
				began, finished := time.Now(), 0
				var all sync.WaitGroup
				var mu sync.Mutex
				for run := range runs {
					r := rand.New(rand.NewPCG(uint64(run), 7))
					all.Go(func() {
						for range callsEach {
							if complete(t, l, p, run, 100+r.Int64N(1000), r.Float64()) {
								mu.Lock()
								finished++
								mu.Unlock()
							}
						}
					})
				}
				all.Wait()
				t.Logf("%d refused, at most %v asked within a window, took %v; after the first burst %d and %d requests", p.refused, p.most, time.Since(began), p.laterRefused, p.laterMost)
				if finished != runs*callsEach {
					t.Errorf("%d of %d calls were lost", runs*callsEach-finished, runs*callsEach)
				}
				if p.refused > tc.refuse {
					t.Errorf("%d were refused, want at most %d", p.refused, tc.refuse)
				}
				if p.laterRefused > tc.later || tc.refuse > 0 && p.laterMost > tc.most {
					t.Errorf("after the first burst %d were refused and %d were sent in a window, want at most %d and %d", p.laterRefused, p.laterMost, tc.later, tc.most)
				}
				if tc.refuse == 0 && (p.most[requests] > tc.limit[requests] || p.most[tokens] > tc.limit[tokens]) {
					t.Errorf("at most %v were sent in a window whose limit is %v", p.most, tc.limit)
				}
			})
		})
	}
}
