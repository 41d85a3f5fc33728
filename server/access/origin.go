package access

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"rein"
	"rein/household/people"
	"rein/server/wire"
)

// readHosts gathers the names of this server.
func (a *Access) readHosts() error {
	host, _, err := net.SplitHostPort(a.o.Listen)
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "listen on %.100q: it must be HOST:PORT, such as 127.0.0.1:7717", a.o.Listen)
	}
	a.hosts = map[string]bool{"localhost": true}
	if at, err := netip.ParseAddr(host); host == "" || err == nil && at.IsUnspecified() {
		a.any = true
	} else if name, ok := nameOf(host); ok {
		a.hosts[name] = true
	}
	for _, h := range a.o.Hosts {
		name, ok := nameOf(h)
		if !ok {
			return rein.Errorf(rein.CodeInvalid, "host %.100q is not a name: write it as people type it, without https:// and path", h)
		}
		a.hosts[name] = true
	}
	return nil
}

// nameOf returns the name in a Host header in the one way it is compared: in lower case, without port,
// brackets and the dot that ends it.
func nameOf(host string) (name string, ok bool) {
	name = host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if strings.ContainsFunc(port, func(c rune) bool { return c < '0' || c > '9' }) {
			return "", false
		}
		name = h
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	if at, err := netip.ParseAddr(name); err == nil {
		return at.Unmap().String(), true
	}
	bad := strings.ContainsFunc(name, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' && c != '_'
	})
	return name, name != "" && !bad
}

// checkHost refuses names that are not this server's. A page whose name was made to lead here is of
// the same origin for the browser, but cannot change the name that the browser sends.
func (a *Access) checkHost(r *http.Request) error {
	name, ok := nameOf(r.Host)
	if ok && a.hosts[name] {
		return nil
	}
	if at, err := netip.ParseAddr(name); ok && err == nil && isOwn(r, at) {
		return nil
	}
	return wire.Refuse(http.StatusMisdirectedRequest, rein.Errorf(rein.CodeForbidden, "this server does not have the name %.100q: use the name that it printed when it started, or add this one to server.hosts", r.Host))
}

// isOwn reports whether an address is this machine's as the request sees it: no name leads to a page
// whose origin is an address.
func isOwn(r *http.Request, at netip.Addr) bool {
	if at.IsLoopback() {
		return true
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	to, err := netip.ParseAddrPort(local.String())
	return err == nil && to.Addr().Unmap() == at
}

func (a *Access) scheme() string {
	if a.o.TLS {
		return "https"
	}
	return "http"
}

// isOwnPage reports whether the page that sends a request is of this server, as its Origin says.
func (a *Access) isOwnPage(r *http.Request) bool {
	origin := r.Header.Values("Origin")
	return len(origin) == 1 && strings.EqualFold(origin[0], a.scheme()+"://"+r.Host)
}

// checkPage refuses requests that carry a browser's cookie and are not made by a page of this server.
// What changes something must also prove that the page could read an answer.
func (a *Access) checkPage(r *http.Request, cookie string) error {
	site := r.Header.Get("Sec-Fetch-Site")
	switch {
	case site != "" && site != "same-origin" && site != "none":
		return foreign("the request comes from another site (Sec-Fetch-Site: %.20q)", site)
	case r.Header.Values("Origin") != nil && !a.isOwnPage(r):
		return foreign("the request comes from the page %.100q", r.Header.Get("Origin"))
	case isSafe(r.Method) && r.Header.Values("Upgrade") == nil:
	case !a.isOwnPage(r):
		return foreign("a request that changes something, or opens a WebSocket, with the cookie needs the header Origin")
	case isSafe(r.Method): // a WebSocket, to which a page cannot give headers
	case !people.IsCSRF(cookie, r.Header.Get("X-CSRF-Token")):
		return foreign("the header X-CSRF-Token is missing or wrong: send the csrf that GET /v1/me returns")
	}
	return nil
}

// isBare reports whether nothing but the cookie speaks for a request: neither its page, which a browser
// tells with Origin or Sec-Fetch-Site, nor a proof that it could read an answer. Links and images of
// other sites are such requests in browsers that tell nothing.
func (a *Access) isBare(r *http.Request, cookie string) bool {
	return r.Header.Get("Sec-Fetch-Site") != "same-origin" && !a.isOwnPage(r) && !people.IsCSRF(cookie, r.Header.Get("X-CSRF-Token"))
}

func foreign(format string, args ...any) error {
	return rein.Errorf(rein.CodeForbidden, format, args...)
}

func isSafe(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
