package live

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"rein"
	"rein/api"
)

// A Listener hears of what somebody sees.
type Listener struct {
	hub  *Hub
	who  rein.Identity
	some chan struct{} // holds a token when there may be something to hear
	next time.Time     // when the next hint may come

	mu       sync.Mutex
	lost     bool // anything may have changed
	asks     bool
	runs     map[rein.RunID]bool
	sessions map[string]bool
	topics   map[api.Topic]bool
}

// maxHeld is how many runs, and how many sessions, a listener has waiting. If there are more it begins again.
const maxHeld = 1000

// Leave ends the listening.
func (l *Listener) Leave() {
	l.hub.mu.Lock()
	defer l.hub.mu.Unlock()
	delete(l.hub.listeners, l)
}

// Next waits for a hint, or until nothing has come for that long: then the hint has nothing.
func (l *Listener) Next(ctx context.Context, idle time.Duration) (api.Hint, error) {
	quiet := time.NewTimer(idle)
	defer quiet.Stop()
	select {
	case <-l.some:
	case <-quiet.C:
		return api.Hint{}, nil
	case <-l.hub.over:
		return api.Hint{}, ErrShutdown
	case <-ctx.Done():
		return api.Hint{}, ctx.Err()
	}
	if err := l.pause(ctx); err != nil {
		return api.Hint{}, err
	}
	l.next = time.Now().Add(l.hub.every)
	return l.take(), nil
}

// pause waits until the next hint may come. What happens meanwhile is a part of it.
func (l *Listener) pause(ctx context.Context) error {
	rest := time.NewTimer(time.Until(l.next))
	defer rest.Stop()
	select {
	case <-rest.C:
		return nil
	case <-l.hub.over:
		return ErrShutdown
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *Listener) take() api.Hint {
	l.mu.Lock()
	defer l.mu.Unlock()
	hint := api.Hint{Hello: true}
	if !l.lost {
		hint = api.Hint{Runs: slices.Sorted(maps.Keys(l.runs)), Asks: l.asks, Sessions: slices.Sorted(maps.Keys(l.sessions)), Household: slices.Sorted(maps.Keys(l.topics))}
	}
	l.lost, l.asks, l.runs, l.sessions, l.topics = false, false, nil, nil, nil
	return hint
}

// hear notes what the listener sees of a change.
func (l *Listener) hear(c change) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.lost:
		return // it is a part of all that may have changed
	case c.wide && l.who.Household == c.household && l.who.May(rein.ScopeRead):
		l.topics = with(l.topics, c.topic)
	case l.who.Sees(c.household, c.user):
		l.asks = l.asks || c.asks
		l.runs, l.sessions = with(l.runs, c.run), with(l.sessions, c.session)
		l.topics = with(l.topics, c.topic)
		if len(l.runs) > maxHeld || len(l.sessions) > maxHeld {
			l.lost, l.runs, l.sessions, l.topics = true, nil, nil, nil
		}
	case l.who.Household == c.household && l.who.User != "" && (c.asked[l.who.User] || c.asked[rein.ForAdults] && l.who.Role.IsAdult()):
		l.asks = true
	default:
		return
	}
	l.wake()
}

// lose says that anything may have changed.
func (l *Listener) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost, l.asks, l.runs, l.sessions, l.topics = true, false, nil, nil, nil
	l.wake()
}

func (l *Listener) wake() {
	select {
	case l.some <- struct{}{}:
	default: // it has not looked yet
	}
}

// with adds a name to a set, if it is one.
func with[T ~string](set map[T]bool, name T) map[T]bool {
	if name == "" {
		return set
	}
	if set == nil {
		set = map[T]bool{}
	}
	set[name] = true
	return set
}
