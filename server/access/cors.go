package access

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rein"
)

// readOrigins checks the origins whose pages may use the API.
func (a *Access) readOrigins() error {
	a.o.Origins = slices.Clone(a.o.Origins)
	for i, origin := range a.o.Origins {
		if !IsOrigin(origin) {
			return rein.Errorf(rein.CodeInvalid, "origin %.100q is not one: write it as the browser sends it, such as https://app.example.org", origin)
		}
		a.o.Origins[i] = strings.ToLower(origin)
	}
	return nil
}

// IsOrigin reports whether a text is the origin of a page: a scheme and a host, with a port if it is not the
// usual one, and nothing else. A pattern is none.
func IsOrigin(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return false
	}
	_, ok := nameOf(u.Host)
	return ok && u.Scheme+"://"+u.Host == strings.ToLower(text)
}

// What a page of another origin may send.
const (
	sharedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	sharedHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, X-Agent-Task-Mode"
)

// share lets the pages of the origins that are allowed read answers, and answers their preflight. They need a
// token: browsers are never told to send the cookie along, and one that comes from there is refused (see
// checkPage). It reports whether the request was answered.
func (a *Access) share(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Values("Origin")
	if len(a.o.Origins) == 0 {
		return false
	}
	h := w.Header()
	h.Add("Vary", "Origin")
	if len(origin) != 1 || !slices.Contains(a.o.Origins, strings.ToLower(origin[0])) {
		return false
	}
	h.Set("Access-Control-Allow-Origin", origin[0])
	h.Set("Access-Control-Expose-Headers", "Location, Retry-After, ETag")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", sharedMethods)
	h.Set("Access-Control-Allow-Headers", sharedHeaders)
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// tokenProtocol begins the WebSocket protocol by which a page names its token: pages cannot give a WebSocket
// any headers, and the address of a request ends up in logs. It offers "rein" beside it, which is chosen.
const tokenProtocol = "bearer."

// protocolToken returns the token that a WebSocket offers as a protocol.
func protocolToken(r *http.Request) (token string, ok bool) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		return "", false
	}
	for _, line := range r.Header.Values("Sec-WebSocket-Protocol") {
		for protocol := range strings.SplitSeq(line, ",") {
			if token, ok := strings.CutPrefix(strings.TrimSpace(protocol), tokenProtocol); ok {
				return token, true
			}
		}
	}
	return "", false
}
