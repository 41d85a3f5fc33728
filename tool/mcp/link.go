package mcp

import (
	"context"
	"sync"
	"time"

	"rein"
)

// A link is the connection to a server, which may be down. It is made when a call needs it, ends when nobody has used it
// for a while, and is made again, not at once, when the server died.
type link struct {
	hub    *Hub
	key    key
	server Server
	turn   chan struct{} // one connects at a time

	mu       sync.Mutex
	conn     *conn
	failures int
	next     time.Time // not before
	err      error     // why there is none
	idle     *time.Timer
	ended    bool
}

// How long a link waits after failures, and how long a call waits for a link.
const (
	firstPause = time.Second
	maxPause   = time.Minute
	patience   = 5 * time.Second
)

// use returns the connection.
func (l *link) use(ctx context.Context) (*conn, error) {
	if c := l.alive(); c != nil {
		return c, nil
	}
	select {
	case l.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-l.turn }()
	if c := l.alive(); c != nil {
		return c, nil
	}
	if err := l.pause(ctx); err != nil {
		return nil, err
	}
	c, err := l.hub.connect(ctx, l.key, l.server)
	if ctx.Err() != nil && err != nil {
		return nil, context.Cause(ctx) // nobody knows whether it would have worked
	}
	return l.took(c, err)
}

// alive returns the connection if there is one, and keeps it from being idle.
func (l *link) alive() *conn {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == nil || !l.conn.isAlive() {
		return nil
	}
	l.idle.Reset(l.hub.o.Idle)
	return l.conn
}

// pause waits until it may be tried again, if that is soon.
func (l *link) pause(ctx context.Context) error {
	l.mu.Lock()
	wait, err := time.Until(l.next), l.err
	l.mu.Unlock()
	if wait <= 0 {
		return nil
	}
	if wait > patience && err != nil {
		return rein.Errorf(rein.CodeUnavailable, "%w (it is tried again in %s)", err, wait.Round(time.Second))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// took remembers how an attempt ended.
func (l *link) took(c *conn, err error) (*conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.fail(err)
		return nil, err
	}
	if l.ended {
		go c.close()
		return nil, rein.Errorf(rein.CodeUnavailable, "MCP server %s was configured in another way meanwhile: call again", l.server.Name)
	}
	l.conn, l.err = c, nil
	l.idle = time.AfterFunc(l.hub.o.Idle, func() { l.rest(c) })
	l.hub.work.Go(func() { l.watch(c) })
	return c, nil
}

// fail is called with mu held.
func (l *link) fail(err error) {
	l.err, l.next = err, time.Now().Add(min(firstPause<<min(l.failures, 10), maxPause))
	l.failures++
}

// watch notices that a server died.
func (l *link) watch(c *conn) {
	<-c.ended
	said := ""
	if c.process != nil {
		c.process.end()
		said = c.process.words.said()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != c {
		return // it was let go of
	}
	l.conn = nil
	l.idle.Stop()
	l.fail(rein.Errorf(rein.CodeUnavailable, "MCP server %s ended%s", l.server.Name, said))
	l.hub.o.Tell("an MCP server ended by itself; the next call starts it again", "server", l.server.Name, "error", l.err)
}

// rest lets go of a connection that nobody uses.
func (l *link) rest(c *conn) {
	l.mu.Lock()
	if l.conn != c || c.busy.Load() > 0 {
		if l.conn == c {
			l.idle.Reset(l.hub.o.Idle)
		}
		l.mu.Unlock()
		return
	}
	l.conn = nil
	l.mu.Unlock()
	_ = c.close()
}

// worked notes that a call on the connection was answered: the server is well.
func (l *link) worked(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == c {
		l.failures = 0
	}
}

// state tells how it is: whether it is connected, when it is tried again, and what went wrong last.
func (l *link) state() (connected bool, next time.Time, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn != nil && l.conn.isAlive(), l.next, l.err
}

// end lets go of the connection for good.
func (l *link) end() {
	l.mu.Lock()
	c := l.conn
	l.conn, l.ended = nil, true
	if l.idle != nil {
		l.idle.Stop()
	}
	l.mu.Unlock()
	if c != nil {
		_ = c.close()
	}
}
