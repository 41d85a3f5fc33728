package cli

import (
	"bufio"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein/api"
	"rein/tool/mcp/mcptest"
)

// guarded is a home with an MCP server that wants a login.
func guarded(t *testing.T) (*home, *mcptest.Guarded) {
	t.Helper()
	g := mcptest.NewGuarded(t.TempDir())
	t.Cleanup(g.Close)
	h := newHome(t, "[mcp.servers.tracker]\nurl = \""+g.Address()+"\"\nlogin = true\nallow = [\"echo\"]\n")
	h.write(".config/rein/demo.txt", "when turn=1 user~\"Echo.\"\ncall tracker.echo {\"text\":\"hello\"}\n\nwhen tool~\"hello\"\nsay It said hello.\n\nwhen\nsay Done.\n")
	return h, g
}

// comes sends a browser to an address, as a link of another site does, and returns where it ends and what it reads there.
// rein's cookie does not come along: it is for pages of rein's own.
func (h *home) comes(address string) (at *url.URL, status int, page string) {
	h.Helper()
	crossSite := http.Header{"Sec-Fetch-Site": {"cross-site"}, "Sec-Fetch-Mode": {"navigate"}, "Sec-Fetch-Dest": {"document"}, "Sec-Fetch-User": {"?1"}}
	browser := &http.Client{CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		r.Header = crossSite.Clone()
		return nil
	}}
	r, err := http.NewRequestWithContext(h.Context(), http.MethodGet, address, nil)
	h.check(err)
	r.Header = crossSite.Clone()
	answer, err := browser.Do(r)
	h.check(err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	h.check(err)
	if kind := answer.Header.Get("Content-Type"); !strings.HasPrefix(kind, "text/html") {
		h.Errorf("%s answers with %s: %s", answer.Request.URL, kind, text)
	}
	return answer.Request.URL, answer.StatusCode, string(text)
}

// Somebody logs in to an MCP server over the network: their browser comes back from the authorization server, which is
// another site, without the cookie. The login is theirs alone. What comes back counts once; a guess, a repetition, and a
// request that is not a browser's change nothing.
//
// Attack: 86
func TestMCPLoginInABrowser(t *testing.T) {
	t.Parallel()
	h, g := guarded(t)
	s := h.serve()
	h.ok("users", "add", "mia", "member")
	s.withToken("--user", "mia")
	begin := func() api.MCPLogin {
		t.Helper()
		return decoded[api.MCPLogin](h, s.call(http.StatusOK, "POST", "/v1/mcp/tracker/login", nil))
	}
	refused := func(why, address string) {
		t.Helper()
		if _, status, page := h.comes(address); status != http.StatusBadRequest || !strings.Contains(page, "Nothing has changed") {
			t.Errorf("%s: %d %s", why, status, page)
		}
	}
	callback := s.url + "/mcp/callback"
	first := begin()
	asked, err := url.Parse(first.URL)
	s.check(err)
	if got := asked.Query().Get("redirect_uri"); got != callback {
		t.Fatalf("the browser is sent back to %s", got)
	}
	state := asked.Query().Get("state")
	refused("without anything", callback)
	refused("a guess", callback+"?code=mallory&state=AAAAAAAAAAAAAAAAAAAAAAAAAA")
	refused("the state with an end", callback+"?code=mallory&state="+state+"A")
	for _, method := range []string{"HEAD", "POST", "PUT"} {
		if answer := s.do(method, "/mcp/callback?code=mallory&state="+state, nil); answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s", method, answer.Status)
		}
	}
	at, status, page := h.comes(first.URL)
	if status != http.StatusOK || !strings.Contains(page, "Runs of mia can use MCP server tracker now") {
		t.Fatalf("%s: %d %s", at, status, page)
	}
	refused("again", at.String())
	refused("again with another code", callback+"?code=mallory&state="+state)
	in := func(want bool) {
		t.Helper()
		if text := s.call(http.StatusOK, "GET", "/v1/mcp", nil); strings.Contains(text, `"logged_in":true`) != want {
			t.Errorf("want %t: %s", want, text)
		}
	}
	in(true)
	s.withToken()
	in(false)
	if strings.Contains(g.Came(), "mallory") || !strings.Contains(g.Came(), "token-of-visitor") {
		t.Errorf("%s", g.Came())
	}
	// rein shows what a person refuses at the authorization server, as text.
	second := begin()
	asked, err = url.Parse(second.URL)
	s.check(err)
	_, status, page = h.comes(callback + "?error=access_denied&error_description=%3Cb%3Eno%3C%2Fb%3E&state=" + asked.Query().Get("state"))
	if status != http.StatusBadRequest || !strings.Contains(page, "The login of owner to MCP server tracker has failed") || !strings.Contains(page, "&lt;b&gt;no") {
		t.Errorf("%d %s", status, page)
	}
	in(false)
	s.end(syscall.SIGTERM)
	if log := s.errors.String(); strings.Contains(log, state) || strings.Contains(log, "token-of") {
		t.Errorf("the log has a state or a token:\n%s", log)
	}
}

