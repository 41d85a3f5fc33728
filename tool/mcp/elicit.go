package mcp

import (
	"context"
	"fmt"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"rein"
)

// callKey finds the invocation of a call in the context of what the server asks on the way.
type callKey struct{}

// running are the calls of a connection that are running.
type running struct {
	mu    sync.Mutex
	calls map[*rein.Invocation]bool
}

// begin notes that a call runs, until the returned function is called.
func (r *running) begin(inv *rein.Invocation) func() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls == nil {
		r.calls = map[*rein.Invocation]bool{}
	}
	r.calls[inv] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.calls, inv)
	}
}

// only returns the call that runs, if it is the only one. Earlier versions of the protocol do not say which call a
// question belongs to, and nobody is asked about another's.
func (r *running) only() *rein.Invocation {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) != 1 {
		return nil
	}
	for inv := range r.calls {
		return inv
	}
	return nil
}

// callOf returns the call during which a server wants something; nil: nobody knows.
func (c *conn) callOf(ctx context.Context) *rein.Invocation {
	if inv, ok := ctx.Value(callKey{}).(*rein.Invocation); ok {
		return inv
	}
	return c.running.only()
}

// maxWishes is how many questions of a server wait at a time; more are declined.
const maxWishes = 8

// elicit has the person whose call it is answer what the server wants to know. Addresses to open are declined: a server
// could send people anywhere.
func (h *Hub) elicit(ctx context.Context, c *conn, p *sdk.ElicitParams) (*sdk.ElicitResult, error) {
	inv := c.callOf(ctx)
	defer c.wishes.Add(-1)
	if c.wishes.Add(1) > maxWishes || inv == nil || inv.Ask == nil || p.Mode == "url" || p.URL != "" {
		return &sdk.ElicitResult{Action: "decline"}, nil
	}
	about := fmt.Sprintf("The MCP server %s asks you, in its own words:\n%s\nIt gets what you answer, and the log keeps it: give it no passwords or keys.", c.server.Name, quoted(p.Message))
	answers, err := fill(ctx, about, p.RequestedSchema, inv.Ask)
	switch {
	case err != nil:
		return &sdk.ElicitResult{Action: "cancel"}, nil
	case answers == nil:
		return &sdk.ElicitResult{Action: "decline"}, nil
	}
	return &sdk.ElicitResult{Action: "accept", Content: answers}, nil
}
