package cli

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"rein"
	"rein/api"
)

// The banner says where everything is, and it is there. A link that logs in is for a terminal alone.
//
// Attack: 14
func TestServeBanner(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve()
	if strings.HasSuffix(s.url, ":0") || !strings.HasPrefix(s.url, "http://127.0.0.1:") || !strings.HasPrefix(s.link, s.url+"/login?link=") {
		t.Errorf("the banner has %s and %s:\n%s", s.url, s.link, s.banner)
	}
	for _, says := range []string{"model    demo", "files    none: tools.root is not set", "data     " + s.dir + "/.local/share/rein", "API      " + s.url + "/docs"} {
		if !strings.Contains(s.banner, says) {
			t.Errorf("the banner does not say %q:\n%s", says, s.banner)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := s.call(http.StatusOK, "GET", path, nil); strings.TrimSpace(got) != `{"ok":true}` {
			t.Errorf("%s: %s", path, got)
		}
	}
	if page := s.call(http.StatusOK, "GET", "/", nil); !strings.Contains(page, "<title>rein<") {
		t.Error(page)
	}
	s.call(http.StatusUnauthorized, "GET", "/v1/me", nil)
	if strings.Contains(s.banner, "link=") || !strings.Contains(s.banner, "`rein login` prints a link") {
		t.Errorf("a link is printed to what is no terminal, or the banner does not say how to get one:\n%s", s.banner)
	}
}

// A browser goes from a login link to a page, with a cookie, and with the API's own proof against
// forged requests.
func TestServeLogin(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve()
	s.login(s.link)
	var me api.Me
	s.read("/v1/me", &me)
	if me.User != "owner" || me.CSRF == "" {
		t.Fatalf("logged in as %+v", me)
	}
	body, origin := api.NewRun{Task: rein.Task{Messages: []rein.Message{{Role: rein.User, Text: "Hi."}}}}, "Origin: "+s.url
	s.call(http.StatusForbidden, "POST", "/v1/runs", body, origin)
	s.call(http.StatusForbidden, "POST", "/v1/runs", body, "X-CSRF-Token: "+me.CSRF, "Origin: http://elsewhere.example")
	s.call(http.StatusCreated, "POST", "/v1/runs", body, origin, "X-CSRF-Token: "+me.CSRF)
	link, _ := url.Parse(s.link)
	s.call(http.StatusUnauthorized, "POST", "/login", "link="+link.Query().Get("link"), origin, "Content-Type: application/x-www-form-urlencoded")

	s.ok("users", "add", "bob", "member")
	s.login(s.ok("login", "bob"))
	s.read("/v1/me", &me)
	if me.User != "bob" || me.Role != rein.Member {
		t.Errorf("logged in as %+v", me)
	}
	s.call(http.StatusForbidden, "GET", "/metrics", nil)
	s.ok("users", "role", "bob", "viewer")
	s.read("/v1/me", &me)
	if me.Role != rein.Viewer {
		t.Errorf("bob is %s", me.Role)
	}
	s.ok("users", "disable", "bob")
	s.call(http.StatusUnauthorized, "GET", "/v1/me", nil)
}

// login goes the way of a browser.
func (s *house) login(link string) {
	s.Helper()
	jar, err := cookiejar.New(nil)
	s.check(err)
	s.client.Jar = jar
	u, err := url.Parse(link)
	s.check(err)
	page := s.call(http.StatusOK, "GET", u.RequestURI(), nil)
	if !strings.Contains(page, "Log in</button>") {
		s.Fatal(page)
	}
	page = s.call(http.StatusOK, "POST", "/login", "link="+u.Query().Get("link"), "Origin: "+s.url, "Content-Type: application/x-www-form-urlencoded")
	if !strings.Contains(page, "<title>rein<") {
		s.Fatal(page)
	}
}

// Without a server there is nothing to log in to.
func TestLoginNeedsServer(t *testing.T) {
	t.Parallel()
	newHome(t, "").refuses(exitUsage, "start one with rein serve", "login")
}

// A token that another terminal makes is good at once, and when it is revoked everything that is open
// with it ends.
//
// Covers: LAW-6/server
func TestServeTokens(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	run := s.start("Think.")
	answer := s.do("GET", "/v1/runs/"+string(run.ID)+"/events", nil, "Accept: text/event-stream")
	lines := bufio.NewReader(answer.Body)
	if line, err := lines.ReadString('\n'); err != nil || line != "retry: 1000\n" {
		t.Fatal(line, err)
	}
	id := strings.Split(s.token, "_")[1]
	if got := s.ok("tokens"); !strings.Contains(got, id) || strings.Contains(got, s.token) {
		t.Errorf("the tokens are:\n%s", got)
	}
	s.ok("tokens", "revoke", id)
	if _, err := io.ReadAll(lines); err != nil { // the end of the stream, not of the patience
		t.Error(err)
	}
	s.call(http.StatusUnauthorized, "GET", "/v1/me", nil)
	if got := s.ok("tokens"); !strings.Contains(got, "revoked ") {
		t.Errorf("the tokens are:\n%s", got)
	}
	if got := s.ok("runs"); !strings.Contains(got, "running") {
		t.Errorf("the run has gone with the stream:\n%s", got)
	}

	s.withToken("--scopes", "read", "--days", "1")
	s.call(http.StatusForbidden, "POST", "/v1/runs", api.NewRun{})
	s.call(http.StatusForbidden, "GET", "/metrics", nil)
}

// Commands in other terminals go to the process that serves.
func TestServeTerminals(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	if got := s.ok("run", "Hi."); got != "Hello." {
		t.Errorf("rein run says %q", got)
	}
	run := s.start("Ask.")
	if run.Flow != "operate" || len(run.MayAsk) == 0 {
		t.Errorf("started %+v", run)
	}
	s.follow(run.ID, `"ask.opened"`)
	if got := s.ok("asks", "--long"); !strings.Contains(got, "Which colour?") || !strings.Contains(got, string(run.ID)) {
		t.Errorf("the asks are:\n%s", got)
	}
	s.ok("answer", string(run.ID)+":4.ask", "blue")
	if info := s.finished(run.ID); info.Outcome == nil || info.Outcome.Text != "You said blue." {
		t.Errorf("the run came to %+v", info.Outcome)
	}
	if got := s.ok("show", string(run.ID)); !strings.Contains(got, "You said blue.") || !strings.Contains(got, "answered by owner") {
		t.Errorf("rein show:\n%s", got)
	}
	thinking := s.start("Think.")
	if got := s.ok("stop", string(thinking.ID), "--reason", "enough"); !strings.HasSuffix(got, ": stopped") {
		t.Errorf("rein stop: %s", got)
	}
	if info := s.finished(thinking.ID); info.Status != "stopped" {
		t.Errorf("the run is %s", info.Status)
	}
	if got := s.ok("doctor"); !strings.Contains(got, "answers") {
		t.Errorf("rein doctor:\n%s", got)
	}
}

// What is under way when a server is told to go is kept, and goes on with the next one.
//
// Covers: LAW-10
func TestServeGoes(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	asking, thinking := s.start("Ask."), s.start("Think.")
	s.follow(asking.ID, `"ask.opened"`)
	s.follow(thinking.ID, `"step.started"`)
	stream, talk := s.do("GET", "/v1/runs/"+string(asking.ID)+"/events", nil, "Accept: text/event-stream"), s.dialogue("")
	s.end(syscall.SIGTERM)
	if told, err := io.ReadAll(stream.Body); err != nil || !strings.Contains(string(told), "event: error\n") || !strings.Contains(string(told), `"unavailable"`) {
		t.Errorf("%v: a stream was not told to come again:\n%s", err, told)
	}
	if _, _, err := talk.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusServiceRestart {
		t.Errorf("a socket was not told to come again: %v", err)
	}
	for _, name := range []string{socketName} {
		if _, err := os.Stat(filepath.Join(s.dir, ".local/share/rein", name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	next := s.home.serve()
	next.token = s.token
	if info := next.finished(thinking.ID); info.Outcome == nil || info.Outcome.Text != "Thought of." {
		t.Errorf("the run came to %+v", info)
	}
	next.ok("answer", string(asking.ID)+":4.ask", "blue")
	if info := next.finished(asking.ID); info.Outcome == nil || info.Outcome.Text != "You said blue." {
		t.Errorf("the run came to %+v", info)
	}
	next.end(os.Interrupt)
}

// Who cannot wait for calls to reach their end sends a second signal.
func TestServeGoesAtOnce(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	s.follow(s.start("Think.").ID, `"step.started"`)
	s.check(s.cmd.Process.Signal(syscall.SIGTERM))
	for s.do("GET", "/readyz", nil).StatusCode == http.StatusOK { // it has begun to go when it is no longer ready
		runtime.Gosched()
	}
	s.check(s.cmd.Process.Signal(syscall.SIGTERM))
	if _ = s.ended(); s.cmd.ProcessState.ExitCode() != exitLeft {
		t.Errorf("exit %d", s.cmd.ProcessState.ExitCode())
	}
	if got := s.ok("runs"); !strings.Contains(got, "Think.") {
		t.Errorf("the run is not kept:\n%s", got)
	}
}

// The log has a line of JSON for each request, with its route and sender and without what is secret.
//
// Attack: 13 65
func TestServeLog(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve().withToken()
	run := s.start("Hi.")
	s.finished(run.ID)
	s.call(http.StatusOK, "GET", "/login?link="+strings.SplitAfter(s.link, "link=")[1], nil)
	metrics := s.call(http.StatusOK, "GET", "/metrics", nil)
	if !strings.Contains(metrics, `route="/v1/runs/{id}/events"`) {
		t.Error("the metrics do not know the routes")
	}
	s.end(syscall.SIGTERM)
	routes := map[string]string{}
	for line := range strings.Lines(s.errors.String()) {
		var entry struct{ Msg, Route, User string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if entry.Msg == "request" {
			routes[entry.Route] = entry.User
		}
	}
	for route, user := range map[string]string{"/v1/runs": "owner", "/v1/runs/{id}": "owner", "/login": ""} {
		if got, ok := routes[route]; !ok || got != user {
			t.Errorf("%s is not in the log as a request of %q: %v", route, user, routes)
		}
	}
	if log := s.errors.String(); strings.Contains(log, s.token) || strings.Contains(log, "reinlink_") {
		t.Errorf("a secret is in the log:\n%s", log)
	}
}
