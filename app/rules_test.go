package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/sandbox"
	"rein/store"
	"rein/tool/mcp/mcptest"
)

// A runner is a model that runs what the user says, and then ends.
type runner struct{}

func (runner) Info() rein.ModelInfo { return rein.ModelInfo{Name: "runner", MaxOutput: 100} }

func (runner) Generate(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	last := r.Messages[len(r.Messages)-1]
	if last.Role != rein.User {
		return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: "ok"}}, nil
	}
	args, err := json.Marshal(map[string]string{"command": last.Text})
	call := rein.ToolCall{ID: "c1", Name: "execute_command", Args: args}
	return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{call}}}, err
}

// A shop is a data folder with a workspace in which runs make things.
type shop struct {
	*testing.T
	app  *App
	root string
}

func openShop(t *testing.T) *shop {
	t.Helper()
	for _, status := range detect().Mechanisms {
		if !status.Available && slices.Contains(sandbox.Standard, status.Mechanism) {
			t.Skipf("commands are asked about each time here: the sandbox lacks %s: %s", status.Mechanism, status.Says)
		}
	}
	s := &shop{T: t, root: t.TempDir()}
	for _, dir := range []string{"out", "other"} {
		s.check(os.Mkdir(filepath.Join(s.root, dir), 0o755))
	}
	var err error
	s.app, err = Open(t.Context(), Options{Data: t.TempDir(), Park: true, Env: []string{"PATH=" + os.Getenv("PATH")}, Models: map[string]rein.Model{"runner": runner{}}})
	s.check(err)
	t.Cleanup(func() { s.app.Close() })
	_, err = s.app.AddWorkspace(t.Context(), api.NewWorkspace{Name: "shop", Root: s.root})
	s.check(err)
	return s
}

func (s *shop) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// run starts a run of a user that runs one command, and returns what it asks. Without an ask it waits for the end.
func (s *shop) run(user, session, command string, change ...func(*rein.Task)) (ask *rein.Ask) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), 2*time.Minute)
	defer cancel()
	id := api.NewRunID(time.Now())
	task := rein.Task{
		Flow: "operate", Model: "runner", Household: "home", User: user, Session: session, Workspace: "shop",
		Tools: []string{"execute_command"}, Messages: []rein.Message{{Role: rein.User, Text: command}},
	}
	for _, c := range change {
		c(&task)
	}
	_, err := s.app.owner.engine.Start(ctx, id, task)
	s.check(err)
	return s.settled(ctx, id)
}

// settled waits until a run asks or has ended.
func (s *shop) settled(ctx context.Context, id rein.RunID) *rein.Ask {
	s.Helper()
	more := make(chan struct{}, 1)
	defer s.app.owner.store.Watch(func([]store.Mark) {
		select {
		case more <- struct{}{}:
		default:
		}
	})()
	for {
		info, err := s.app.owner.store.Run(ctx, id)
		s.check(err)
		asks, err := s.app.Asks(ctx, api.AskQuery{Tree: id, State: rein.AskPending})
		s.check(err)
		switch {
		case len(asks) > 0:
			return &asks[0]
		case info.Status.Ended():
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			s.Fatalf("run %s neither asks nor ends", id)
		}
	}
}

func (s *shop) approve(ask *rein.Ask, user string, scope rein.RuleScope) {
	s.Helper()
	if ask == nil {
		s.Fatal("nobody was asked")
	}
	_, err := s.app.owner.engine.Command(s.Context(), ask.Reply(rein.Answer{State: rein.AskApproved, Scope: scope, By: user}))
	s.check(err)
	if again := s.settled(s.Context(), ask.Run); again != nil {
		s.Fatalf("asked again: %+v", again)
	}
}

func (s *shop) made(name string) {
	s.Helper()
	if _, err := os.Stat(filepath.Join(s.root, name)); err != nil {
		s.Errorf("%s was not made: %v", name, err)
	}
}

// What somebody allows for good of a real command holds for what fits the pattern, for that user and workspace, until it
// is revoked.
//
// Covers: SD-42
func TestCommandIsAllowedAlways(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, err := s.app.owner.people.AddUser(t.Context(), rein.Host(), "ann", rein.Member)
	s.check(err)
	ask := s.run("owner", "s1", "touch out/one")
	if ask == nil || !slices.Equal(ask.Offers.Always, []string{"touch out/..."}) || len(ask.Offers.Session) != 1 {
		t.Fatalf("asked %+v", ask)
	}
	s.approve(ask, "owner", rein.ScopeAlways)
	s.made("out/one")
	if ask := s.run("owner", "s2", "touch out/two"); ask != nil {
		t.Errorf("another session is asked: %s", ask.Text)
	}
	s.made("out/two")
	for name, ask := range map[string]*rein.Ask{
		"wider":         s.run("owner", "s3", "touch other/three"),
		"two at once":   s.run("owner", "s4", "touch out/four && touch other/four"),
		"another user":  s.run("ann", "s5", "touch out/five"),
		"a policy asks": s.run("owner", "s6", "touch out/six", func(t *rein.Task) { t.Policy.Ask = []string{"execute_command"} }),
	} {
		if ask == nil {
			t.Errorf("%s is not asked", name)
		}
	}
	rules, err := s.app.Rules(t.Context(), api.RuleQuery{})
	s.check(err)
	if len(rules) != 1 || rules[0].Pattern != "touch out/..." || rules[0].Workspace != "shop" || rules[0].Root != s.root || rules[0].By != "owner" {
		t.Fatalf("rules %+v", rules)
	}
	if _, err := s.app.RevokeRule(t.Context(), rules[0].ID); err != nil {
		t.Fatal(err)
	}
	s.approve(s.run("owner", "s2", "touch out/seven"), "owner", rein.ScopeSession)
	if ask := s.run("owner", "s2", "touch out/seven"); ask != nil {
		t.Errorf("the same in the session is asked: %s", ask.Text)
	}
	if s.run("owner", "s2", "touch out/eight") == nil || s.run("owner", "s7", "touch out/seven") == nil {
		t.Error("what was allowed for one session goes further")
	}
}

// Another folder under the name of the workspace has none of its rules.
func TestRulesOfAMovedWorkspace(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.approve(s.run("owner", "s1", "touch out/one"), "owner", rein.ScopeAlways)
	s.check(s.app.RemoveWorkspace(t.Context(), "shop"))
	root := t.TempDir()
	s.check(os.Mkdir(filepath.Join(root, "out"), 0o755))
	_, err := s.app.AddWorkspace(t.Context(), api.NewWorkspace{Name: "shop", Root: root})
	s.check(err)
	if s.run("owner", "s2", "touch out/two") == nil {
		t.Error("a rule of another folder holds")
	}
}

func TestMain(m *testing.M) {
	sandbox.Init() // this program is also the first process of a box
	mcptest.Main() // and an MCP server
	os.Exit(m.Run())
}
