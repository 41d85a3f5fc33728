package app

import (
	"context"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/household/secrets"
	"rein/internal/visible"
	"rein/server"
	"rein/store"
	"rein/tool/mcp"
)

// loginBox keeps the tokens of MCP servers with the other secrets of people. What is used is hidden from then on, in the log
// of the process too.
type loginBox struct {
	secrets.Box
	known *known
}

var _ mcp.Box = loginBox{}

func (b loginBox) Put(ctx context.Context, who mcp.Owner, name string, value []byte) error {
	return b.Box.Put(ctx, secrets.Owner(who), name, value)
}

func (b loginBox) Get(ctx context.Context, who mcp.Owner, name string) ([]byte, error) {
	value, err := b.Box.Get(ctx, secrets.Owner(who), name)
	if err == nil {
		b.known.of(who.Household, who.User)
	}
	return value, err
}

func (b loginBox) Delete(ctx context.Context, who mcp.Owner, name string) error {
	return b.Box.Delete(ctx, secrets.Owner(who), name)
}

// left has MCP servers forget a user who was erased or disabled: what was open for them would renew their tokens.
func (p *peers) left(household, user string) {
	if p == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), openLimit)
	defer cancel()
	gone := false
	err := p.store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		gone, err = people.IsGone(ctx, q, household, user)
		return err
	})
	if gone || err != nil { // whoever is still there connects again
		p.hub.Forget(mcp.Owner{Household: household, User: user})
	}
}

// callbackPath is where an authorization server sends people back to.
const callbackPath = "/mcp/callback"

// Login implements server.MCP. On this machine the answer comes to a port that is open for it alone; elsewhere to the
// service.
func (p *peers) Login(ctx context.Context, who rein.Identity, name string) (api.MCPLogin, error) {
	if err := p.fresh(ctx); err != nil {
		return api.MCPLogin{}, err
	}
	if !isLocal(who) {
		where, err := p.hub.Login(ctx, name, ownerOfSecrets(who), strings.TrimSuffix(p.url, "/")+callbackPath, p.told(name))
		return api.MCPLogin{URL: where}, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return api.MCPLogin{}, err
	}
	back := &http.Server{Handler: p.callback(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = back.Serve(listener) }()
	redirect := url.URL{Scheme: "http", Host: listener.Addr().String(), Path: callbackPath}
	told := p.told(name)
	where, err := p.hub.Login(ctx, name, ownerOfSecrets(who), redirect.String(), func(err error) {
		told(err)
		shut, cancel := context.WithTimeout(context.Background(), drainGrace)
		defer cancel()
		_ = back.Shutdown(shut) // the browser gets its page first
	})
	if where == "" {
		_ = listener.Close()
	}
	return api.MCPLogin{URL: where}, err
}

// told reports a login that failed.
func (p *peers) told(name string) func(error) {
	return func(err error) {
		if err != nil {
			p.live.tell("a login to an MCP server failed", "server", name, "error", err)
		}
	}
}

// Logout implements server.MCP.
func (p *peers) Logout(ctx context.Context, who rein.Identity, name string) error {
	return p.hub.Logout(ctx, name, ownerOfSecrets(who))
}

// callback takes what an authorization server sends a person back with. The browser comes from another site, so it brings no
// cookie: what it brings counts because of its state, which nobody can guess, once, and for the person who began.
func (p *peers) callback() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != callbackPath:
			http.NotFound(w, r)
			return
		case r.Method != http.MethodGet: // a HEAD would use up the state
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "use GET", http.StatusMethodNotAllowed)
			return
		}
		done, err := p.hub.Finish(r.Context(), r.URL.Query())
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer") // the address has the code
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprintf(w, "<!doctype html><title>rein</title><p>%s</p>\n", html.EscapeString(p.masked(loginWords(done, err))))
	})
}

// loginWords say what became of a login. They name whose it is: somebody else may have sent this browser there.
func loginWords(done mcp.Finished, err error) string {
	switch {
	case err == nil:
		return fmt.Sprintf("Runs of %s can use MCP server %s now, with the account that you logged in to. You can close this page. If you are not %[1]s, remove rein's access in that account.", done.Who.User, done.Server)
	case done.Server == "":
		return fmt.Sprintf("Nothing has changed: %v", err)
	}
	return fmt.Sprintf("The login of %s to MCP server %s has failed: %s", done.Who.User, done.Server, visible.Short(err.Error(), 500))
}

// callbackMount is the callback of a service.
func (p *peers) callbackMount() server.Mount {
	return server.Mount{Pattern: callbackPath, Handler: p.callback()}
}
