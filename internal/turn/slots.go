package turn

import (
	"context"
	"sync"
)

// Slots are places for work that may last long and cannot be taken back, such as a call to a model that
// hangs. Who waits gets one by turns, as in a Line.
//
// Turns alone do not help when all places are taken and none is given back. So some stay free for those
// who come later: a user may hold three times as many as are still free to the household, and a household
// seven times as many as are still free to others. One user alone gets about two thirds of all places;
// with fewer than four places, all of them.
//
// Heavy work takes several places at once, up to an eighth of all: so many fit for whoever holds none,
// whatever one other user does. If several users together leave too few, lighter work goes first, but only
// maxPassed times: then all work of more than one place waits until it fits. Work of one place never
// waits for heavy work.
type Slots struct {
	mu    sync.Mutex
	limit int
	taken int
	held  map[string]*holder
	line  Line[*Slot]
}

// A holder is a household that has places.
type holder struct {
	taken int
	users map[string]int
}

// A Slot is the places of one piece of work, or the wish for them.
type Slot struct {
	slots  *Slots
	place  *Place[*Slot] // while it waits
	ready  chan struct{}
	state  slotState
	who    Who
	n      int // places
	passed int // how often others went before it because they took fewer
}

// maxPassed is how often heavy work lets lighter work of others go first.
const maxPassed = 32

type slotState int

const (
	slotWaits slotState = iota
	slotHeld
	slotLeft
)

// NewSlots returns so many places.
func NewSlots(limit int) *Slots { return &Slots{limit: limit, held: map[string]*holder{}} }

// Ask asks for a place and returns at once. Whoever asks calls Leave in the end, with a place or without.
func (s *Slots) Ask(who Who) *Slot { return s.AskMany(who, 1) }

// AskMany asks for n places, as Ask does. There are at least one and at most an eighth of all.
func (s *Slots) AskMany(who Who, n int) *Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	slot := &Slot{slots: s, ready: make(chan struct{}), who: who, n: max(min(n, s.limit/8), 1)}
	slot.place = s.line.Add(who, slot)
	s.admit()
	return slot
}

// Take waits for a place. The error is that of the context.
func (s *Slots) Take(ctx context.Context, who Who) (*Slot, error) { return s.TakeMany(ctx, who, 1) }

// TakeMany waits for n places, as many as AskMany says.
func (s *Slots) TakeMany(ctx context.Context, who Who, n int) (*Slot, error) {
	slot := s.AskMany(who, n)
	select {
	case <-slot.Ready():
		return slot, nil
	case <-ctx.Done():
		slot.Leave()
		return nil, ctx.Err()
	}
}

// Ready is closed when the place is there.
func (p *Slot) Ready() <-chan struct{} { return p.ready }

// Leave gives the place back, or up. Only the first call counts.
func (p *Slot) Leave() {
	s := p.slots
	s.mu.Lock()
	defer s.mu.Unlock()
	switch p.state {
	case slotWaits:
		s.line.Remove(p.place)
	case slotHeld:
		s.count(p.who, -p.n)
	}
	p.state = slotLeft
	s.admit()
}

// admit gives places to whom it can. It is called with the lock held.
func (s *Slots) admit() {
	for s.taken < s.limit {
		next := s.next()
		if next == nil {
			return
		}
		s.line.Serve(next)
		s.count(next.Who, next.Item.n)
		next.Item.state = slotHeld
		close(next.Item.ready)
	}
}

// next returns the first whose places are free, or nil. Those who have to let it go first are told.
func (s *Slots) next() *Place[*Slot] {
	var passed []*Slot
	lightOnly := false
	next := s.line.FirstUser(func(p *Place[*Slot]) bool {
		slot := p.Item
		switch {
		case lightOnly && slot.n > 1:
			return false
		case s.may(slot):
			return true
		}
		if slot.n > 1 && s.usedBy(slot.who) == 0 { // it is others' work that keeps it waiting
			passed = append(passed, slot)
			lightOnly = lightOnly || slot.passed >= maxPassed
		}
		return false
	})
	if next != nil {
		for _, slot := range passed {
			slot.passed++
		}
	}
	return next
}

// may reports whether a user may have so many more.
func (s *Slots) may(p *Slot) bool {
	var h holder
	if held := s.held[p.who.Household]; held != nil {
		h = *held
	}
	free := s.limit - (s.taken - h.taken) // to the household, with what it has
	most := free - free/8
	room := most - h.taken - (p.n - 1) // for the last of them
	return room > 0 && h.users[p.who.User]+p.n-1 < 3*room
}

func (s *Slots) usedBy(who Who) int {
	if h := s.held[who.Household]; h != nil {
		return h.users[who.User]
	}
	return 0
}

// count adds to what a user holds, or takes from it. Who holds nothing is forgotten.
func (s *Slots) count(who Who, n int) {
	h := s.held[who.Household]
	if h == nil {
		h = &holder{users: map[string]int{}}
		s.held[who.Household] = h
	}
	s.taken += n
	h.taken += n
	if h.users[who.User] += n; h.users[who.User] == 0 {
		delete(h.users, who.User)
	}
	if h.taken == 0 {
		delete(s.held, who.Household)
	}
}

// A Use is how many places a user holds, and how much work of theirs waits.
type Use struct{ Held, Waiting int }

// Of returns what a user uses of the places; for an empty user, what the household does.
func (s *Slots) Of(household, user string) Use {
	s.mu.Lock()
	defer s.mu.Unlock()
	var use Use
	if h := s.held[household]; h != nil {
		use.Held = h.users[user]
		if user == "" {
			use.Held = h.taken
		}
	}
	s.line.Users(func(h, u string, waiting int) {
		if h == household && (user == "" || u == user) {
			use.Waiting += waiting
		}
	})
	return use
}

// All returns what everyone together uses of the places.
func (s *Slots) All() Use {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Use{Held: s.taken, Waiting: s.line.Len()}
}

// Limit is how many places there are.
func (s *Slots) Limit() int { return s.limit }
