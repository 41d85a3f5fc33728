package turn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// has reports whether the place is there.
func (p *Slot) has() bool {
	select {
	case <-p.Ready():
		return true
	default:
		return false
	}
}

// A member whose work hangs leaves places for everyone else, whatever is queued, and so does a whole
// household; who is alone gets most of them, or all where there are few.
//
// Attack: 73
func TestWorkThatHangsLeavesPlacesForOthers(t *testing.T) {
	for _, limit := range []int{1, 2, 3, 4, 8, 64, 128, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			s := NewSlots(limit)
			for n := range 3 * limit {
				s.Ask(Who{Household: "home", User: "mallory", Run: fmt.Sprint("run", n)})
			}
			alone := s.Of("home", "mallory").Held
			if alone < min(limit, 3) || alone < limit*5/8 {
				t.Errorf("who is alone gets %d of %d places", alone, limit)
			}
			if limit < 4 {
				return
			}
			if !s.Ask(Who{Household: "home", User: "owner", Run: "mine"}).has() {
				t.Error("the owner gets no place while a member's work hangs")
			}
			for n := range min(limit, 40) {
				for range min(limit, 200) {
					s.Ask(Who{Household: "home", User: fmt.Sprint("crowd", n), Run: "r"})
				}
			}
			if limit >= 8 && !s.Ask(Who{Household: "other", User: "owner", Run: "r"}).has() {
				t.Errorf("another household gets no place while all work of one hangs, which holds %d", s.Of("home", "").Held)
			}
		})
	}
}

// When work ends, the owner has the next place but one, whatever a member has queued; and what all gave
// back is free again.
//
// Attack: 73
func TestPlacesAreGivenByTurns(t *testing.T) {
	s := NewSlots(2)
	var mallory []*Slot
	for n := range 100 {
		mallory = append(mallory, s.Ask(Who{Household: "home", User: "mallory", Run: fmt.Sprint("run", n)}))
	}
	gone := s.Ask(Who{Household: "home", User: "owner", Run: "gone"})
	gone.Leave()
	owner := s.Ask(Who{Household: "home", User: "owner", Run: "mine"})
	if use := s.Of("home", "mallory"); owner.has() || use != (Use{Held: 2, Waiting: 98}) {
		t.Fatalf("mallory uses %+v", use)
	}
	mallory[0].Leave()
	mallory[0].Leave() // once is enough
	mallory[1].Leave()
	if !owner.has() {
		t.Error("the owner has no place after two turns")
	}
	owner.Leave()
	for _, slot := range mallory {
		if slot.Leave(); gone.has() {
			t.Fatal("who has gone got a place")
		}
	}
	if s.taken != 0 || len(s.held) != 0 || s.line.Len() != 0 {
		t.Errorf("%d places are taken by %v, %d wait", s.taken, s.held, s.line.Len())
	}
	ctx, cancel := context.WithCancel(t.Context())
	one, err := s.Take(ctx, Who{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Take(ctx, Who{}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := s.Take(ctx, Who{}); err == nil {
		t.Error("there are three places")
	}
	one.Leave()
}

func whoIs(user string, n int) Who {
	return Who{Household: "home", User: user, Run: fmt.Sprint("run", n)}
}

// Heavy work takes as many places as it asks for, up to an eighth of all, and gives all of them back. A
// member whose heavy work hangs leaves room for the heaviest work of whoever holds nothing.
//
// Attack: 73
func TestHeavyWorkTakesManyPlaces(t *testing.T) {
	for _, limit := range []int{1, 2, 4, 8, 64, 1024} {
		s := NewSlots(limit)
		var all []*Slot
		for n := range 3 * limit {
			all = append(all, s.AskMany(whoIs("mallory", n), 1+n*7%limit))
		}
		held := 0
		for _, slot := range all {
			if slot.n < 1 || slot.n > max(limit/8, 1) {
				t.Fatalf("%d of %d places are taken at once", slot.n, limit)
			}
			if slot.has() {
				held += slot.n
			}
		}
		if held != s.taken || held > limit || held < limit/2 || s.Of("home", "mallory").Held != held {
			t.Errorf("of %d places %d are taken; %d are held", limit, s.taken, held)
		}
		if limit >= 8 {
			owner := s.AskMany(whoIs("owner", 1), limit)
			if !owner.has() {
				t.Errorf("the owner does not get %d of %d places while a member's work hangs", owner.n, limit)
			}
			all = append(all, owner)
		}
		for _, slot := range all {
			slot.Leave()
		}
		if s.taken != 0 || len(s.held) != 0 || s.line.Len() != 0 {
			t.Errorf("%d places are taken by %v, %d wait", s.taken, s.held, s.line.Len())
		}
	}
}

// The work of three members leaves too few places for heavy work of the owner, and goes on for ever. The owner's gets
// its turn all the same, and light work never waits for it.
//
// Attack: 73
func TestHeavyWorkDoesNotStarve(t *testing.T) {
	s := NewSlots(64)
	var held []*Slot
	ask := func(n int) {
		held = append(held, s.AskMany(whoIs([]string{"mallory", "mary", "mike"}[n%3], n), 2))
	}
	for n := range 2000 {
		ask(n)
	}
	owner := s.AskMany(whoIs("owner", 0), 8)
	if owner.has() {
		t.Fatal("there are too many places to see anything")
	}
	turns := 0
	for ; !owner.has() && turns < 1000; turns++ {
		i := slices.IndexFunc(held, (*Slot).has)
		held[i].Leave()
		held = slices.Delete(held, i, i+1)
		ask(turns)
		light := s.Ask(whoIs(fmt.Sprint("guest", turns), 0))
		if !light.has() {
			t.Fatalf("light work waits for heavy work in turn %d", turns)
		}
		light.Leave()
	}
	if !owner.has() || turns > 3*maxPassed {
		t.Errorf("after %d turns the owner has its places: %t", turns, owner.has())
	}
}

// Whoever comes, goes and gives up, no place is lost, and there are never more than there are.
func TestNoPlaceIsLost(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 7))
		s := NewSlots(1 + r.IntN(100))
		var all []*Slot
		for range 500 {
			who := Who{Household: fmt.Sprint(r.IntN(2)), User: fmt.Sprint(r.IntN(4)), Run: fmt.Sprint(r.IntN(9)), Watched: r.IntN(2) == 0}
			all = append(all, s.AskMany(who, r.IntN(40)))
			if r.IntN(3) > 0 {
				all[r.IntN(len(all))].Leave()
			}
			held := 0
			for _, slot := range all {
				if slot.state == slotHeld {
					held += slot.n
				}
			}
			if held != s.taken || held > s.limit {
				t.Fatalf("seed %d: %d places are held and %d taken, of %d", seed, held, s.taken, s.limit)
			}
		}
		for len(all) > 0 { // as work ends, all that waits gets its turn
			i := slices.IndexFunc(all, func(p *Slot) bool { return p.state == slotHeld })
			if i < 0 {
				break
			}
			all[i].Leave()
			all = slices.Delete(all, i, i+1)
		}
		if s.taken != 0 || len(s.held) != 0 || s.line.Len() != 0 {
			t.Fatalf("seed %d: %d places are taken by %v, %d wait", seed, s.taken, s.held, s.line.Len())
		}
	}
}
