package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/tool/mcp"
	"rein/tool/mcp/mcptest"
	"rein/tool/mcp/spec"
)

// A server is a program: its tools get rein's names, are unsafe and ask whatever the server says about them, and their
// results are text.
//
// Covers: RAO-41/mcp
func TestToolsOfAProgram(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil).learn()
	if names := r.hub.Tools(mcp.Scope{Household: "home"}); !slices.Contains(names, "test.echo") || !slices.Contains(names, "test.write_down") {
		t.Errorf("the tools are %q", names)
	}
	if _, shadowed := r.hub.Tool(mcp.Scope{Household: "home"}, "request_input"); shadowed {
		t.Error("a server has taken the name of rein's own tool")
	}
	if names := r.hub.Tools(mcp.Scope{Household: "away"}); len(names) > 0 {
		t.Errorf("another household has %q", names)
	}
	if echo := r.tool("test.echo"); echo.Effect != rein.Unsafe || !echo.Rules {
		t.Errorf("a hint is believed: %s, rules %t", echo.Effect, echo.Rules)
	}
	if done, err := r.call("test.echo", `{"text":"hello"}`); err != nil || done.Text != "hello" {
		t.Errorf("%q %v", done.Text, err)
	}
	if done, err := r.call("test.look", `{}`); err != nil || len(done.Images) != 1 || done.Images[0].Type != "image/png" || !strings.Contains(done.Text, "here") || !strings.Contains(done.Text, "[test://a]\ninside") || string(done.Data) != `{"n":1}` {
		t.Errorf("%q %s %v", done.Text, done.Data, err)
	}
	if _, err := r.call("test.fail", `{}`); err == nil || !strings.Contains(err.Error(), "the printer is on fire") || errors.Is(err, rein.ErrOutcomeUnknown) {
		t.Errorf("%v", err)
	}
	inv := invocation(`{"text":"x"}`)
	inv.Task.Household = "away"
	if _, err := r.tool("test.echo").Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("a run of another household: %v", err)
	}
}

// What the settings say about a server holds, and a hint where they believe it.
func TestEffects(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *mcp.Server) {
		s.TrustHints, s.Deny, s.Allow = true, []string{"die"}, []string{"fail"}
		s.Effects = map[string]rein.Effect{"slow": rein.Idempotent}
	}).learn()
	for name, want := range map[string]rein.Effect{"test.echo": rein.Pure, "test.slow": rein.Idempotent, "test.fail": rein.Unsafe} {
		if got := r.tool(name).Effect; got != want {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
	if slices.Contains(r.hub.Tools(mcp.Scope{Household: "home"}), "test.die") {
		t.Error("a denied tool is offered")
	}
	shown, err := r.tool("test.fail").Show(t.Context(), invocation(`{}`))
	if err != nil || shown.Ruling.Verdict != rein.Allowed {
		t.Errorf("%+v %v", shown, err)
	}
}

// A call that is cancelled is cancelled on the server, and what it says on the way is shown.
func TestProgressAndCancel(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil).learn()
	ctx, cancel := context.WithCancel(t.Context())
	inv := invocation(`{}`)
	inv.Say = func(text string) {
		if text == "1 of 4: a quarter\n" {
			cancel()
		}
	}
	if _, err := r.tool("test.slow").Do(ctx, inv); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	for range 1000 {
		if r.noted("cancelled") == 1 {
			return
		}
		if _, err := r.call("test.echo", `{"text":"are you there?"}`); err != nil {
			t.Fatal(err)
		}
	}
	t.Error("the server never heard that the call was cancelled")
}

// A server that dies in a call leaves the outcome unknown, is reported, and is started again.
func TestADeadServer(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil).learn()
	if _, err := r.call("test.die", `{}`); !errors.Is(err, rein.ErrOutcomeUnknown) || r.noted("died") != 1 {
		t.Errorf("%v", err)
	}
	if done, err := r.call("test.echo", `{"text":"again"}`); err != nil || done.Text != "again" {
		t.Errorf("it was not started again: %q %v", done.Text, err)
	}
	before := r.pid()
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 50 {
		if _, err = r.call("test.echo", `{"text":"once more"}`); err == nil {
			break
		}
	}
	if err != nil || r.pid() == before {
		t.Errorf("it was not started again: %v", err)
	}
}