// On the machine itself rein mcp login waits on a port of its own. What it gets is sealed in the data folder, and runs of
// later processes use it until rein mcp logout.
func TestMCPLoginCommand(t *testing.T) {
	t.Parallel()
	h, g := guarded(t)
	cmd := h.command("mcp", "login", "tracker")
	out, err := cmd.StdoutPipe()
	h.check(err)
	wrong := &keptText{}
	cmd.Stderr = wrong
	h.check(cmd.Start())
	lines := bufio.NewReader(out)
	address := ""
	for !strings.HasPrefix(address, "http") {
		if address, err = lines.ReadString('\n'); err != nil {
			t.Fatalf("%v: %s", err, wrong)
		}
	}
	asked, err := url.Parse(strings.TrimSpace(address))
	h.check(err)
	back := asked.Query().Get("redirect_uri")
	if _, status, page := h.comes(back + "?code=mallory&state=AAAAAAAAAAAAAAAAAAAAAAAAAA"); status != http.StatusBadRequest {
		t.Errorf("a guess: %d %s", status, page)
	}
	if _, status, page := h.comes(strings.TrimSpace(address)); status != http.StatusOK || !strings.Contains(page, "MCP server tracker") {
		t.Errorf("%d %s", status, page)
	}
	rest, err := io.ReadAll(lines)
	h.check(err)
	if err := cmd.Wait(); err != nil || !strings.Contains(string(rest), "you are logged in to MCP server tracker") {
		t.Fatalf("%v\n%s%s", err, rest, wrong)
	}
	if _, err := http.Get(back); err == nil { //nolint:bodyclose // nobody answers
		t.Error("the port is still open")
	}
	if list := h.ok("mcp", "list"); !strings.Contains(list, ", logged in") {
		t.Errorf("%s", list)
	}
	h.ok("mcp", "test", "tracker")
	if said := h.ok("run", "Echo."); !strings.Contains(said, "It said hello.") {
		t.Errorf("%s", said)
	}
	if names := h.ok("secrets", "list"); !strings.Contains(names, "mcp/tracker/login") {
		t.Errorf("%s", names)
	}
	h.ok("backup", filepath.Join(h.dir, "backup.db"))
	for _, secret := range []string{"token-of-visitor", "refresh-of-visitor"} {
		if strings.Contains(h.text("backup.db"), secret) || len(h.holding(secret)) > 0 {
			t.Errorf("%s is not sealed", secret)
		}
	}
	h.ok("mcp", "logout", "tracker")
	before := g.Came()
	h.rein("run", "Echo.")
	if strings.Contains(strings.TrimPrefix(g.Came(), before), "token-of") {
		t.Error("a run uses the token after the logout")
	}
}
