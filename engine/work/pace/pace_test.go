package pace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
)

const acc, mod = "acme", "m1"

// mustTake takes a place that must be there.
func mustTake(t *testing.T, l *Limiter, want Want) Ticket {
	t.Helper()
	ticket, wait := l.Take(acc, mod, want)
	if wait != 0 {
		t.Fatalf("Take(%+v) waits %v, want none", want, wait)
	}
	return ticket
}

// mustWait asks for a place that must not be there yet, and returns how long it takes.
func mustWait(t *testing.T, l *Limiter, want Want) time.Duration {
	t.Helper()
	ticket, wait := l.Take(acc, mod, want)
	if wait <= 0 || ticket != (Ticket{}) {
		t.Fatalf("Take(%+v) was let through", want)
	}
	return wait
}

func one(id string, tokens int64) Want { return Want{ID: id, Run: id, Tokens: tokens} }

// Covers: SD-70 SD-74
func TestBothRequestsAndTokensCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		for i := range 60 {
			mustTake(t, l, one(fmt.Sprint(i), 1))
		}
		if wait := mustWait(t, l, one("late", 1)); wait != time.Minute {
			t.Errorf("the 61st request waits %v, want a minute", wait)
		}
		time.Sleep(time.Minute)
		mustTake(t, l, one("late", 1))

		l = New(Limits{}, nil)
		mustTake(t, l, one("a", 30_000))
		time.Sleep(10 * time.Second)
		mustTake(t, l, one("b", 20_000))
		if wait := mustWait(t, l, one("c", 1)); wait != 50*time.Second {
			t.Errorf("the token too many waits %v, want until the first are a minute old", wait)
		}
		time.Sleep(50 * time.Second)
		mustTake(t, l, one("c", 30_000))
		mustWait(t, l, one("d", 1))
	})
}

// Covers: SD-73
func TestACallLargerThanTheWindowGoesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		mustTake(t, l, one("small", 10))
		if wait := mustWait(t, l, one("huge", 400_000)); wait != time.Minute {
			t.Errorf("a huge call waits %v, want until the window is empty", wait)
		}
		mustTake(t, l, one("harmless", 10)) // it will not count any more when the huge one comes back
		time.Sleep(time.Second)
		if wait := mustWait(t, l, one("after", 10)); wait < time.Minute {
			t.Errorf("the one after it waits %v, want no less", wait)
		}
		time.Sleep(59 * time.Second)
		mustWait(t, l, one("after", 10)) // what the huge one needs is left for it
		huge := mustTake(t, l, one("huge", 400_000))
		mustWait(t, l, one("after", 10))
		huge.Done(30_000, nil)
		mustTake(t, l, one("after", 10))
	})
}

// turns is the order in which callers are let through.
type turns struct {
	mu    sync.Mutex
	order []string
}

// seen is who was let through by now.
func (q *turns) seen() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.order)
}

// join lets a caller queue up after those before.
func (q *turns) join(t *testing.T, l *Limiter, want Want) {
	go func() {
		if _, err := l.Wait(t.Context(), acc, mod, want, nil); err != nil {
			t.Error(err)
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		q.order = append(q.order, want.ID)
	}()
	synctest.Wait()
}

// Covers: SD-75
func TestRunsTakeTurnsAndKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 1}, nil)
		mustTake(t, l, one("first", 1))
		var q turns
		for i := range 4 {
			q.join(t, l, Want{ID: fmt.Sprint("greedy", i), Run: "greedy"})
		}
		q.join(t, l, Want{ID: "b0", Run: "b"})
		q.join(t, l, Want{ID: "b1", Run: "b"})
		q.join(t, l, Want{ID: "c0", Run: "c"})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		want := []string{"greedy0", "b0", "c0", "greedy1", "b1", "greedy2", "greedy3"}
		if diff := cmp.Diff(want, q.order); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

// Covers: SD-75
func TestPeopleGoFirstAndNobodyStarves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 1}, nil)
		mustTake(t, l, one("first", 1))
		var q turns
		for i := range 3 {
			q.join(t, l, one(fmt.Sprint("other", i), 1))
		}
		for i := range 8 {
			name := fmt.Sprint("person", i)
			q.join(t, l, Want{ID: name, Run: name, Person: true})
		}
		time.Sleep(20 * time.Minute)
		synctest.Wait()
		want := []string{
			"person0", "person1", "person2", "other0", "person3", "person4", "person5", "other1",
			"person6", "person7", "other2",
		}
		if diff := cmp.Diff(want, q.order); diff != "" {
			t.Errorf("order (-want +got):\n%s", diff)
		}
	})
}

// Covers: SD-72
func TestWaitingIsReportedAndCanBeCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 2}, nil)
		mustTake(t, l, one("a", 1))
		mustTake(t, l, one("b", 1))
		gone := errors.New("stopped by a person")
		ctx, cancel := context.WithCancelCause(t.Context())
		began := time.Now()
		var told []time.Duration
		var got error
		go func() {
			_, got = l.Wait(ctx, acc, mod, one("c", 1), func(d time.Duration) { told = append(told, d) })
			if took := time.Since(began); took != 5*time.Second {
				t.Errorf("a cancelled wait took %v", took)
			}
		}()
		var after time.Duration
		synctest.Wait()
		go func() {
			for range 2 {
				if _, err := l.Wait(t.Context(), acc, mod, one("d", 1), nil); err != nil {
					t.Error(err)
				}
			}
			after = time.Since(began)
		}()
		time.Sleep(5 * time.Second)
		cancel(gone)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if got != gone {
			t.Errorf("Wait = %v, want the cause", got)
		}
		if diff := cmp.Diff([]time.Duration{time.Minute}, told); diff != "" {
			t.Errorf("told (-want +got):\n%s", diff)
		}
		if after != time.Minute {
			t.Errorf("the places of the next window were taken at %v: the cancelled one has kept one", after)
		}
		if _, err := l.Wait(ctx, acc, mod, one("e", 1), nil); err != gone {
			t.Errorf("Wait with an ended context = %v", err)
		}
	})
}