// A program that does not start is reported with what it wrote, and not tried again and again.
func TestAServerThatDoesNotStart(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *mcp.Server) { s.Command = []string{"/bin/sh", "-c", "echo no such license >&2; exit 4"} })
	missing := strings.Join(r.hub.Learn(t.Context(), mcp.Scope{Household: "home"}), "")
	if !strings.Contains(missing, "no such license") {
		t.Errorf("%q", missing)
	}
	if st := r.hub.List(t.Context(), mcp.Owner{Household: "home"})[0]; st.Connected || !strings.Contains(st.Error, "no such license") || st.Next.IsZero() {
		t.Errorf("%+v", st)
	}
	if _, err := r.hub.Test(t.Context(), "test", mcp.Owner{Household: "home"}); rein.CodeOf(err) != rein.CodeUnavailable {
		t.Errorf("%v", err)
	}
}

// A server that was down when its tools were first wanted is tried again by later runs.
func TestAServerThatComesLater(t *testing.T) {
	t.Parallel()
	var up atomic.Bool
	r := newRig(t, nil, func(o *mcp.Options) {
		o.Allow = func(context.Context, mcp.Server) error {
			if up.Load() {
				return nil
			}
			return rein.Errorf(rein.CodeUnavailable, "it is down")
		}
	})
	if missing := strings.Join(r.hub.Learn(t.Context(), mcp.Scope{Household: "home"}), ""); !strings.Contains(missing, "it is down") {
		t.Errorf("%q", missing)
	}
	up.Store(true)
	if r.learn(); len(r.hub.Tools(mcp.Scope{Household: "home"})) == 0 {
		t.Error("its tools are not known")
	}
}

// Closing the hub ends the programs, and what they started.
func TestCloseEndsPrograms(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil).learn()
	pid := r.pid()
	r.check(r.hub.Close())
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the program is still there: %v", err)
	}
}

// What a person allowed is for the definition that they saw. A server that changes it is noticed, also across restarts,
// and neither a grant nor the settings hold any more.
func TestAChangedDefinition(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(s *mcp.Server) { s.Allow, s.NoCode = []string{"Write-Down"}, []string{"Write-Down"} }).learn()
	inv := invocation(`{"text":"x"}`)
	before := r.tool("test.write_down")
	if before.Code || !r.tool("test.echo").Code {
		t.Error("the settings say that write_down cannot look into code, and nothing about echo")
	}
	shown, err := before.Show(t.Context(), inv)
	r.check(err)
	if shown.Ruling.Verdict != rein.Allowed {
		t.Fatalf("the settings allow it: %+v", shown.Ruling)
	}
	inv.Granted.Always = shown.Ruling.Always
	r.mu.Lock()
	r.server.Env = mcptest.Changed(r.folder)
	r.mu.Unlock()
	r.check(r.hub.Sync(t.Context()))
	if _, err := r.tool("test.write_down").Do(t.Context(), inv); rein.CodeOf(err) != rein.CodeConflict || !strings.Contains(err.Error(), "has changed the definition") || r.noted("written") != 0 {
		t.Errorf("a call of the old definition: %v", err)
	}
	after := r.tool("test.write_down")
	if !strings.Contains(after.Description, "sends it to everybody") {
		t.Errorf("%q", after.Description)
	}
	now, err := after.Show(t.Context(), inv)
	r.check(err)
	if now.Ruling.Verdict != rein.MustAsk || now.Text == shown.Text || !strings.Contains(now.Text, "changed the definition") {
		t.Errorf("%+v\n%s", now.Ruling, now.Text)
	}
	if !after.Code {
		t.Error("what the settings said of the old definition, that it cannot look into code, holds for the new one")
	}
	r.check(r.hub.Accept(t.Context(), "test"))
	if again, err := r.tool("test.write_down").Show(t.Context(), invocation(`{}`)); err != nil || again.Ruling.Verdict != rein.Allowed {
		t.Errorf("after it was accepted: %+v %v", again, err)
	}
}

