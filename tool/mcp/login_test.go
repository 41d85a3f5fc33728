package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/tool/mcp"
	"rein/tool/mcp/mcptest"
)

// A box keeps secrets in memory; package household/secrets has the real one.
type box struct {
	mu   sync.Mutex
	kept map[string][]byte
	gone map[mcp.Owner]bool
}

// lose removes what a person has, and keeps nothing of theirs from now on.
func (b *box) lose(who mcp.Owner) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = map[mcp.Owner]bool{who: true}
	maps.DeleteFunc(b.kept, func(name string, _ []byte) bool { return strings.HasPrefix(name, fmt.Sprint(who)) })
}

func (b *box) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Sorted(maps.Keys(b.kept))
}

func (b *box) at(who mcp.Owner, name string) string { return fmt.Sprintf("%v %s", who, name) }

func (b *box) Put(_ context.Context, who mcp.Owner, name string, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone[who] {
		return rein.Errorf(rein.CodeForbidden, "%v is gone", who)
	}
	if b.kept == nil {
		b.kept = map[string][]byte{}
	}
	b.kept[b.at(who, name)] = value
	return nil
}

func (b *box) Get(_ context.Context, who mcp.Owner, name string) ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if value, ok := b.kept[b.at(who, name)]; ok {
		return value, nil
	}
	return nil, rein.Errorf(rein.CodeNotFound, "there is no secret %q", name)
}

func (b *box) Delete(_ context.Context, who mcp.Owner, name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.kept, b.at(who, name))
	return nil
}

// newGuarded is an MCP server that wants tokens of its own authorization server.
func newGuarded(t *testing.T) *mcptest.Guarded {
	g := mcptest.NewGuarded(t.TempDir())
	t.Cleanup(g.Close)
	return g
}

// at is how a server is called that wants a login.
func at(g *mcptest.Guarded) func(*mcp.Server) {
	return func(s *mcp.Server) { s.Command, s.Env, s.URL, s.Login = nil, nil, g.Address(), true }
}

func (r *rig) as(user string) error {
	inv := invocation(`{"text":"hello"}`)
	inv.Task = &rein.Task{Household: "home", User: user}
	_, err := r.tool("test.echo").Do(r.Context(), inv)
	return err
}

var (
	ann = mcp.Owner{Household: "home", User: "ann"}
	bob = mcp.Owner{Household: "home", User: "bob"}
)

// begins begins a login, and returns where the person is sent, what the authorization server sends back with a code, and
// how the login ends.
func (r *rig) begins(who mcp.Owner, code string) (where *url.URL, back url.Values, ended <-chan error) {
	r.Helper()
	end := make(chan error, 1)
	address, err := r.hub.Login(r.Context(), "test", who, "http://127.0.0.1:1/callback", func(err error) { end <- err })
	r.check(err)
	where, err = url.Parse(address)
	r.check(err)
	return where, url.Values{"state": {where.Query().Get("state")}, "code": {code}}, end
}

// A person logs in once, for themselves. Nobody else has their token, and a server of the same name elsewhere gets nothing
// of it.
func TestLogin(t *testing.T) {
	t.Parallel()
	g := newGuarded(t)
	r := newRig(t, at(g), func(o *mcp.Options) { o.Box = &box{} })
	where, back, ended := r.begins(ann, "ann")
	if q := where.Query(); q.Get("code_challenge_method") != "S256" || q.Get("resource") != g.Address() || q.Get("client_id") != "rein-1" {
		t.Errorf("%s", where)
	}
	done, err := r.hub.Finish(t.Context(), back)
	r.check(err)
	r.check(<-ended)
	if done.Who != ann || done.Server != "test" {
		t.Errorf("%+v", done)
	}
	r.check(r.as("ann"))
	if _, ok := errors.AsType[*mcp.LoginError](r.as("bob")); !ok || strings.Contains(g.Came(), "token-of-bob") {
		t.Error("another uses it")
	}
	if !strings.Contains(g.Came(), "Bearer token-of-ann") {
		t.Errorf("%s", g.Came())
	}
	elsewhere := newGuarded(t)
	r.moves(elsewhere)
	if _, ok := errors.AsType[*mcp.LoginError](r.as("ann")); !ok || strings.Contains(elsewhere.Came(), "token-of-ann") {
		t.Errorf("a token went elsewhere: %s", elsewhere.Came())
	}
	r.moves(g)
	r.check(r.as("ann")) // it is still there
	r.check(r.hub.Logout(t.Context(), "test", ann))
	if _, ok := errors.AsType[*mcp.LoginError](r.as("ann")); !ok {
		t.Error("it works after a logout")
	}
}

// moves has the settings name another address for the server.
func (r *rig) moves(to *mcptest.Guarded) {
	r.Helper()
	r.mu.Lock()
	r.server.URL = to.Address()
	r.mu.Unlock()
	r.check(r.hub.Sync(r.Context()))
}

