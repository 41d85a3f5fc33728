package access_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/server"
	"rein/server/access"
	"rein/server/port"
	"rein/server/wire"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// A rig is the API behind a guard, with a clock that stands still until it is told. Beside the API
// there is /act, which needs the scope act, and /stay, which goes on until its request ends.
type rig struct {
	testing.TB
	*people.People
	access  *access.Access
	handler http.Handler
	stays   chan struct{} // a value for each /stay that has begun
	ends    chan struct{} // and for each that has ended

	mu  sync.Mutex
	now time.Time
}

func newRig(t testing.TB, o access.Options) *rig {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	check(t, err)
	t.Cleanup(func() { s.Close() })
	r := &rig{TB: t, now: noon, stays: make(chan struct{}, 100), ends: make(chan struct{}, 100)}
	r.People = &people.People{Tables: s, Now: r.clock}
	check(t, r.Begin(t.Context()))
	o.People, o.Now = r.People, r.clock
	if o.Listen == "" {
		o.Listen = "127.0.0.1:7717"
	}
	r.access, err = access.New(o)
	check(t, err)
	t.Cleanup(r.access.Close)
	r.handler = r.access.Wrap(server.New(server.Options{
		Who: r.access.Who, CSRF: r.access.CSRF, Health: func() api.Health { return api.Health{Version: "test"} },
		Mounts: []server.Mount{
			{Pattern: "/login", Handler: r.access.Login()},
			{Pattern: "/join", Handler: r.access.Join()},
			{Pattern: "/pair", Handler: r.access.Pair()},
			{Pattern: "/logout", Handler: r.access.Logout()},
			{Pattern: "/open", Handler: http.HandlerFunc(read)},
			{Pattern: "/secret/{secret}", Handler: http.HandlerFunc(secret)},
			{Pattern: "/act", Needs: rein.ScopeAct, Handler: http.HandlerFunc(read)},
			{Pattern: "/stay", Needs: rein.ScopeRead, Handler: http.HandlerFunc(r.stay)},
		},
	}))
	return r
}

// secret answers whoever has the secret of an address.
func secret(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("secret") == "right" {
		return
	}
	err := port.Refused(r.Context(), rein.Errorf(rein.CodeUnauthenticated, "wrong"))
	if rein.CodeOf(err) == rein.CodeUnauthenticated {
		err = rein.Errorf(rein.CodeNotFound, "%w", err)
	}
	wire.Problem(w, err)
}

// read reads the body of a request and says who sent it.
func read(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	fmt.Fprintf(w, "%s sent %d: %v", port.Caller(r.Context()).User, n, err)
}

func (r *rig) stay(w http.ResponseWriter, q *http.Request) {
	w.WriteHeader(http.StatusOK)
	if err := http.NewResponseController(w).Flush(); err != nil {
		r.Error(err)
	}
	r.stays <- struct{}{}
	<-q.Context().Done()
	r.ends <- struct{}{}
}

func (r *rig) clock() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now
}

func (r *rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now = r.now.Add(d)
}

func (r *rig) add(name string, role rein.UserRole) {
	r.Helper()
	_, err := r.AddUser(r.Context(), rein.Host(), name, role)
	check(r, err)
}

func (r *rig) token(user string, scopes ...rein.Scope) (text, id string) {
	r.Helper()
	text, t, err := r.NewToken(r.Context(), rein.Host(), people.TokenRequest{User: user, Label: "a test", Scopes: scopes})
	check(r, err)
	return text, t.ID
}

func (r *rig) link(user string) string {
	r.Helper()
	link, err := r.NewLoginLink(r.Context(), rein.Host(), user)
	check(r, err)
	return link
}

// cookie logs a browser in without its pages.
func (r *rig) cookie(user string) string {
	r.Helper()
	cookie, _, err := r.UseLoginLink(r.Context(), r.link(user), "")
	check(r, err)
	return cookie
}

// A request has a method, a path, and headers as "Name: value"; Host and From (the address that it
// comes from) are not sent as headers.
type request struct {
	method, path string
	headers      []string
	body         string
}

func get(path string, headers ...string) request { return request{"GET", path, headers, ""} }

func post(path string, headers ...string) request { return request{"POST", path, headers, ""} }

func (q request) with(headers ...string) request {
	q.headers = append(q.headers[:len(q.headers):len(q.headers)], headers...)
	return q
}

func bearer(token string) string { return "Authorization: Bearer " + token }

func session(cookie string) string { return "Cookie: rein_session=" + cookie }

func csrf(cookie string) string { return "X-CSRF-Token: " + people.CSRF(cookie) }

const (
	ownPage   = "Origin: http://localhost:7717"
	otherPage = "Origin: http://evil.example"
)

func (q request) http() *http.Request {
	h := httptest.NewRequest(q.method, q.path, strings.NewReader(q.body))
	h.Host = "localhost:7717"
	for _, header := range q.headers {
		name, value, _ := strings.Cut(header, ": ")
		switch name {
		case "Host":
			h.Host = value
		case "From":
			h.RemoteAddr = value
		default:
			h.Header.Add(name, value)
		}
	}
	return h
}

func (r *rig) send(q request) *http.Response {
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, q.http())
	return w.Result()
}

// want sends a request and looks at the status, and at what the answer says.
func (r *rig) want(q request, status int, words ...string) *http.Response {
	r.Helper()
	answer := r.send(q)
	body, err := io.ReadAll(answer.Body)
	check(r, err)
	if answer.StatusCode != status {
		r.Errorf("%s %s %q: %d, want %d: %s", q.method, q.path, q.headers, answer.StatusCode, status, body)
	}
	for _, word := range words {
		if !strings.Contains(string(body), word) {
			r.Errorf("%s %s: %s does not say %q", q.method, q.path, body, word)
		}
	}
	if kind := answer.Header.Get("Content-Type"); status >= 400 && kind != "text/html; charset=utf-8" {
		var p api.Problem
		if err := json.Unmarshal(body, &p); err != nil || kind != api.ProblemType || p.Status != status || p.Hint == "" {
			r.Errorf("%s %s: %s is no problem: %s", q.method, q.path, kind, body)
		}
	}
	return answer
}

// form is the form of the login page.
func form(link string, headers ...string) request {
	return request{"POST", "/login", append([]string{"Content-Type: application/x-www-form-urlencoded"}, headers...), url.Values{"link": {link}}.Encode()}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t testing.TB, err error, code rein.Code, words ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("error is %v (%s), want %s", err, rein.CodeOf(err), code)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q does not say %q", err, word)
		}
	}
}
