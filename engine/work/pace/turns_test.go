package pace

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// A member queues calls of as many runs as there can be, watched ones too, and asks again for each that
// went through. Each call of the owner goes after at most one of the member's, and one of another
// household's, whether callers block or come back.
//
// Attack: 73
// Covers: SD-75
func TestTheOwnerIsServedWithinTwoTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, q := New(Limits{Requests: 1}, nil), &turns{}
		mustTake(t, l, one("first", 1))
		for n := range 300 {
			q.join(t, l, Want{ID: fmt.Sprint("mallory", n), Household: "home", User: "mallory", Run: fmt.Sprint(n), Tokens: 1, Person: n%2 == 0})
			q.join(t, l, Want{ID: fmt.Sprint("other", n), Household: "other", User: fmt.Sprint(n), Run: fmt.Sprint(n), Tokens: 1, Person: true})
		}
		for n := range 5 {
			q.join(t, l, Want{ID: fmt.Sprint("owner", n), Household: "home", User: "owner", Run: "mine", Tokens: 1})
		}
		away := Want{ID: "away", Household: "home", User: "child", Run: "parked", Tokens: 1}
		windows := int(mustWait(t, l, away) / l.defaults.Window)
		if windows > 8 { // two households, three users in one of them; one call in a window
			t.Errorf("one who comes back is told to wait %d windows", windows)
		}
		for len(q.seen()) < 605 {
			sleepWindow(l)
		}
		var at []int
		for i, id := range q.seen() {
			if id[:5] == "owner" {
				at = append(at, i)
			}
		}
		if len(at) != 5 || at[0] > 5 || at[4] > 18 {
			t.Errorf("the owner's calls were number %v of %v", at, q.seen())
		}
	})
}

func sleepWindow(l *Limiter) {
	time.Sleep(l.defaults.Window)
	synctest.Wait()
}