// What comes back counts once, for the person who began, whoever brings it, and for a while. A state that nobody waits for
// changes nothing, and neither does a code that the authorization server does not know.
func TestWhoComesBack(t *testing.T) {
	t.Parallel()
	g, kept := newGuarded(t), &box{}
	r := newRig(t, at(g), func(o *mcp.Options) { o.Box = kept })
	refuses := func(why string, back url.Values) {
		t.Helper()
		done, err := r.hub.Finish(t.Context(), back)
		if rein.CodeOf(err) != rein.CodeNotFound || done != (mcp.Finished{}) {
			t.Errorf("%s: %+v %v", why, done, err)
		}
	}
	_, back, ended := r.begins(ann, "ann")
	_, bobs, _ := r.begins(bob, "bob")
	state := back.Get("state")
	for why, forged := range map[string]string{"no state": "", "a guess": "AAAAAAAAAAAAAAAAAAAAAAAAAA", "the beginning of one": state[:len(state)-1], "more than one": state + "A"} {
		refuses(why, url.Values{"state": {forged}, "code": {"mallory"}})
	}
	if len(kept.names()) > 0 || strings.Contains(g.Came(), "mallory") {
		t.Errorf("%q is kept, and %q came", kept.names(), g.Came())
	}
	took := make(chan error, 30)
	for range cap(took) { // at once
		go func() {
			_, err := r.hub.Finish(t.Context(), back)
			took <- err
		}()
	}
	counted := 0
	for range cap(took) {
		if err := <-took; rein.CodeOf(err) != rein.CodeNotFound {
			r.check(err)
			counted++
		}
	}
	if counted != 1 {
		t.Errorf("it counts %d times", counted)
	}
	r.check(<-ended)
	refuses("the second time", back)
	refuses("with another code", url.Values{"state": {state}, "code": {"mallory"}})
	if got := kept.names(); !slices.Equal(got, []string{kept.at(ann, "mcp/test/login")}) {
		t.Errorf("kept: %q", got)
	}
	bobs.Set("code", "refused")
	if done, err := r.hub.Finish(t.Context(), bobs); err == nil || done.Who != bob {
		t.Errorf("a code that is not known: %+v %v", done, err)
	}
	_, denied, ended := r.begins(bob, "")
	denied.Set("error", "access_denied")
	if _, err := r.hub.Finish(t.Context(), denied); rein.CodeOf(err) != rein.CodeForbidden || !strings.Contains(err.Error(), "access_denied") {
		t.Errorf("%v", err)
	}
	if err := <-ended; rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("a refused login ends with %v", err)
	}
}

// Who comes back too late finds nobody waiting.
func TestWhoComesBackLate(t *testing.T) {
	t.Parallel()
	g, kept := newGuarded(t), &box{}
	r := newRig(t, at(g), func(o *mcp.Options) { o.Box, o.LoginLimit = kept, 3*time.Second })
	_, back, ended := r.begins(ann, "ann")
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "nobody has finished the login to MCP server test within 3s") {
		t.Errorf("%v", err)
	}
	if done, err := r.hub.Finish(t.Context(), back); rein.CodeOf(err) != rein.CodeNotFound || done != (mcp.Finished{}) || len(kept.names()) > 0 {
		t.Errorf("%+v %v; kept: %q", done, err, kept.names())
	}
}

// What is open for a person ends when they are gone: nothing of theirs is renewed, a login that waits cannot be finished,
// and a box that keeps nothing for them fails the call that wants it to.
func TestWhoIsGone(t *testing.T) {
	t.Parallel()
	g, kept := newGuarded(t), &box{}
	g.Life.Store(5) // which is so short that each request renews it
	r := newRig(t, at(g), func(o *mcp.Options) { o.Box = kept })
	for _, who := range []mcp.Owner{ann, bob} {
		_, back, ended := r.begins(who, who.User)
		_, err := r.hub.Finish(t.Context(), back)
		r.check(err)
		r.check(<-ended)
		r.check(r.as(who.User))
	}
	kept.lose(ann)
	before := g.Renewed()
	if err := r.as("ann"); err == nil || g.Renewed() == before {
		t.Errorf("a token is renewed and cannot be kept: %v", err)
	}
	_, waits, ended := r.begins(ann, "later")
	connected := func(who mcp.Owner) bool { return r.hub.List(t.Context(), who)[0].Connected }
	if !connected(ann) {
		t.Fatal("her connection has ended by itself")
	}
	r.hub.Forget(ann)
	if connected(ann) || !connected(bob) {
		t.Error("her connection is still there, or that of another is not")
	}
	if err := <-ended; rein.CodeOf(err) != rein.CodeForbidden {
		t.Errorf("a login that waits ends with %v", err)
	}
	if _, err := r.hub.Finish(t.Context(), waits); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("it can be finished: %v", err)
	}
	r.check(r.as("bob"))
	if got := kept.names(); !slices.Equal(got, []string{kept.at(bob, "mcp/test/login")}) {
		t.Errorf("kept: %q", got)
	}
}
