package access_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"rein/server/access"
	"rein/server/port"
)

// TestOrigins lets a page of another origin use the API over real HTTP: its preflight is answered, its token
// counts, also over a WebSocket, and the browser's cookie does not. Other origins get nothing.
//
// Covers: NEU-2/server
// Attack: 16
func TestOrigins(t *testing.T) {
	const page = "https://app.example.org"
	r := newRig(t, access.Options{Origins: []string{page}})
	server := httptest.NewServer(r.handler)
	defer server.Close()
	token, _ := r.token("owner")
	cookie := r.cookie("owner")
	send := func(method string, headers ...string) *http.Response {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), method, server.URL+"/act", nil)
		check(t, err)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			q.Header.Add(name, value)
		}
		res, err := http.DefaultClient.Do(q)
		check(t, err)
		res.Body.Close()
		return res
	}
	preflight := "Access-Control-Request-Method: POST"
	res := send("OPTIONS", "Origin: "+page, preflight)
	if h := res.Header; res.StatusCode != 204 || h.Get("Access-Control-Allow-Origin") != page || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("the preflight is answered with %d %v", res.StatusCode, h)
	}
	if res := send("POST", "Origin: "+page, bearer(token)); res.StatusCode != 200 || res.Header.Get("Access-Control-Allow-Origin") != page {
		t.Errorf("a token: %d %v", res.StatusCode, res.Header)
	}
	if res := send("POST", "Origin: "+page, session(cookie), csrf(cookie)); res.StatusCode != 403 {
		t.Errorf("the cookie: %d", res.StatusCode)
	}
	for _, origin := range []string{"https://evil.example", "http://app.example.org", page + ".evil.example", page + ":444", "null"} {
		if res := send("OPTIONS", "Origin: "+origin, preflight); res.StatusCode == 204 || res.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", origin, res.StatusCode, res.Header)
		}
	}
}

// TestTokenAsProtocol opens WebSockets as a page does, which can give no header but a protocol.
func TestTokenAsProtocol(t *testing.T) {
	r := newRig(t, access.Options{Origins: []string{"https://app.example.org"}})
	token, _ := r.token("owner")
	guarded := r.access.Wrap(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if _, err := r.access.Who(q); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		c, err := websocket.Accept(w, q, &websocket.AcceptOptions{OriginPatterns: []string{"https://app.example.org"}, Subprotocols: []string{port.Protocol}})
		if err == nil {
			c.CloseNow()
		}
	}))
	server := httptest.NewServer(guarded)
	defer server.Close()
	for protocols, opens := range map[string]bool{port.Protocol + " bearer." + token: true, port.Protocol + " bearer.rein_wrong": false, port.Protocol: false} {
		ctx, cancel := context.WithCancel(t.Context())
		c, res, err := websocket.Dial(ctx, server.URL, &websocket.DialOptions{
			Subprotocols: strings.Fields(protocols), HTTPHeader: http.Header{"Origin": {"https://app.example.org"}},
		})
		if (err == nil) != opens || err == nil && c.Subprotocol() != port.Protocol {
			t.Errorf("%.30s: %v %v", protocols, res, err)
		}
		cancel()
	}
}

// TestWrongOrigins refuses settings that would let in more than a page.
func TestWrongOrigins(t *testing.T) {
	for _, origin := range []string{"*", "null", "app.example.org", "https://*.example.org", "https://app.example.org/", "https://app.example.org/x", "ftp://a.b", "https://u@a.b", ""} {
		if access.IsOrigin(origin) {
			t.Errorf("%q is taken for an origin", origin)
		}
	}
	if !access.IsOrigin("https://app.example.org") || !access.IsOrigin("http://localhost:3000") {
		t.Error("an origin is refused")
	}
}
