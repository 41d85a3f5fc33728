package access

import (
	"context"
	"net/http"
	"time"

	"rein"
)

// held is a request under way. A stream may stay open for days, and must end when its sender is no
// longer welcome; that closes a connection and cancels no run.
type held struct {
	request *http.Request
	who     rein.Identity
	end     context.CancelCauseFunc
	timer   *time.Timer
}

// hold keeps an eye on a request until release is called. Its context ends when the credential it
// came with does, or when its sender gets another role.
func (a *Access) hold(r *http.Request, who rein.Identity) (ctx context.Context, release func(), err error) {
	user := who.Household + "/" + who.User
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.count[user] >= a.o.Limits.Open {
		return nil, nil, tooOften("open at the same time as "+who.User, time.Second)
	}
	if len(a.held) >= a.o.Limits.OpenAll {
		return nil, nil, tooOften("open at the same time", time.Second)
	}
	a.count[user]++
	ctx, end := context.WithCancelCause(r.Context())
	h := &held{request: r, who: who, end: end}
	h.timer = time.AfterFunc(a.o.Recheck, func() { a.look(h) })
	a.held[h] = struct{}{}
	return ctx, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		h.timer.Stop()
		delete(a.held, h)
		if a.count[user]--; a.count[user] == 0 {
			delete(a.count, user)
		}
		end(nil)
	}, nil
}

// recheck looks at the requests of a user after something about them has changed.
func (a *Access) recheck(household, user string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for h := range a.held {
		if h.who.Household == household && h.who.User == user {
			h.timer.Reset(0)
		}
	}
}

// look ends a request whose sender is no longer who they were, and looks again later at others.
func (a *Access) look(h *held) {
	who, err := a.identify(h.request)
	if err == nil && who.Role != h.who.Role { // what a token is good for never changes otherwise
		err = rein.Errorf(rein.CodeUnauthenticated, "the role of %s has changed: connect again", who.User)
	}
	if rein.CodeOf(err) == rein.CodeUnauthenticated {
		h.end(err)
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.held[h]; open {
		h.timer.Reset(a.o.Recheck)
	}
}
