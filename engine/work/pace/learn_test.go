package pace

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"rein"
)

func tokensLeft(limit, left int64, reset time.Duration) *rein.Pace {
	return &rein.Pace{Tokens: rein.Allowance{Limit: limit, Left: left, Known: true, Reset: reset}}
}

// Covers: SD-71
func TestHeadersSetTheLimitsOfLaterRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 2}, nil)
		mustTake(t, l, one("a", 1)).Done(1, &rein.Pace{Requests: rein.Allowance{Limit: 5}})
		for i := range 4 {
			mustTake(t, l, one(fmt.Sprint(i), 1))
		}
		mustWait(t, l, one("b", 1))
		time.Sleep(time.Minute)
		mustTake(t, l, one("b", 1)).Done(1, &rein.Pace{Requests: rein.Allowance{Limit: 1}})
		if wait := mustWait(t, l, one("c", 1)); wait != time.Minute {
			t.Errorf("after the limit was lowered to one the next waits %v", wait)
		}
	})
}

// Covers: SD-71
func TestWhatIsLeftIsBelievedUntilTheReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		// Somebody else uses the same account: 1,000 of 50,000 are left, all are back in 49 s.
		mustTake(t, l, one("a", 10)).Done(10, tokensLeft(50_000, 1000, 49*time.Second))
		mustTake(t, l, one("b", 1000))
		wait := mustWait(t, l, one("c", 2000))
		if wait < 2*time.Second || wait > 2010*time.Millisecond {
			t.Errorf("2,000 tokens wait %v, want 2 s at 1,000 a second", wait)
		}
		time.Sleep(wait)
		mustTake(t, l, one("c", 2000))
		mustWait(t, l, one("d", 40_000))
		time.Sleep(49 * time.Second)
		mustTake(t, l, one("d", 40_000))
	})
}

// An old reply says nothing of what is left after newer ones.
func TestTheNewestCallTellsWhatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		older, newer := mustTake(t, l, one("a", 10)), mustTake(t, l, one("b", 10))
		newer.Done(10, tokensLeft(50_000, 0, 30*time.Second))
		older.Done(10, tokensLeft(50_000, 40_000, 30*time.Second))
		mustWait(t, l, one("c", 30_000))

		l = New(Limits{}, nil)
		first := mustTake(t, l, one("a", 10))
		mustTake(t, l, one("b", 900))
		first.Done(10, tokensLeft(50_000, 1000, time.Minute)) // b was sent since
		mustWait(t, l, one("c", 500))
	})
}

// Those who were told to come back much later do not keep others from what is there now.
func TestThoseFarAwayAreNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 2}, nil)
		first, second := mustTake(t, l, one("a", 1)), mustTake(t, l, one("b", 1))
		first.Done(1, tokensLeft(50_000, 0, 30*time.Minute))
		for i := range 3 {
			if wait := mustWait(t, l, one(fmt.Sprint("away", i), 40_000)); wait < 20*time.Minute {
				t.Fatalf("waits %v", wait)
			}
		}
		second.Done(1, tokensLeft(50_000, 49_000, time.Second))
		began := time.Now()
		if _, err := l.Wait(t.Context(), acc, mod, one("c", 30_000), nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("c waited %v, want for its own window only", took)
		}
	})
}

// A call larger than the limit goes when the provider says that all of it is there.
func TestAllThatIsLeftIsEnoughForAHugeCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		mustTake(t, l, one("a", 1)).Done(0, tokensLeft(100, 100, time.Hour))
		mustTake(t, l, one("huge", 5000))
	})
}

func TestLeftWithoutTheRestStillEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		none := rein.Allowance{Known: true}
		mustTake(t, l, one("a", 1)).Done(1, &rein.Pace{Requests: none, Tokens: none})
		began := time.Now()
		if _, err := l.Wait(t.Context(), acc, mod, one("huge", 1<<60), nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != time.Minute {
			t.Errorf("nothing left and no reset told: waited %v", took)
		}
		mustTakeLater(t, l, &rein.Pace{Tokens: rein.Allowance{Known: true, Left: -5, Limit: 1, Reset: 1000 * time.Hour}}, maxWait)
	})
}

