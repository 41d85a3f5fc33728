// Package turn limits how much is done at a time, and is fair: a waiting caller gets a place by who
// they are, not by when they came, so a long queue of one user does not delay another.
package turn

import (
	"context"
	"sync"
)

// A Gate has places for work.
type Gate struct {
	mu    sync.Mutex
	free  int
	order []string                   // whose turn is next; each is there once
	queue map[string][]chan struct{} // who waits, by key, the first first
}

// New returns a gate with so many places.
func New(places int) *Gate {
	return &Gate{free: places, queue: map[string][]chan struct{}{}}
}

// Take waits for a place. Who gets one calls done, once or more. The error is that of the context.
func (g *Gate) Take(ctx context.Context, key string) (done func(), err error) {
	mine := g.join(key)
	select {
	case <-mine:
	case <-ctx.Done():
		if g.quit(key, mine) {
			return nil, ctx.Err()
		}
		// It came at the same time.
	}
	return sync.OnceFunc(g.leave), nil
}

// join returns what is closed when there is a place.
func (g *Gate) join(key string) chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	mine := make(chan struct{})
	if g.free > 0 { // then nobody waits
		g.free--
		close(mine)
		return mine
	}
	if len(g.queue[key]) == 0 {
		g.order = append(g.order, key)
	}
	g.queue[key] = append(g.queue[key], mine)
	return mine
}

// quit takes one out of its queue, and reports whether it was still there.
func (g *Gate) quit(key string, mine chan struct{}) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, c := range g.queue[key] {
		if c == mine {
			g.set(key, append(g.queue[key][:i:i], g.queue[key][i+1:]...))
			return true
		}
	}
	return false
}

// set replaces a queue; an empty one has no turn.
func (g *Gate) set(key string, queue []chan struct{}) {
	if len(queue) > 0 {
		g.queue[key] = queue
		return
	}
	delete(g.queue, key)
	for i := range g.order {
		if g.order[i] == key {
			g.order = append(g.order[:i:i], g.order[i+1:]...)
			return
		}
	}
}

// leave gives the place to the first of whose turn it is.
func (g *Gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.order) == 0 {
		g.free++
		return
	}
	key := g.order[0]
	queue := g.queue[key]
	close(queue[0])
	g.order = append(g.order[1:], key)
	g.set(key, queue[1:])
}