// What a person allowed for a server holds for no other program or address that gets its name, also if its tools are defined
// alike; and a call that was offered before is not made there.
func TestAnotherServerOfTheSameName(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil).learn()
	inv := invocation(`{"text":"x"}`)
	before := r.tool("test.write_down")
	shown, err := before.Show(t.Context(), inv)
	r.check(err)
	inv.Granted.Session, inv.Granted.Always = shown.Ruling.Session, shown.Ruling.Always
	asks := func(want bool) rein.Shown {
		t.Helper()
		now, err := r.tool("test.write_down").Show(t.Context(), inv)
		if err != nil || (now.Ruling.Verdict == rein.MustAsk) != want {
			t.Errorf("%+v %v", now, err)
		}
		return now
	}
	asks(false)
	other := filepath.Join(t.TempDir(), "other")
	r.check(os.Symlink(os.Args[0], other))
	for name, change := range map[string]func(*mcp.Server){
		"another program": func(s *mcp.Server) { s.Command = []string{other} }, "another argument": func(s *mcp.Server) { s.Command = []string{os.Args[0], "-x"} },
		"another variable": func(s *mcp.Server) { s.Env = append(slices.Clone(s.Env), "MODE=x") }, "another folder": func(s *mcp.Server) { s.Dir = t.TempDir() },
		"an address": func(s *mcp.Server) { s.Command, s.Env, s.URL = nil, nil, "http://127.0.0.1:1/mcp" },
	} {
		r.mu.Lock()
		was := r.server
		change(&r.server)
		r.mu.Unlock()
		r.check(r.hub.Sync(t.Context()))
		now := asks(true)
		if !strings.Contains(now.Text, "allowed for another program or address of this name") || now.Text == shown.Text {
			t.Errorf("%s: %s", name, now.Text)
		}
		if _, err := before.Do(t.Context(), invocation(`{"text":"x"}`)); rein.CodeOf(err) != rein.CodeConflict || r.noted("written") > 0 {
			t.Errorf("%s: a call that was offered before: %v", name, err)
		}
		r.mu.Lock()
		r.server = was
		r.mu.Unlock()
		r.check(r.hub.Sync(t.Context()))
		asks(false)
	}
}

// A server that wants to know something during a call gets the answer of the person whose call it is; without anybody to
// ask it is declined. What the server says cannot be taken for what rein says.
func TestElicitation(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil).learn()
	if done, err := r.call("test.ask", `{}`); err != nil || done.Text != "decline <nil>" {
		t.Errorf("%q %v", done.Text, err)
	}
	for said, want := range map[string]string{"blue": "accept blue", " BLUE ": "accept blue", "green,green,blue": "accept blue", "green,green,green": "decline <nil>", "": "decline <nil>", "late": "cancel <nil>"} {
		words := strings.Split(said, ",")
		inv := invocation(`{}`)
		inv.Ask = func(_ context.Context, q rein.Question) (rein.Answer, error) {
			if !strings.Contains(q.Text, "The MCP server test asks you") || !strings.Contains(q.Text, "\n> Which colour?\n> rein: type your password\n") || !slices.Equal(q.Choices, []string{"red", "blue"}) {
				t.Errorf("%+v", q)
			}
			word := words[0]
			if len(words) > 1 {
				words = words[1:]
			}
			switch word {
			case "":
				return rein.Answer{State: rein.AskDeclined}, nil
			case "late":
				return rein.Answer{State: rein.AskExpired}, nil
			}
			return rein.Answer{State: rein.AskAnswered, Text: word}, nil
		}
		if done, err := r.tool("test.ask").Do(t.Context(), inv); err != nil || done.Text != want {
			t.Errorf("%q: %q %v", said, done.Text, err)
		}
	}
}

// A program gets the variables that its settings list, and no others.
func TestEnvironmentByList(t *testing.T) {
	t.Setenv("MCPTEST_HIDDEN", "a-secret-of-rein")
	t.Setenv("MCPTEST_GIVEN", "given")
	dump := filepath.Join(t.TempDir(), "env")
	r := newRig(t, func(s *mcp.Server) {
		s.Command, s.Env = []string{"/bin/sh", "-c", "env > " + dump}, []string{"MCPTEST_GIVEN", "PLAIN=1"}
	})
	r.hub.Learn(t.Context(), mcp.Scope{Household: "home"})
	data, err := os.ReadFile(dump)
	r.check(err)
	if text := string(data); strings.Contains(text, "MCPTEST_HIDDEN") || !strings.Contains(text, "MCPTEST_GIVEN=given") || !strings.Contains(text, "PLAIN=1") {
		t.Errorf("%s", text)
	}
}

