package turn

import (
	"context"
	"fmt"
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
