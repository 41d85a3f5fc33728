package access

import (
	"context"
	"io"
	"sync"

	"rein/people"
)

// maxBodies is how many bodies of one user are read at a time: each may have megabytes, which are kept
// until all of it is there. The others wait in their connections.
const maxBodies = 16

// bodies counts what is being read, by user. The zero value is ready.
type bodies struct {
	mu sync.Mutex
	of map[string]*reading
}

type reading struct {
	places chan struct{}
	users  int // bodies that were not given back
}

// limit returns the body as one that is read when it is its turn.
func (b *bodies) limit(ctx context.Context, who people.Identity, body io.ReadCloser) io.ReadCloser {
	key := who.Household + "/" + who.User
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of == nil {
		b.of = map[string]*reading{}
	}
	if b.of[key] == nil {
		b.of[key] = &reading{places: make(chan struct{}, maxBodies)}
	}
	b.of[key].users++
	return &limited{ReadCloser: body, ctx: ctx, all: b, key: key, mine: b.of[key]}
}

func (b *bodies) leave(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.of[key].users--; b.of[key].users == 0 {
		delete(b.of, key)
	}
}

// limited is a body that waits for its turn before the first byte, and gives it back after the last.
type limited struct {
	io.ReadCloser
	ctx  context.Context
	all  *bodies
	key  string
	mine *reading

	mu    sync.Mutex // a body may be closed while it is read
	has   bool
	ended bool
}

func (l *limited) Read(p []byte) (int, error) {
	if err := l.wait(); err != nil {
		return 0, err
	}
	n, err := l.ReadCloser.Read(p)
	if err != nil {
		l.end()
	}
	return n, err
}

func (l *limited) Close() error {
	l.end()
	return l.ReadCloser.Close()
}

func (l *limited) wait() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.has || l.ended {
		return nil
	}
	select {
	case l.mine.places <- struct{}{}:
		l.has = true
		return nil
	case <-l.ctx.Done():
		return l.ctx.Err()
	}
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
