package mcp

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"maps"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"rein"
)

// A login is a person who is on the way to an authorization server and back.
type login struct {
	who    Owner
	server string
	state  string                        // what the authorization server repeats when it sends them back; empty: it does not know them yet
	answer chan auth.AuthorizationResult // one
	stop   context.CancelCauseFunc
	over   chan struct{} // closed when it has ended
	err    error         // how
}

// loginLimit is how long a person may take.
const loginLimit = 10 * time.Minute

// Login begins the login of a person. It returns where they have to go. The authorization server then sends their browser
// to the redirect address, and whoever listens there calls Finish. An empty address: nothing is needed.
//
// The function done is called when the login has ended, also if it failed.
func (h *Hub) Login(ctx context.Context, name string, who Owner, redirect string, done func(error)) (string, error) {
	s, err := h.server(name)
	switch {
	case err != nil:
		return "", err
	case s.Household != who.Household:
		return "", rein.Errorf(rein.CodeNotFound, "there is no MCP server %.80q", name)
	case !s.Login:
		return "", rein.Errorf(rein.CodeInvalid, "MCP server %s has no login: set login = true for it", name)
	}
	l := &login{who: who, server: name, answer: make(chan auth.AuthorizationResult, 1), over: make(chan struct{})}
	sent, away := make(chan string, 1), atomic.Bool{}
	handler, err := h.authorizer(ctx, s, who, redirect, func(ctx context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		if away.Swap(true) {
			return nil, &LoginError{s.Name} // the person was there, and it is not enough
		}
		return h.await(ctx, l, a.URL, sent)
	})
	if err != nil {
		return "", err
	}
	var lasting context.Context
	lasting, l.stop = context.WithCancelCause(h.ctx)
	h.work.Go(func() {
		defer l.stop(nil)
		l.err = h.loginWith(lasting, s, who, handler)
		close(l.over)
		done(l.err)
	})
	select {
	case where := <-sent:
		return where, nil
	case <-l.over:
		return "", l.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// loginWith connects with a handler that may send a person away, and lets go of the connection.
func (h *Hub) loginWith(ctx context.Context, s Server, who Owner, handler Authorizer) error {
	ctx, cancel := context.WithTimeoutCause(ctx, h.o.LoginLimit, rein.Errorf(rein.CodeUnavailable, "nobody has finished the login to MCP server %s within %s: begin again with `rein mcp login %[1]s`", s.Name, h.o.LoginLimit))
	defer cancel()
	c, err := h.dialWithin(ctx, key{s.Name, s.Hash(), who, ""}, s, handler)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	defer c.close()
	h.forgetFailures(s.Name)
	h.mu.Lock()
	delete(h.scopes, key{s.Name, s.Hash(), who, ""})
	h.mu.Unlock()
	h.drop(s.Name, who) // the next call uses the new token
	return h.pinned(ctx, c)
}

// await sends a person to the authorization server, and waits until they come back.
func (h *Hub) await(ctx context.Context, l *login, where string, sent chan<- string) (*auth.AuthorizationResult, error) {
	u, err := url.Parse(where)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("the address of the authorization server is wrong")
	}
	l.state = u.Query().Get("state")
	if len(l.state) < minState {
		return nil, fmt.Errorf("the login has no state that nobody can guess")
	}
	h.mu.Lock()
	h.logins[sha256.Sum256([]byte(l.state))] = l
	h.mu.Unlock()
	defer h.leave(l)
	sent <- where
	select {
	case answer := <-l.answer:
		answer.State = l.state
		return &answer, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// minState is the length of a state that has 128 random bits, in base32.
const minState = 26

// leave has nobody come back for a login any more.
func (h *Hub) leave(l *login) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.logins, sha256.Sum256([]byte(l.state)))
}

// claim returns the login that waits for a state, once. It is looked up by its hash, so that the time that it takes tells
// nothing about the states that there are.
func (h *Hub) claim(state string) *login {
	sum := sha256.Sum256([]byte(state))
	h.mu.Lock()
	defer h.mu.Unlock()
	l := h.logins[sum]
	if l == nil || subtle.ConstantTimeCompare([]byte(l.state), []byte(state)) != 1 {
		return nil
	}
	delete(h.logins, sum)
	return l
}

// finishLimit is how long a person who comes back waits until rein knows whether the login worked.
const finishLimit = 30 * time.Second

// A Finished is a login that came back from the authorization server.
type Finished struct {
	Server string
	Who    Owner // who began it: the login is theirs, whoever brings the answer
}

// Finish takes what an authorization server sent a person back with, and waits until it is known whether the login worked.
// Whoever brings the answer needs nothing but the state, which nobody can guess and which counts once. CodeNotFound: no
// login waits for this state, and nothing has changed.
func (h *Hub) Finish(ctx context.Context, query url.Values) (Finished, error) {
	l := h.claim(query.Get("state"))
	if l == nil {
		return Finished{}, rein.Errorf(rein.CodeNotFound, "no login waits for this answer: it was used before, has expired, or was never begun here. Begin again with `rein mcp login NAME`")
	}
	f := Finished{l.server, l.who}
	if query.Get("code") == "" {
		err := rein.Errorf(rein.CodeForbidden, "the authorization server refused it: %.200s", cmp.Or(query.Get("error_description"), query.Get("error"), "it does not say why"))
		l.stop(err)
		return f, err
	}
	l.answer <- auth.AuthorizationResult{Code: query.Get("code"), Iss: query.Get("iss")}
	ctx, cancel := context.WithTimeout(ctx, finishLimit)
	defer cancel()
	select {
	case <-l.over:
		return f, l.err
	case <-ctx.Done():
		return f, rein.Errorf(rein.CodeUnavailable, "the server has not answered yet: `rein mcp list` shows whether you are logged in")
	}
}

// Logout forgets the tokens of a person.
func (h *Hub) Logout(ctx context.Context, name string, who Owner) error {
	if h.o.Box == nil {
		return rein.Errorf(rein.CodeNotFound, "nobody is logged in to MCP server %.80q", name)
	}
	h.drop(name, who)
	return h.o.Box.Delete(ctx, who, secretName(name))
}

// drop ends the connections of a person to a server.
func (h *Hub) drop(name string, who Owner) {
	h.mu.Lock()
	gone := h.without(func(k key) bool { return k.server == name && k.owner == who })
	h.mu.Unlock()
	for _, l := range gone {
		l.end()
	}
}

// Forget ends what a person who is gone has with all servers: connections, logins that wait, and what is known of them.
func (h *Hub) Forget(who Owner) {
	h.mu.Lock()
	gone := h.without(func(k key) bool { return k.owner == who })
	maps.DeleteFunc(h.scopes, func(k key, _ []string) bool { return k.owner == who })
	for sum, l := range h.logins {
		if l.who == who {
			delete(h.logins, sum)
			l.stop(rein.Errorf(rein.CodeForbidden, "user %s is gone", who.User))
		}
	}
	h.mu.Unlock()
	for _, l := range gone {
		go l.end()
	}
}

// without takes out connections. It is called with mu held.
func (h *Hub) without(is func(key) bool) (gone []*link) {
	for k, l := range h.links {
		if is(k) {
			gone = append(gone, l)
			delete(h.links, k)
		}
	}
	return gone
}
