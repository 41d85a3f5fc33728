package pace

import "rein/internal/turn"

// A Flight is a call's place among those that are under way: of its account, and of the process. Calls
// that hang keep theirs, so places are given as turn.Slots says.
type Flight struct{ slots []*turn.Slot }

// Board asks for a place among the calls under way. If there is none it calls wait, which returns when
// the channel is closed, or with an error if it does not want to wait any longer. Whoever boards lands.
func (l *Limiter) Board(account string, want Want, wait func(ready <-chan struct{}) error) (*Flight, error) {
	f, boarded := &Flight{}, false
	defer func() {
		if !boarded {
			f.Land()
		}
	}()
	for _, slots := range l.slotsOf(account) {
		slot := slots.Ask(want.who())
		f.slots = append(f.slots, slot)
		select {
		case <-slot.Ready():
			continue
		default:
		}
		if err := wait(slot.Ready()); err != nil {
			return nil, err
		}
	}
	boarded = true
	return f, nil
}

// Land gives the place back, once or more. A nil Flight has none.
func (f *Flight) Land() {
	if f == nil {
		return
	}
	for _, slot := range f.slots {
		slot.Leave()
	}
}

// slotsOf are the places of an account and of the process. An account without a name has no limits of
// its own.
func (l *Limiter) slotsOf(account string) []*turn.Slots {
	if account == "" {
		return []*turn.Slots{l.flights}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	own := l.accounts[account]
	if own == nil {
		own = turn.NewSlots(int(l.defaults.Calls))
		l.accounts[account] = own
	}
	return []*turn.Slots{own, l.flights}
}

// All is how many calls of everyone are under way, how many wait because others are, and how many may be
// under way.
func (l *Limiter) All() (underWay, waiting, most int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	use := l.flights.All()
	underWay, waiting = use.Held, use.Waiting
	for _, own := range l.accounts {
		waiting += own.All().Waiting
	}
	return underWay, waiting, l.flights.Limit()
}

// Calls is how many calls a user has under way, and how many wait because others are; for an empty user,
// how many the household has.
func (l *Limiter) Calls(household, user string) (underWay, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	use := l.flights.Of(household, user)
	underWay, waiting = use.Held, use.Waiting
	for _, own := range l.accounts {
		waiting += own.Of(household, user).Waiting
	}
	return underWay, waiting
}