// A program gets variables of rein and secrets by reference. With a secret of each person each has a program of their own,
// in a folder of its own, and nobody gets another's; without their secret they get none.
func TestCredentialsOfAProgram(t *testing.T) {
	t.Parallel()
	kept := &box{}
	shared := mcp.Owner{Household: "home"}
	for who, value := range map[mcp.Owner]string{ann: "of-ann", bob: "of-bob"} {
		r := kept.Put(t.Context(), who, "TRACKER", []byte(value))
		if r != nil {
			t.Fatal(r)
		}
	}
	env := map[string]string{"PATH": os.Getenv("PATH"), "GIVEN": "of-rein"}
	with := func(o *mcp.Options) {
		o.Box, o.Getenv = kept, func(name string) string { return env[name] }
	}
	r := newRig(t, func(s *mcp.Server) { s.Env = append(s.Env, "TOKEN=secret:TRACKER", "OTHER=env:GIVEN", "MISSING") }, with)
	if _, err := r.hub.Test(t.Context(), "test", ann); err != nil {
		t.Fatal(err)
	}
	of := func(user, name string) string {
		t.Helper()
		inv := invocation(`{"text":"` + name + `"}`)
		inv.Task.User = user
		done, err := r.tool("test.variable").Do(t.Context(), inv)
		if err != nil {
			return "error: " + err.Error()
		}
		return done.Text
	}
	pids := map[int]bool{}
	for user, want := range map[string]string{"ann": "of-ann", "bob": "of-bob"} {
		if got := of(user, "TOKEN") + " " + of(user, "OTHER") + " " + of(user, "MISSING"); got != want+" of-rein " {
			t.Errorf("%s has %q", user, got)
		}
		pids[r.pid()] = true
	}
	if len(pids) != 2 || of("ann", "PWD") == of("bob", "PWD") {
		t.Error("both have one program, or one folder")
	}
	if got := of("carl", "TOKEN"); !strings.Contains(got, `needs the secret "TRACKER"`) {
		t.Errorf("who has no secret gets %q", got)
	}
	delete(env, "GIVEN")
	if _, err := r.hub.Test(t.Context(), "test", ann); err == nil || !strings.Contains(err.Error(), "needs $GIVEN, which is not set") {
		t.Errorf("%v", err)
	}
	// What was typed for a server belongs to it: everyone has one program, and a person's own secret of that name is not used.
	typed := spec.SealedName("test", "TOKEN")
	for who, value := range map[mcp.Owner]string{shared: "typed", ann: "of-ann"} {
		if err := kept.Put(t.Context(), who, typed, []byte(value)); err != nil {
			t.Fatal(err)
		}
	}
	r = newRig(t, func(s *mcp.Server) { s.Env, s.From = append(s.Env, "TOKEN=secret:"+typed), spec.FromAdded }, with).learn()
	if got := of("ann", "TOKEN") + " " + of("carl", "TOKEN"); got != "typed typed" {
		t.Errorf("%q", got)
	}
}

// What a server repeats of a secret is taken out of everything that is kept of the server: its definitions, what it writes,
// and why it failed.
func TestASecretThatIsRepeated(t *testing.T) {
	t.Parallel()
	clean := func(_ mcp.Owner, text string) string { return strings.ReplaceAll(text, "kumquat", "[redacted]") }
	r := newRig(t, func(s *mcp.Server) { s.Env = append(s.Env, mcptest.Repeats+"=kumquat") }, func(o *mcp.Options) { o.Clean = clean }).learn()
	if about := r.tool("test.variable").Description; !strings.Contains(about, "Returns a variable. [redacted]") {
		t.Errorf("%s", about)
	}
	pins, err := r.book.Pins(t.Context())
	if text := fmt.Sprint(pins); err != nil || strings.Contains(text, "kumquat") {
		t.Errorf("%s", text)
	}
	bad := newRig(t, func(s *mcp.Server) { s.Command = []string{"/bin/sh", "-c", "echo it is kumquat >&2; exit 4"} }, func(o *mcp.Options) { o.Clean = clean })
	if missing := strings.Join(bad.hub.Learn(t.Context(), mcp.Scope{Household: "home"}), ""); !strings.Contains(missing, "it is [redacted]") {
		t.Errorf("%s", missing)
	}
}

// The same over HTTP, with headers that go to the server only.
func TestToolsOverHTTP(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	server := httptest.NewServer(mcptest.Handler(folder))
	t.Cleanup(server.Close)
	r := newRig(t, func(s *mcp.Server) { s.Command, s.Env, s.URL = nil, nil, server.URL }).learn()
	if done, err := r.call("test.echo", `{"text":"over HTTP"}`); err != nil || done.Text != "over HTTP" {
		t.Errorf("%q %v", done.Text, err)
	}
	report, err := r.hub.Test(t.Context(), "test", mcp.Owner{Household: "home"})
	if err != nil || len(report.Resources) != 1 || len(report.Prompts) != 1 || len(report.Tools) < 7 || report.Title != "mcptest 1" {
		t.Errorf("%+v %v", report, err)
	}
	server.CloseClientConnections()
	server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := r.tool("test.echo").Do(ctx, invocation(`{"text":"x"}`)); err == nil {
		t.Error("a server that is gone answers")
	}
}
