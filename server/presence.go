package server

import (
	"context"
	"sync"

	"rein"
	"rein/people"
)

// presence knows the requests that are under way, by their sender: a stream may last for hours, and
// must not outlast what its sender may do.
type presence struct {
	mu       sync.Mutex
	requests map[person]map[*request]bool
}

type person struct{ household, user string }

type request struct{ end context.CancelCauseFunc }

var errChanged = rein.Errorf(rein.CodeUnauthenticated, "what you may do here has changed: connect again")

// enter returns the context of a request of this sender; leave must be called at its end.
func (p *presence) enter(ctx context.Context, who people.Identity) (_ context.Context, leave func()) {
	ctx, end := context.WithCancelCause(ctx)
	r, of := &request{end}, person{who.Household, who.User}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.requests == nil {
		p.requests = map[person]map[*request]bool{}
	}
	if p.requests[of] == nil {
		p.requests[of] = map[*request]bool{}
	}
	p.requests[of][r] = true
	return ctx, func() {
		end(nil)
		p.mu.Lock()
		defer p.mu.Unlock()
		if delete(p.requests[of], r); len(p.requests[of]) == 0 {
			delete(p.requests, of)
		}
	}
}

// changed ends the requests of someone whose rights have changed. They may come again.
func (p *presence) changed(household, user string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := range p.requests[person{household, user}] {
		r.end(errChanged)
	}
}
