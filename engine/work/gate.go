package work

import "sync"

// A gate passes text on until it is closed, so that an abandoned model cannot go on talking.
type gate struct {
	mu     sync.Mutex
	to     func(string)
	closed bool
}

func newGate(to func(string)) *gate { return &gate{to: to} }

func (g *gate) show(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.closed {
		g.to(text)
	}
}

// said returns what was shown, unless the gate is closed: then somebody else changes it.
func (g *gate) said(all func() string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ""
	}
	return all()
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
}
