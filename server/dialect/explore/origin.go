package explore

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rein"
)

// checkOrigin refuses a GET that another web site had a browser send: GET /agent/stream starts work, and
// a link, an image or a prefetch must not. Browsers tell where a request comes from; other programs say
// nothing, and have shown a credential that no browser sends for them.
func checkOrigin(r *http.Request, allowed []string) error {
	origin := r.Header.Get("Origin")
	switch {
	case strings.Contains(r.Header.Get("Sec-Purpose"), "prefetch"):
		return rein.Errorf(rein.CodeForbidden, "this request starts an agent: it cannot be prefetched")
	case origin != "" && slices.Contains(allowed, origin):
		return nil
	case r.Header.Get("Sec-Fetch-Mode") == "navigate":
		return rein.Errorf(rein.CodeForbidden, "this request starts an agent: use EventSource, fetch or WebSocket, not the address bar or a link")
	}
	switch site := r.Header.Get("Sec-Fetch-Site"); site {
	case "", "same-origin", "none":
	default:
		return rein.Errorf(rein.CodeForbidden, "a %.20s page may not start agents here: add its origin to server.origins", site)
	}
	if origin == "" {
		return nil
	}
	if u, err := url.Parse(origin); err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
		return rein.Errorf(rein.CodeForbidden, "a page of %.100q may not start agents here: add its origin to server.origins", origin)
	}
	return nil
}
