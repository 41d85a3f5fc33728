package access_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
	"rein/household/people"
	"rein/server/access"
)

// TestPages sends what pages of this server and of others make a browser send, with its cookie.
//
// Attack: 16
func TestPages(t *testing.T) {
	r := newRig(t, access.Options{})
	cookie, other := r.cookie("owner"), r.cookie("owner")
	act := post("/act", session(cookie))
	socket := get("/v1/health", session(cookie), "Connection: Upgrade", "Upgrade: websocket")
	for name, c := range map[string]struct {
		request
		status int
		word   string
	}{
		"own page":                 {act.with(ownPage, csrf(cookie)), 200, ""},
		"own page, as it says":     {act.with(ownPage, csrf(cookie), "Sec-Fetch-Site: same-origin"), 200, ""},
		"no token":                 {act.with(ownPage), 403, "X-CSRF-Token"},
		"token of another browser": {act.with(ownPage, csrf(other)), 403, "X-CSRF-Token"},
		"cookie as token":          {act.with(ownPage, "X-CSRF-Token: "+cookie), 403, "X-CSRF-Token"},
		"no origin":                {act.with(csrf(cookie)), 403, "Origin"},
		"other page":               {act.with(otherPage, csrf(cookie)), 403, "evil.example"},
		"null":                     {act.with("Origin: null", csrf(cookie)), 403, "null"},
		"two origins":              {act.with(ownPage, otherPage, csrf(cookie)), 403, ""},
		"other port":               {act.with("Origin: http://localhost:3000", csrf(cookie)), 403, "3000"},
		"other scheme":             {act.with("Origin: https://localhost:7717", csrf(cookie)), 403, "https"},
		"other name":               {act.with("Origin: http://127.0.0.1:7717", csrf(cookie)), 403, ""},
		"own origin and beyond":    {act.with("Origin: http://localhost:7717.evil.example", csrf(cookie)), 403, ""},
		"cross-site":               {act.with(ownPage, csrf(cookie), "Sec-Fetch-Site: cross-site"), 403, "cross-site"},
		"same-site":                {act.with(ownPage, csrf(cookie), "Sec-Fetch-Site: same-site"), 403, "same-site"},
		"upgrade of a post":        {act.with(ownPage, "Upgrade: websocket"), 403, "X-CSRF-Token"},
		"delete":                   {request{"DELETE", "/act", act.headers, ""}.with(ownPage), 403, "X-CSRF-Token"},
		"read":                     {get("/v1/health", session(cookie)), 200, ""},
		"read, typed":              {get("/v1/health", session(cookie), "Sec-Fetch-Site: none"), 200, ""},
		"read from elsewhere":      {get("/v1/health", session(cookie), "Sec-Fetch-Site: cross-site"), 403, "cross-site"},
		"read by other page":       {get("/v1/health", session(cookie), otherPage), 403, "evil.example"},
		"socket":                   {socket.with(ownPage), 200, ""},
		"socket of other page":     {socket.with(otherPage), 403, "evil.example"},
		"socket of nobody":         {socket, 403, "WebSocket"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{TB: t, handler: r.handler}
			r.want(c.request, c.status, c.word)
		})
	}
	token, _ := r.token("owner")
	r.want(post("/act", bearer(token)), 200) // no browser adds a token by itself
}

// Attack: 20
func TestHosts(t *testing.T) {
	for listen, c := range map[string]struct{ good, bad []string }{
		"127.0.0.1:7717": {
			[]string{"localhost", "localhost:7717", "LOCALHOST:8000", "localhost.", "127.0.0.1:7717", "127.0.0.9", "[::1]:7717", "[::1]", "rein.example.org", "rein.example.org:443", "[::ffff:127.0.0.1]:7717"},
			[]string{"", "evil.example", "evil.example:7717", "localhost.evil.example", "192.0.2.7", "192.0.2.7:7717", "localhost:7717x", "localhost:7717:1", "a b", "localhost/", "xrein.example.org", "127.0.0.1.evil.example", "[::2]", "2130706433", "\x00"},
		},
		"192.0.2.7:7717":     {[]string{"192.0.2.7:7717", "localhost"}, []string{"192.0.2.8", "evil.example"}},
		"[2001:db8::7]:7717": {[]string{"[2001:db8::7]:7717", "[2001:DB8:0:0::7]"}, []string{"[2001:db8::8]"}},
		"0.0.0.0:7717":       {[]string{"192.0.2.1:7717", "localhost"}, []string{"192.0.2.2", "0.0.0.0", "evil.example"}},
		":7717":              {[]string{"192.0.2.1", "rein.example.org"}, []string{"192.0.2.2", "evil.example"}},
	} {
		t.Run(listen, func(t *testing.T) {
			r := newRig(t, access.Options{Listen: listen, Hosts: []string{"Rein.example.org:443"}})
			send := func(host string) int {
				q := get("/open", "Host: "+host).http()
				q = q.WithContext(context.WithValue(q.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 7717})))
				w := httptest.NewRecorder()
				r.handler.ServeHTTP(w, q)
				return w.Code
			}
			for _, host := range c.good {
				if got := send(host); got != 200 {
					t.Errorf("host %q: %d", host, got)
				}
			}
			for _, host := range c.bad {
				if got := send(host); got != http.StatusMisdirectedRequest {
					t.Errorf("host %q: %d", host, got)
				}
			}
		})
	}
}

