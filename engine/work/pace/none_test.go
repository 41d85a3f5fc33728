package pace

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"rein"
)

// Nobody waits for a provider whose limits are not known, nor for this machine, whatever the limits are
// that people have set for others.
//
// Covers: SD-70
func TestWhatIsNotLimitedIsNotHeldUp(t *testing.T) {
	for name, c := range map[string]struct {
		limits Limits
		local  bool
	}{
		"not known":    {limits: Limits{Requests: None, Tokens: None}},
		"this machine": {limits: Limits{Requests: 1, Tokens: 10}, local: true},
	} {
		t.Run(name, func(t *testing.T) {
			l := New(c.limits, nil)
			for i := range 10_000 {
				mustTake(t, l, Want{ID: fmt.Sprint(i), Run: "r", Tokens: 100_000, Local: c.local})
			}
		})
	}
}

// What the provider tells, or refuses, is a limit all the same, until it has taken everything for long.
//
// Covers: SD-71 SD-74
func TestUnknownLimitsAreLearnt(t *testing.T) {
	send := func(t *testing.T, l *Limiter, most int) (tickets []Ticket) {
		for len(tickets) < most {
			ticket, wait := l.Take(acc, mod, Want{Run: "r", Tokens: 10})
			if wait != 0 {
				break
			}
			tickets = append(tickets, ticket)
		}
		return tickets
	}
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: None, Tokens: None}, nil)
		mustTake(t, l, one("a", 1)).Done(1, &rein.Pace{Requests: rein.Allowance{Limit: 5}})
		if n := len(send(t, l, 100)); n != 4 {
			t.Errorf("a limit of 5 was told, and %d more were sent", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: None, Tokens: None}, nil)
		mustTake(t, l, one("a", 1)).Done(1, &rein.Pace{Requests: rein.Allowance{Left: 3, Known: true, Reset: time.Hour}})
		if n := len(send(t, l, 100)); n != 3 {
			t.Errorf("3 were left, and %d were sent", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		l := New(Limits{Requests: None, Tokens: None}, nil)
		for i, ticket := range send(t, l, 1000) {
			if i < 200 {
				ticket.Done(10, nil)
			} else {
				ticket.Refused(0, nil)
			}
		}
		time.Sleep(time.Minute)
		if n := len(send(t, l, 1000)); n < 190 || n > 210 {
			t.Errorf("200 of 1,000 were taken, and then %d were sent", n)
		}
		time.Sleep(6 * recovery * time.Minute)
		if n := len(send(t, l, 1000)); n != 1000 {
			t.Errorf("after a long time %d of 1,000 are sent", n)
		}
	})
}
