package pace

import (
	"errors"
	"fmt"
	"testing"
)

// A member has as many calls under way as he gets, at two accounts, and all of them hang. The owner's call
// is sent at once, by its turn; and what lands makes room for those who wait.
//
// Attack: 73
func TestCallsThatHangLeaveRoomForOthers(t *testing.T) {
	l := New(Limits{}, nil)
	full := errors.New("there is no place")
	board := func(account, user string, n int) (*Flight, error) {
		return l.Board(account, Want{Household: "home", User: user, Run: fmt.Sprint(n)}, func(<-chan struct{}) error { return full })
	}
	var last *Flight
	for n := range 2000 {
		if f, err := board([]string{"acme", "other", ""}[n%3], "mallory", n); err == nil {
			last = f
		} else if !errors.Is(err, full) {
			t.Fatal(err)
		}
	}
	if n, waiting := l.Calls("home", "mallory"); n < 300 || n >= 512 || waiting != 0 {
		t.Errorf("a member who is alone has %d calls under way, %d wait", n, waiting)
	}
	for _, account := range []string{"acme", "other", "", "new"} {
		f, err := board(account, "owner", 1)
		if err != nil {
			t.Fatalf("the owner's call to %q: %v", account, err)
		}
		f.Land()
		f.Land()
	}
	if n, _ := l.Calls("home", "owner"); n != 0 {
		t.Errorf("%d calls of the owner are under way after all have landed", n)
	}
	before, _ := l.Calls("home", "")
	if last.Land(); func() int { n, _ := l.Calls("home", ""); return n }() != before-1 {
		t.Error("a call that landed is under way")
	}
	var none *Flight
	none.Land()
}
