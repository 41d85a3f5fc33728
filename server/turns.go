package server

import (
	"cmp"
	"context"
	"sync"
	"time"

	"rein"
)

// What reads all that a user has can take seconds. maxTurns of it are under way for each user at a time,
// so that nobody keeps the process busy for everyone; others wait, and no longer than maxTurnWait.
const (
	maxTurns    = 2
	maxTurnWait = 30 * time.Second
)

// turns counts what is under way, by user. The zero value is ready.
type turns struct {
	most int // of a user; 0: maxTurns

	mu sync.Mutex
	of map[string]*turn
}

type turn struct {
	places chan struct{}
	users  int // of this value: who waits or works
}

// take waits until it is the sender's turn. Whoever gets it calls done.
func (t *turns) take(ctx context.Context, who rein.Identity) (done func(), err error) {
	key := who.Household + "/" + who.User
	mine := t.enter(key)
	timer := time.NewTimer(maxTurnWait)
	defer timer.Stop()
	select {
	case mine.places <- struct{}{}:
		return func() { <-mine.places; t.leave(key) }, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = rein.Errorf(rein.CodeRateLimited, "%d large requests of %s are already running: wait until one of them ends", cmp.Or(t.most, maxTurns), who.User)
	}
	t.leave(key)
	return nil, err
}

func (t *turns) enter(key string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil {
		t.of = map[string]*turn{}
	}
	if t.of[key] == nil {
		t.of[key] = &turn{places: make(chan struct{}, cmp.Or(t.most, maxTurns))}
	}
	t.of[key].users++
	return t.of[key]
}

func (t *turns) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of[key].users--; t.of[key].users == 0 {
		delete(t.of, key)
	}
}
