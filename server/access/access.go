// Package access protects the API on a network. It identifies the sender by a token or by the
// cookie of a logged-in browser, and refuses cross-site requests, unknown host names and floods. A
// unix socket does not need it.
package access

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"rein"
	"rein/household/people"
	"rein/server/port"
	"rein/server/wire"
)

// Options are the settings of an Access. People and Listen are required.
type Options struct {
	People *people.People
	// Listen is the address of the listener, such as 127.0.0.1:7717.
	Listen string
	// Hosts are other names of the server, such as rein.example.org. A port in a name is ignored. The server
	// refuses all other names, because a page in a browser can use a name of its own to reach servers at
	// home (DNS rebinding).
	Hosts []string
	// Origins are the origins of other web pages that may use the API, such as https://app.example.org. They
	// need a token.
	Origins []string
	// TLS says that people connect with https, to this process or to a proxy in front of it.
	TLS bool
	// Proxies are the addresses whose X-Forwarded-For is trusted. Everyone who comes through another proxy
	// has that proxy's address.
	Proxies []netip.Prefix
	Limits  Limits
	// Files reports requests for files that are the same for everybody, such as the scripts of the page. Nil
	// means that there are none. They have a limit of their own: a frame that a browser keeps apart asks for
	// many of them without a credential.
	Files func(*http.Request) bool
	Log   *slog.Logger     // nil is silent
	Now   func() time.Time // nil means time.Now
	// Recheck is how often the server checks that the sender of an open request may still use it. It also
	// checks whenever users change. Zero means a minute.
	Recheck time.Duration
}

// An Access guards one listener.
type Access struct {
	o     Options
	hosts map[string]bool
	any   bool // it listens on every address

	users, credentials, strangers, files, failures *limiter
	bodies                                         *bodies

	mu    sync.Mutex
	held  map[*held]struct{}
	count map[string]int // of held, by user
	stop  func()
}

// New returns the guard of a listener. Close ends it.
func New(o Options) (*Access, error) {
	if o.People == nil {
		return nil, rein.Errorf(rein.CodeInvalid, "access needs the field People")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Recheck == 0 {
		o.Recheck = time.Minute
	}
	o.Limits = o.Limits.complete()
	a := &Access{o: o, held: map[*held]struct{}{}, count: map[string]int{}, bodies: newBodies()}
	if err := cmp.Or(a.readHosts(), a.readOrigins()); err != nil {
		return nil, err
	}
	a.users, a.credentials = newLimiter(o.Limits.User), newLimiter(o.Limits.Credential)
	a.strangers, a.files, a.failures = newLimiter(o.Limits.Stranger), newLimiter(o.Limits.File), newLimiter(o.Limits.Failure)
	a.stop = o.People.Watch(a.recheck)
	return a, nil
}

// Close stops watching for changes to users. Open requests continue.
func (a *Access) Close() { a.stop() }

// Wrap guards a handler. The handler calls Who to find out who sends a request.
func (a *Access) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.setHeaders(w.Header(), r)
		if err := a.checkRequest(w, r); err != nil {
			wire.Problem(w, err)
			return
		}
		if a.share(w, r) {
			return
		}
		who, err := a.meet(r)
		from := a.address(r)
		r = port.WithRefusal(r, func(err error) error { return a.refuse(from, a.o.Now(), err) })
		if rein.CodeOf(err) == rein.CodeRateLimited {
			wire.Problem(w, err)
			return
		}
		if err != nil { // it is for the handler to say whether that matters
			r = r.WithContext(context.WithValue(r.Context(), metKey{}, met{err: err}))
			next.ServeHTTP(&challenge{w, hasCredential(r, a.cookieName())}, r)
			return
		}
		ctx, release, err := a.hold(r, who)
		if err != nil {
			wire.Problem(w, err)
			return
		}
		defer release()
		r = port.WithFrames(r.WithContext(context.WithValue(ctx, metKey{}, met{who: who})), a.frames(who))
		if r.Body != nil && r.ContentLength != 0 {
			r.Body = a.bodies.limit(ctx, who, r.Body)
			defer r.Body.Close()
		}
		next.ServeHTTP(w, r)
	})
}

// met is what was found out about the sender of a request.
type met struct {
	who rein.Identity
	err error
}

type metKey struct{}

// Who identifies the sender of a request. The error is CodeUnauthenticated if that fails, and CodeForbidden
// for a page that may not use the browser's cookie.
func (a *Access) Who(r *http.Request) (rein.Identity, error) {
	if m, ok := r.Context().Value(metKey{}).(met); ok {
		return m.who, m.err
	}
	return a.identify(r)
}

// meet finds out who sends a request and whether they have sent too many. Credentials are looked up
// first and only those that are refused are counted by address: a good one works, whatever others at
// the same address try.
func (a *Access) meet(r *http.Request) (rein.Identity, error) {
	now, from := a.o.Now(), a.address(r)
	if !hasCredential(r, a.cookieName()) {
		count := a.strangers
		if a.o.Files != nil && a.o.Files(r) {
			count = a.files
		}
		if err := count.take(from, now, "from your address"); err != nil {
			return rein.Identity{}, err
		}
	}
	who, err := a.identify(r)
	switch {
	case err != nil && hasCredential(r, a.cookieName()):
		return rein.Identity{}, a.refuse(from, now, err)
	case err != nil:
		return rein.Identity{}, err
	}
	return who, a.takeOne(who, now)
}

// refuse counts a credential that was refused, and returns what to tell: err, or that there are too
// many. Who guesses may do it less often than who is merely late.
func (a *Access) refuse(from string, now time.Time, err error) error {
	count := a.strangers
	if rein.CodeOf(err) == rein.CodeUnauthenticated && !errors.Is(err, people.ErrEnded) {
		count = a.failures
	}
	if tooMany := count.take(from, now, "from your address with credentials that were refused"); tooMany != nil {
		return tooMany
	}
	return err
}

// LoginURL returns the address that logs a browser in with this link.
func (a *Access) LoginURL(link string) string {
	host, port, _ := net.SplitHostPort(a.o.Listen)
	if a.any {
		host = "localhost"
		if len(a.o.Hosts) > 0 {
			host, _ = nameOf(a.o.Hosts[0])
		}
	}
	return a.scheme() + "://" + net.JoinHostPort(host, port) + "/login?link=" + link
}
