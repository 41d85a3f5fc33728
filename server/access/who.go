package access

import (
	"context"
	"net/http"
	"strings"
	"time"

	"rein"
)

// patience is how long finding out about a sender may take.
const patience = 10 * time.Second

// identify recognises a sender by their token, or else by the cookie of their browser. Nothing in the
// address of a request counts: addresses are kept in logs and histories.
func (a *Access) identify(r *http.Request) (rein.Identity, error) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if r.Header.Values("Authorization") != nil {
		token, err := bearer(r)
		if err != nil {
			return rein.Identity{}, err
		}
		return a.o.People.Identify(ctx, token)
	}
	if token, ok := protocolToken(r); ok {
		return a.o.People.Identify(ctx, token)
	}
	cookie, err := a.cookie(r)
	if err != nil {
		return rein.Identity{}, err
	}
	who, err := a.o.People.IdentifyBrowser(ctx, cookie)
	if err != nil {
		return rein.Identity{}, err
	}
	if err := a.checkPage(r, cookie); err != nil {
		return rein.Identity{}, err
	}
	who.Bare = a.isBare(r, cookie)
	return who, nil
}

// bearer returns the token of a request's one Authorization header.
func bearer(r *http.Request) (string, error) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", unknown("there are %d Authorization headers: send one", len(values))
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", unknown("the Authorization header must be: Bearer TOKEN")
	}
	return strings.Trim(token, " "), nil
}

// cookieName says by its prefix that a cookie was set by this host over TLS, which browsers hold to.
func (a *Access) cookieName() string {
	if a.o.TLS {
		return "__Host-rein"
	}
	return "rein_session"
}

// cookie returns the secret of the browser. Two of them are refused: one of them may be planted by
// another server of the same name.
func (a *Access) cookie(r *http.Request) (string, error) {
	switch found := r.CookiesNamed(a.cookieName()); {
	case len(found) == 1:
		return found[0].Value, nil
	case len(found) > 1:
		return "", unknown("there are %d cookies %s: remove them from the browser and log in again", len(found), a.cookieName())
	case strings.Contains(r.URL.RawQuery, "rein_"):
		return "", unknown("a token is not taken from the address of a request, where it ends up in logs: revoke it, and send a new one as Authorization: Bearer TOKEN")
	}
	return "", unknown("the request has no credential")
}

// hasCredential reports whether a request brings something to be recognised by.
func hasCredential(r *http.Request, cookie string) bool {
	_, offered := protocolToken(r)
	return offered || r.Header.Values("Authorization") != nil || len(r.CookiesNamed(cookie)) > 0
}

func unknown(format string, args ...any) error {
	return rein.Errorf(rein.CodeUnauthenticated, format, args...)
}

// challenge says in the answer to a sender who is not known how to become known.
type challenge struct {
	http.ResponseWriter
	tried bool // they had a credential
}

// Unwrap lets an http.ResponseController reach what is behind.
func (c *challenge) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (c *challenge) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		setChallenge(c.Header(), c.tried)
	}
	c.ResponseWriter.WriteHeader(status)
}

func setChallenge(h http.Header, tried bool) {
	if h.Get("WWW-Authenticate") != "" {
		return
	}
	if tried {
		h.Set("WWW-Authenticate", `Bearer realm="rein", error="invalid_token"`)
		return
	}
	h.Set("WWW-Authenticate", `Bearer realm="rein"`)
}
