package turn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Whatever a member has queued, in however many runs, the owner's first is served after one turn of the
// member and one of each other household.
//
// Attack: 73
func TestNobodyTakesMoreThanTheirTurn(t *testing.T) {
	var l Line[string]
	for n := range 1000 {
		l.Add(Who{"home", "mallory", fmt.Sprint("run", n), n%2 == 0}, "mallory")
		l.Add(Who{"other", fmt.Sprint("user", n%100), fmt.Sprint("run", n), true}, "other")
	}
	for range 3 {
		l.Add(Who{"home", "owner", "mine", false}, "owner")
	}
	var served []string
	for p := range l.InOrder() {
		if served = append(served, p.Item); len(served) == 12 {
			break
		}
	}
	want := []string{"mallory", "other", "owner", "other", "mallory", "other", "owner", "other", "mallory", "other", "owner", "other"}
	if !slices.Equal(served, want) {
		t.Errorf("served %v, want %v", served, want)
	}
}

// Watched runs go first within the turns of their user, and others still have their turn.
func TestWatchedGoFirstWithinTheirUsersTurns(t *testing.T) {
	var l Line[string]
	add := func(user, run string, watched bool) { l.Add(Who{"home", user, run, watched}, user+run) }
	for range 6 {
		add("bob", "1", true)
	}
	add("bob", "2", false)
	add("bob", "2", false)
	for range 4 {
		add("ann", "3", false)
	}
	var served []string
	for l.Len() > 0 {
		first := l.First(func(*Place[string]) bool { return true })
		l.Serve(first)
		served = append(served, first.Item)
	}
	want := []string{"bob1", "ann3", "bob1", "ann3", "bob1", "ann3", "bob2", "ann3", "bob1", "bob1", "bob1", "bob2"}
	if !slices.Equal(served, want) {
		t.Errorf("served %v, want %v", served, want)
	}
}

// The order that is foretold is the order in which they are served, whoever came and left before; and
// nothing is left of those who have gone.
func TestOrderIsAsForetold(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		var l Line[int]
		var all []*Place[int]
		for n := range 80 {
			who := Who{fmt.Sprint(r.IntN(3)), fmt.Sprint(r.IntN(3)), fmt.Sprint(r.IntN(3)), r.IntN(3) == 0}
			all = append(all, l.Add(who, n))
			switch p := all[r.IntN(len(all))]; r.IntN(5) {
			case 0:
				l.Remove(p)
			case 1:
				if p.run != nil {
					l.Serve(p)
				}
			}
		}
		var foretold, served []int
		for p := range l.InOrder() {
			foretold = append(foretold, p.Item)
		}
		for l.Len() > 0 {
			p := l.FirstUser(func(*Place[int]) bool { return true })
			served = append(served, p.Item)
			l.Serve(p)
		}
		if !slices.Equal(foretold, served) {
			t.Fatalf("seed %d: foretold %v, served %v", seed, foretold, served)
		}
		if len(l.root.kids)+len(l.root.byKey) > 0 {
			t.Fatalf("seed %d: %d households are left", seed, len(l.root.kids))
		}
	}
}
