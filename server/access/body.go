package access

import (
	"context"
	"io"
	"sync"

	"rein"

	"rein/internal/turn"
)

// maxBodies is how many bodies of one user are read at a time: each may have megabytes, which are kept
// until all of it is there. The others wait in their connections.
const maxBodies = 16

// A body that has more than largeBody takes one of largeBodies as well, of all users together, before more
// of it is read. It keeps it until its request is answered, since what was read is in memory until then.
// Users take turns at them, and one user leaves some for others.
const (
	largeBody   = 256 << 10
	largeBodies = 4
)

// bodies counts what is being read, by user.
type bodies struct {
	mu    sync.Mutex
	of    map[string]*reading
	large *turn.Slots
}

type reading struct {
	places chan struct{}
	users  int // bodies that were not given back
}

func newBodies() *bodies {
	return &bodies{of: map[string]*reading{}, large: turn.NewSlots(largeBodies)}
}

// limit returns the body as one that is read when it is its turn.
func (b *bodies) limit(ctx context.Context, who rein.Identity, body io.ReadCloser) io.ReadCloser {
	key := who.Household + "/" + who.User
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[key] == nil {
		b.of[key] = &reading{places: make(chan struct{}, maxBodies)}
	}
	b.of[key].users++
	return &limited{ReadCloser: body, ctx: ctx, who: who, all: b, key: key, mine: b.of[key]}
}

func (b *bodies) leave(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[key].users--; b.of[key].users == 0 {
		delete(b.of, key)
	}
}

// limited is a body that waits for its turn before the first byte, and gives it back after the last. If it
// is large it waits once more, and gives that back when it is closed: after the request, or before by a
// handler that has done with it and answers for long.
type limited struct {
	io.ReadCloser
	ctx  context.Context
	who  rein.Identity
	all  *bodies
	key  string
	mine *reading

	mu    sync.Mutex // a body may be closed while it is read
	has   bool
	ended bool
	read  int64
	large *turn.Slot
}

func (l *limited) Read(p []byte) (int, error) {
	if err := l.wait(); err != nil {
		return 0, err
	}
	n, err := l.ReadCloser.Read(p[:min(len(p), largeBody)])
	l.read += int64(n)
	if err != nil {
		l.end()
	}
	return n, err
}

func (l *limited) Close() error {
	l.end()
	l.mu.Lock()
	if l.large != nil {
		l.large.Leave()
	}
	l.mu.Unlock()
	return l.ReadCloser.Close()
}

func (l *limited) wait() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil
	}
	if l.has {
		return l.waitLarge()
	}
	select {
	case l.mine.places <- struct{}{}:
		l.has = true
		return nil
	case <-l.ctx.Done():
		return l.ctx.Err()
	}
}

// waitLarge waits for one of the places of large bodies, if this is one. It is called with the lock held.
func (l *limited) waitLarge() (err error) {
	if l.read > largeBody && l.large == nil {
		l.large, err = l.all.large.Take(l.ctx, turn.Who{Household: l.who.Household, User: l.who.User})
	}
	return err
}

// end gives the place to the next. It may be called again.
func (l *limited) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	l.ended = true
	if l.has {
		<-l.mine.places
	}
	l.all.leave(l.key)
}
