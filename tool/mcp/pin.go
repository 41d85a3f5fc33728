package mcp

import (
	"context"
	"time"
)

// A Pin is a tool's definition as rein knows it. It is kept, so that a run knows its tools after a restart, also while
// the server is down.
type Pin struct {
	Definition
	Server string
	// Hash is that of the definition; Accepted that of the one which the operator's settings are for: the first that was
	// seen, or the one that they accepted since.
	Hash, Accepted string
	Changed        time.Time // when the definition last changed; zero: never
	Gone           bool      // the server does not list it any more
}

// IsChanged reports whether the definition is another than the operator's settings are for.
func (p Pin) IsChanged() bool { return p.Hash != p.Accepted }

// Pins keeps the definitions of tools.
type Pins interface {
	// Pins returns what is kept for all servers.
	Pins(ctx context.Context) ([]Pin, error)
	// Pin keeps what a server lists now, and returns what is kept for it then.
	Pin(ctx context.Context, server string, listed []Definition) ([]Pin, error)
	// Accept makes the settings hold for what the server lists now.
	Accept(ctx context.Context, server string) error
}
