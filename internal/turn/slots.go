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

// A Slot is a place, or the wish for one.
type Slot struct {
	slots *Slots
	place *Place[*Slot] // while it waits
	ready chan struct{}
	state slotState
	who   Who
}

type slotState int

const (
	slotWaits slotState = iota
	slotHeld
	slotLeft
)

// NewSlots returns so many places.
func NewSlots(limit int) *Slots { return &Slots{limit: limit, held: map[string]*holder{}} }

// Ask asks for a place and returns at once. Whoever asks calls Leave in the end, with a place or without.
func (s *Slots) Ask(who Who) *Slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	slot := &Slot{slots: s, ready: make(chan struct{}), who: who}
	slot.place = s.line.Add(who, slot)
	s.admit()
	return slot
}

// Take waits for a place. The error is that of the context.
func (s *Slots) Take(ctx context.Context, who Who) (*Slot, error) {
	slot := s.Ask(who)
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
		s.release(p.who)
	}
	p.state = slotLeft
	s.admit()
}

// admit gives places to whom it can. It is called with the lock held.
func (s *Slots) admit() {
	for s.taken < s.limit {
		next := s.line.FirstUser(s.may)
		if next == nil {
			return
		}
		s.line.Serve(next)
		s.hold(next.Who)
		next.Item.state = slotHeld
		close(next.Item.ready)
	}
}

// may reports whether a user may have one more.
func (s *Slots) may(household, user string) bool {
	var h holder
	if held := s.held[household]; held != nil {
		h = *held
	}
	free := s.limit - (s.taken - h.taken) // to the household, with what it has
	most := free - free/8
	room := most - h.taken
	return room > 0 && h.users[user] < 3*room
}

func (s *Slots) hold(who Who) {
	h := s.held[who.Household]
	if h == nil {
		h = &holder{users: map[string]int{}}
		s.held[who.Household] = h
	}
	s.taken++
	h.taken++
	h.users[who.User]++
}

func (s *Slots) release(who Who) {
	h := s.held[who.Household]
	s.taken--
	h.taken--
	if h.users[who.User]--; h.users[who.User] == 0 {
		delete(h.users, who.User)
	}
	if h.taken == 0 {
		delete(s.held, who.Household)
	}
}

// A Use is how many places a user holds and waits for.
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