// A place that a cancelled call was just given goes to the next.
func TestACancelledPlaceIsGivenBack(t *testing.T) {
	l := New(Limits{Requests: 1}, nil)
	ln, e := l.join(laneKey{acc, mod}, one("a", 7))
	if _, wait, _ := l.look(ln, e); wait != 0 {
		t.Fatal("there was room")
	}
	l.abandon(ln, e)
	mustTake(t, l, one("b", 1))
	Ticket{l, ln, e.grant}.Done(1_000_000, nil)
	if used := ln.window.used; used != (amount{1, 1}) {
		t.Errorf("used %v, want what b took", used)
	}
}

// Covers: SD-75
func TestNobodyIsOvertakenWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 2}, nil)
		mustTake(t, l, one("a", 1))
		time.Sleep(30 * time.Second)
		mustTake(t, l, one("b", 1))
		if wait := mustWait(t, l, one("c", 1)); wait != 30*time.Second {
			t.Errorf("c waits %v", wait)
		}
		if wait := mustWait(t, l, one("d", 1)); wait != time.Minute {
			t.Errorf("d waits %v", wait)
		}
		time.Sleep(30 * time.Second) // c is due and not here yet
		mustWait(t, l, one("d", 1))
		mustWait(t, l, one("e", 1))
		mustTake(t, l, one("c", 1))
		time.Sleep(30 * time.Second)
		mustTake(t, l, one("d", 1))
		mustWait(t, l, one("e", 1))
	})
}

func TestAPlaceIsNotKeptForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: 1}, nil)
		mustTake(t, l, one("a", 1))
		mustWait(t, l, one("lost", 1))
		began := time.Now()
		if _, err := l.Wait(t.Context(), acc, mod, one("b", 1), nil); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < time.Minute+hold || took > time.Minute+hold+time.Second {
			t.Errorf("the one behind a caller that did not come back waited %v", took)
		}
		mustWait(t, l, one("c", 1))
		mustWait(t, l, one("left", 1))
		l.Leave(acc, mod, "left")
		l.Leave(acc, mod, "never seen")
		l.Leave("nobody", mod, "left")
		time.Sleep(time.Minute)
		mustTake(t, l, one("lost", 1)) // late, and still before c
		time.Sleep(time.Hour)
		mustTake(t, l, one("d", 1))
		if n := len(l.lanes[laneKey{acc, mod}].byID); n != 0 {
			t.Errorf("%d places are kept of callers that did not come back", n)
		}
	})
}

func TestDoneSettlesWhatWasEstimated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Tokens: 100}, nil)
		big := mustTake(t, l, one("a", 90))
		var got time.Duration
		began := time.Now()
		go func() {
			if _, err := l.Wait(t.Context(), acc, mod, one("b", 50), nil); err != nil {
				t.Error(err)
			}
			got = time.Since(began)
		}()
		time.Sleep(5 * time.Second)
		big.Done(40, nil)
		big.Done(0, nil) // only the first counts
		synctest.Wait()
		if got != 5*time.Second {
			t.Errorf("b went after %v, want as soon as there was room", got)
		}
		c := mustTake(t, l, one("c", 10))
		c.Done(-1, nil)
		mustWait(t, l, one("d", 1))
		l.Leave(acc, mod, "d")
		time.Sleep(time.Minute)
		small := mustTake(t, l, one("e", 1))
		time.Sleep(30 * time.Second)
		small.Done(100, nil) // the more counts from when it was known
		if wait := mustWait(t, l, one("f", 2)); wait != time.Minute {
			t.Errorf("after a call that took more than thought the next waits %v", wait)
		}
	})
}

func TestAnAccountWithoutANameHasNoLimits(t *testing.T) {
	l := New(Limits{Requests: 1}, nil)
	for range 5 {
		ticket, wait := l.Take("", mod, one("a", 1<<50))
		if wait != 0 {
			t.Fatal("it waits")
		}
		ticket.Refused(time.Hour, nil)
		ticket.Done(5, &rein.Pace{})
		if _, err := l.Wait(t.Context(), "", mod, one("b", 1), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.lanes) != 0 {
		t.Error("it is remembered")
	}
}

func TestIdleAccountsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{}, nil)
		for i := range 1000 {
			if _, wait := l.Take(fmt.Sprint("account", i), mod, one("a", 1)); wait != 0 {
				t.Fatal("accounts share a limit")
			}
			time.Sleep(time.Minute)
		}
		if n := len(l.lanes); n > 32 {
			t.Errorf("%d accounts are remembered", n)
		}
		ln := l.lane(laneKey{acc, mod}, false, time.Now())
		for range 100_000 {
			ln.window.expire(time.Now())
			ln.window.add(time.Now(), amount{1, 1})
			time.Sleep(time.Millisecond)
		}
		if n := len(ln.window.slots); n > slotsPerWindow+1 {
			t.Errorf("a window has %d slots", n)
		}
	})
}

// Callers without an ID have no place to come back to.
func TestTakeWithoutAnIDKeepsNoPlace(t *testing.T) {
	l := New(Limits{Requests: 1}, nil)
	mustTake(t, l, Want{})
	for range 10 {
		mustWait(t, l, Want{})
	}
	if n := l.lanes[laneKey{acc, mod}].line.Len(); n != 0 {
		t.Errorf("%d places are kept", n)
	}
}