// mustTakeLater sends a call whose reply is the pace, and expects the next one after a time.
func mustTakeLater(t *testing.T, l *Limiter, pace *rein.Pace, want time.Duration) {
	t.Helper()
	time.Sleep(2 * time.Minute)
	mustTake(t, l, one("before", 1)).Done(1, pace)
	began := time.Now()
	if _, err := l.Wait(t.Context(), acc, mod, one("next", 5), nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took < want || took > want+time.Second {
		t.Errorf("the next waited %v, want %v", took, want)
	}
}

// Covers: SD-74
func TestAPauseHoldsEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		first, second, third := mustTake(t, l, one("1", 1)), mustTake(t, l, one("2", 1)), mustTake(t, l, one("3", 1))
		first.Refused(20*time.Second, nil)
		second.Refused(5*time.Second, nil) // a shorter one does not end it
		third.Refused(-time.Second, nil)
		third.Refused(time.Hour, nil) // only the first counts
		if wait := mustWait(t, l, one("a", 1)); wait != 20*time.Second {
			t.Errorf("a waits %v", wait)
		}
		if _, wait := l.Take(acc, "other", one("b", 1)); wait != 0 {
			t.Error("another model waits too")
		}
		began := time.Now()
		if _, err := l.Wait(t.Context(), acc, mod, Want{ID: "p", Run: "p", Person: true}, nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("a person waited %v", took)
		}
		time.Sleep(5 * time.Minute)
		last := mustTake(t, l, one("last", 1))
		last.Refused(1000*time.Hour, nil)
		if wait := mustWait(t, l, one("c", 1)); wait != maxWait {
			t.Errorf("a pause without end lasts %v", wait)
		}
	})
}

// A provider that refuses and never tells its limits is sent as much as it took, and more again with
// time.
//
// Covers: SD-74
func TestRefusalsLowerLimitsThatWereNeverTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const length = time.Minute
		l := New(Limits{Requests: 64}, nil)
		burst := func() (tickets []Ticket) {
			for {
				ticket, wait := l.Take(acc, mod, Want{Run: "r"})
				if wait != 0 {
					return tickets
				}
				tickets = append(tickets, ticket)
			}
		}
		for _, c := range []struct{ sent, taken int }{
			{64, 20}, // of the first burst a third is taken
			{20, 5},  // then others use the account too
			{5, 0},
			{1, 1}, // one is always tried
		} {
			tickets := burst()
			if len(tickets) != c.sent {
				t.Errorf("%d were sent in a window, want %d", len(tickets), c.sent)
			}
			for i, ticket := range tickets {
				if i < len(tickets)-c.taken {
					ticket.Refused(0, nil)
				} else {
					ticket.Done(0, nil)
				}
			}
			if more := burst(); len(more) > 0 {
				t.Errorf("%d more were sent in a window of which much was refused", len(more))
			}
			time.Sleep(length)
		}
		time.Sleep(6 * recovery * length)
		if got := len(burst()); got != 64 {
			t.Errorf("after a long time without a refusal %d were sent, want 64", got)
		}
	})
}

// One refusal does not slow everything down: somebody else may have used the account.
func TestOneRefusalOfManyLowersLittle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 60}, nil)
		for i := range 30 {
			ticket := mustTake(t, l, Want{Run: "r"})
			if i == 29 {
				ticket.Refused(time.Second, nil)
			} else {
				ticket.Done(1, nil)
			}
		}
		time.Sleep(2 * time.Minute)
		n := 0
		for ; ; n++ {
			if _, wait := l.Take(acc, mod, Want{Run: "r"}); wait != 0 {
				break
			}
		}
		if n < 55 {
			t.Errorf("after one refusal of thirty only %d of 60 are sent", n)
		}
	})
}