// TestRebinding is a page of evil.example whose name was made to lead here: for the browser it is of
// the same origin.
//
// Attack: 20
func TestRebinding(t *testing.T) {
	r := newRig(t, access.Options{})
	cookie := r.cookie("owner")
	for _, q := range []request{get("/v1/health"), get("/v1/me"), post("/act"), get("/login"), get("/open")} {
		q = q.with("Host: evil.example:7717", "Origin: http://evil.example:7717", "Sec-Fetch-Site: same-origin", session(cookie), csrf(cookie))
		answer := r.want(q, http.StatusMisdirectedRequest)
		if answer.Header.Get("Set-Cookie") != "" {
			t.Error("there is a cookie")
		}
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []access.Options{
		{},
		{People: &people.People{}, Listen: "localhost"},
		{People: &people.People{}, Listen: "localhost:1", Hosts: []string{"https://rein.example.org"}},
		{People: &people.People{}, Listen: "localhost:1", Hosts: []string{""}},
		{People: &people.People{}, Listen: "localhost:1", Hosts: []string{"*"}},
	} {
		_, err := access.New(o)
		wantCode(t, err, rein.CodeInvalid)
	}
}

func TestHeaders(t *testing.T) {
	for _, tls := range []bool{false, true} {
		r := newRig(t, access.Options{TLS: tls, Hosts: []string{"rein.example.org"}})
		token, _ := r.token("owner")
		for _, q := range []request{get("/v1/health", bearer(token)), get("/v1/health"), get("/nothing"), get("/open"), get("/login"), get("/open", "Host: evil.example")} {
			h := r.send(q).Header
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin", "Strict-Transport-Security": "",
			} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %s is %q", q.path, name, got)
				}
			}
			for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'"} {
				if got := h.Get("Content-Security-Policy"); !strings.Contains(got, part) || len(h.Values("Content-Security-Policy")) != 1 {
					t.Errorf("%s: the policy is %q", q.path, got)
				}
			}
			for name := range h {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s opens the server for other pages", name)
				}
			}
		}
		if got := r.send(get("/open", "Host: rein.example.org")).Header.Get("Strict-Transport-Security"); (got != "") != tls {
			t.Errorf("TLS %v: %q", tls, got)
		}
	}
}

// Attack: 23
func TestSizes(t *testing.T) {
	r := newRig(t, access.Options{Limits: access.Limits{BodyBytes: 1000, HeaderBytes: 2000, HeaderFields: 20}})
	token, _ := r.token("owner")
	r.want(get("/open", "X-Long: "+strings.Repeat("a", 2000)), 431, "2000")
	r.want(get("/open?"+strings.Repeat("a", 2000)), 431)
	var many []string
	for range 21 {
		many = append(many, "X-Many: a")
	}
	r.want(get("/open", many...), 431, "20")
	for _, size := range []int{1000, 1001} {
		q := post("/act", bearer(token))
		q.body = strings.Repeat("a", size)
		if size > 1000 {
			if h := r.want(q, 413, "1000").Header; h.Get("Connection") != "close" {
				t.Error("the rest of the body would be read")
			}
		} else {
			r.want(q, 200, "sent 1000: <nil>")
		}
	}
	w, q := httptest.NewRecorder(), post("/act", bearer(token))
	q.body = strings.Repeat("a", 1001)
	unknown := q.http()
	unknown.ContentLength = -1
	r.handler.ServeHTTP(w, unknown)
	if got := w.Body.String(); got != "owner sent 1000: http: request body too large" {
		t.Error(got)
	}
}
