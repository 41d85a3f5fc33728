package engine_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/engine"
	"rein/engine/work"
	"rein/household/people"
	"rein/internal/rig"
	"rein/store"
	"rein/tool"
)

// A ruled is a process whose tool rules on each of its calls, with real rows for what people allow.
type ruled struct {
	*rig.Rig
	people *people.People
	policy rein.Policy
	shown  string // what the tool says beside the command

	mu     sync.Mutex
	ran    []string
	broken error // what keeping a rule fails with
}

// Held implements work.Grants.
func (r *ruled) Held(ctx context.Context, t rein.Tool, inv rein.Invocation) (rein.Granted, error) {
	return r.people.Granted(ctx, groundOf(inv), t.Name)
}

// Keep implements work.Grants.
func (r *ruled) Keep(ctx context.Context, t rein.Tool, inv rein.Invocation, ask rein.Ask, answer rein.Answer) error {
	r.mu.Lock()
	broken := r.broken
	r.mu.Unlock()
	if broken != nil {
		return broken
	}
	return r.people.KeepRules(ctx, groundOf(inv), t.Name, ask, answer)
}

func groundOf(inv rein.Invocation) people.Ground {
	return people.Ground{Household: inv.Task.Household, User: inv.Task.User, Workspace: inv.Task.Workspace, Root: "/" + inv.Task.Workspace, Session: cmp.Or(inv.Task.Session, string(inv.Run.Root()))}
}

type ordered struct {
	Line string `json:"line"`
}

// judge is what the tool decides: what starts with rm is denied, and anything else is asked unless somebody allowed it.
func judge(line string, held rein.Granted) rein.Ruling {
	word, _, _ := strings.Cut(line, " ")
	switch {
	case word == "rm":
		return rein.Ruling{Verdict: rein.Denied, Why: "rm is denied"}
	case slices.Contains(held.Session, line) || slices.Contains(held.Always, word+" *"):
		return rein.Ruling{Verdict: rein.Allowed, Why: "somebody allowed it"}
	}
	return rein.Ruling{Verdict: rein.MustAsk, Session: []string{line}, Always: []string{word + " *"}}
}

func (r *ruled) tool() rein.Tool {
	command, err := tool.New(tool.Spec{Name: "command", Text: "Runs a command.", Effect: rein.Unsafe}, func(_ context.Context, inv rein.Invocation, args ordered) (rein.Done, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ran = append(r.ran, fmt.Sprintf("%s (%d held)", args.Line, len(inv.Granted.Session)+len(inv.Granted.Always)))
		return rein.Done{Text: "ok"}, nil
	})
	rig.Check(r, err)
	command.Rules = true
	command.Show = func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
		var args ordered
		err := json.Unmarshal(inv.Args, &args)
		return rein.Shown{Text: args.Line + r.shown, Ruling: judge(args.Line, inv.Granted)}, err
	}
	return command
}

// lines calls the tool with each line of the task, and says what came of it.
func lines(run rein.Run, task rein.Task) (rein.Outcome, error) {
	var said []string
	for i, line := range strings.Split(task.Messages[0].Text, "\n") {
		args, _ := json.Marshal(ordered{line})
		name := "command"
		if order, ok := strings.CutPrefix(line, "child "); ok {
			child, err := run.Spawn(rein.Task{Flow: "lines", Tools: []string{"command"}, Messages: []rein.Message{{Role: rein.User, Text: order}}})
			if err != nil {
				return rein.Outcome{}, err
			}
			end, err := run.Wait(child)
			if err != nil {
				return rein.Outcome{}, err
			}
			said = append(said, "child "+end.Text)
			continue
		}
		if guess, ok := strings.CutPrefix(line, "guess "); ok {
			args, _ = json.Marshal(ordered{guess})
			name = "Command"
		}
		result, err := run.CallTool(rein.ToolCall{ID: fmt.Sprint("c", i), Name: name, Args: args})
		if err != nil {
			return rein.Outcome{}, err
		}
		said = append(said, string(result.Status)+" "+result.Text)
	}
	return rein.Outcome{Text: strings.Join(said, "\n")}, nil
}

func newRuled(t *testing.T) *ruled {
	r := &ruled{Rig: rig.Open(t, rig.Options{})}
	r.begin()
	return r
}

func (r *ruled) begin() {
	r.people = &people.People{Tables: r.Store}
	rig.Check(r, r.people.Begin(context.Background()))
	worker := rig.Worker(rig.Script(r, "turn 1\nsay over"), map[string]rein.Tool{"command": r.tool()})
	worker.Grants = r
	r.Begin(engine.Options{Flows: map[string]rein.Flow{"lines": {Do: lines}}, Worker: worker, Grace: engine.NoGrace, Policy: r.policy})
}

func (r *ruled) start(id rein.RunID, session string, change func(*rein.Task), commands ...string) {
	r.Helper()
	task := rein.Task{
		Flow: "lines", Household: "home", User: "owner", Workspace: "garden", Session: session, Tools: []string{"command"},
		Messages: []rein.Message{{Role: rein.User, Text: strings.Join(commands, "\n")}},
	}
	if change != nil {
		change(&task)
	}
	_, err := r.Engine.Start(context.Background(), id, task)
	rig.Check(r, err)
}

// asked waits for an ask of a run.
func (r *ruled) asked(run rein.RunID, step rein.StepKey, n int) rein.Ask {
	r.Helper()
	id := rein.NewAskID(run, step.Sub("ask", n))
	more := make(chan struct{}, 1)
	defer r.Store.Watch(func([]store.Mark) {
		select {
		case more <- struct{}{}:
		default:
		}
	})()
	ctx, cancel := context.WithTimeout(context.Background(), rig.Patience)
	defer cancel()
	for {
		if ask, err := r.Store.Ask(ctx, id); err == nil {
			return ask
		}
		select {
		case <-more:
		case <-ctx.Done():
			r.Fatalf("%s was not asked", id)
		}
	}
}

func (r *ruled) reply(ask rein.Ask, answer rein.Answer) error {
	answer.By = cmp.Or(answer.By, "owner")
	_, err := r.Engine.Command(context.Background(), ask.Reply(answer))
	return err
}

func (r *ruled) approve(ask rein.Ask, scope rein.RuleScope) {
	r.Helper()
	rig.Check(r, r.reply(ask, rein.Answer{State: rein.AskApproved, Scope: scope}))
}

// ends waits for the end of a run that asks nothing more, and returns what it said.
func (r *ruled) ends(run rein.RunID) string {
	r.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), rig.Patience)
	defer cancel()
	end, err := r.Engine.Wait(ctx, run)
	rig.Check(r, err)
	return end.Text
}

func (r *ruled) rules() []rein.Rule {
	r.Helper()
	all, _, err := r.people.ListRules(context.Background(), rein.Host(), people.RuleFilter{Revoked: true})
	rig.Check(r, err)
	return all
}

var _ work.Grants = (*ruled)(nil)

// A child acts in the session and for the user of its parent, and so under what was allowed there, no more. What is allowed in
// a child's ask holds for the parent and for the next child.
//
// Covers: SD-42
// Attack: 79
func TestRulesOfChildren(t *testing.T) {
	t.Parallel()
	r := newRuled(t)
	r.start("r1", "s1", nil, "git push", "child git push", "child git pull", "git pull", "child git pull", "child rm x")
	r.approve(r.asked("r1", "1", 1), rein.ScopeSession)
	children := func() (ids []rein.RunID) {
		for info, err := range r.Store.Runs(t.Context(), store.Filter{}) {
			rig.Check(r, err)
			if info.ID.Depth() == 1 && strings.HasPrefix(string(info.ID), "r1.") {
				ids = append(ids, info.ID)
			}
		}
		slices.Sort(ids)
		return ids
	}
	ask := r.asked("r1.4", "1", 1)
	if ask.Call == nil || !strings.Contains(string(ask.Call.Args), "git pull") || !slices.Equal(ask.Offers.Session, []string{"git pull"}) {
		t.Errorf("%v: %+v", children(), ask)
	}
	r.approve(ask, rein.ScopeSession)
	want := "ok ok\nchild ok ok\nchild ok ok\nok ok\nchild ok ok\nchild refused "
	if got := r.ends("r1"); !strings.HasPrefix(got, want) || !strings.Contains(got, "rm is denied") {
		t.Errorf("%q\n%v", got, children())
	}
	if got := strings.Join(r.ran, "; "); got != "git push (1 held); git push (1 held); git pull (2 held); git pull (2 held); git pull (2 held)" {
		t.Error(got)
	}
	r.start("r2", "s2", nil, "child git push")
	if ask := r.asked("r2.1", "1", 1); ask.State != rein.AskPending {
		t.Error("a child of another session is not asked")
	}
}

// An approval for the session covers exactly that command in that session, and one for good what fits the pattern shown,
// for that user and workspace. Revoking it holds for the next call.
//
// Covers: SD-42
// Attack: 79
func TestRulesHoldWhereTheyWereMade(t *testing.T) {
	t.Parallel()
	r := newRuled(t)
	r.start("r1", "s1", nil, "git push", "git push", "git pull")
	ask := r.asked("r1", "1", 1)
	if !slices.Equal(ask.Offers.Session, []string{"git push"}) || !slices.Equal(ask.Offers.Always, []string{"git *"}) {
		t.Fatalf("offers %+v", ask.Offers)
	}
	r.approve(ask, rein.ScopeSession)
	second := r.asked("r1", "3", 1) // the same again is not asked, another is
	r.approve(second, rein.ScopeAlways)
	if said := r.ends("r1"); said != "ok ok\nok ok\nok ok" {
		t.Errorf("said %q", said)
	}
	// Another session: not the exact one, but all of git.
	r.start("r2", "s2", nil, "git fetch")
	r.ends("r2")
	// A child of the session, and a call a bit wider.
	r.start("r3", "s2", nil, "gitk x")
	r.approve(r.asked("r3", "1", 1), rein.ScopeOnce)
	r.ends("r3")
	for name, change := range map[string]func(*rein.Task){
		"user": func(t *rein.Task) { t.User = "ann" }, "workspace": func(t *rein.Task) { t.Workspace = "field" }, "household": func(t *rein.Task) { t.Household = "away" },
	} {
		run := rein.RunID("other-" + name)
		r.start(run, "s-"+name, change, "git push")
		rig.Check(t, r.reply(r.asked(run, "1", 1), rein.Answer{State: rein.AskRejected, By: "ann"}))
		r.ends(run)
	}
	for _, rule := range r.rules() {
		if _, err := r.people.RevokeRule(t.Context(), rein.Host(), rule.ID); err != nil {
			t.Fatal(err)
		}
	}
	r.start("r4", "s1", nil, "git push")
	r.approve(r.asked("r4", "1", 1), "")
	r.ends("r4")
	rules := r.rules()
	if len(rules) != 2 || rules[0].Session != "s1" || rules[0].Pattern != "git push" || rules[1].Session != "" || rules[1].Pattern != "git *" || rules[1].Ask != second.ID || rules[1].By != "owner" || rules[1].RevokedBy != "owner" {
		t.Errorf("rules %+v", rules)
	}
	if want := []string{"git push (1 held)", "git push (1 held)", "git pull (2 held)", "git fetch (1 held)", "gitk x (1 held)", "git push (0 held)"}; !slices.Equal(r.ran, want) {
		t.Errorf("ran %q", r.ran)
	}
}

// Nobody grants what they were not shown.
func TestScopesThatAreRefused(t *testing.T) {
	t.Parallel()
	r := newRuled(t)
	r.start("r1", "s1", nil, "git push")
	r.start("r2", "s2", nil, "make all")
	r.start("r3", "s3", nil, "ec\x07ho b")
	r.start("r4", "s4", nil, "echo ghp_0123456789abcdefghijklmnopqrstuvwx")
	r.start("r5", "s5", func(t *rein.Task) { t.Policy.Ask = []string{"command"} }, "git push")
	r.start("r6", "s6", nil, "guess git push")
	one, other := r.asked("r1", "1", 1), r.asked("r2", "1", 1)
	always := rein.Answer{State: rein.AskApproved, Scope: rein.ScopeAlways}
	for name, c := range map[string]struct {
		ask    rein.Ask
		answer rein.Answer
		code   rein.Code
	}{
		"of another ask":     {rein.Ask{ID: one.ID, Run: one.Run, Shown: other.Shown}, always, rein.CodeConflict},
		"of no ask":          {rein.Ask{ID: one.ID, Run: one.Run}, always, rein.CodeInvalid},
		"unknown":            {one, rein.Answer{State: rein.AskApproved, Scope: "forever"}, rein.CodeInvalid},
		"edited":             {one, rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{"line":"git"}`), Scope: rein.ScopeAlways}, rein.CodeInvalid},
		"refused":            {one, rein.Answer{State: rein.AskRejected, Scope: rein.ScopeSession}, rein.CodeInvalid},
		"control characters": {r.asked("r3", "1", 1), always, rein.CodeInvalid},
		"a secret":           {r.asked("r4", "1", 1), rein.Answer{State: rein.AskApproved, Scope: rein.ScopeSession}, rein.CodeInvalid},
		"the policy asks":    {r.asked("r5", "1", 1), always, rein.CodeInvalid},
		"a guess":            {r.asked("r6", "1", 1), always, rein.CodeInvalid},
	} {
		if err := r.reply(c.ask, c.answer); rein.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if rules := r.rules(); len(rules) > 0 {
		t.Errorf("rules %+v", rules)
	}
}

// A rule beats neither what the policy denies or asks for, nor what the tool itself denies.
//
// Attack: 79
func TestRulesBeatNoPolicy(t *testing.T) {
	t.Parallel()
	r := newRuled(t)
	held := rein.Ask{ID: "x:1.ask", Offers: rein.Offers{Always: []string{"git *", "rm *"}}}
	at := people.Ground{Household: "home", User: "owner", Workspace: "garden", Root: "/garden"}
	rig.Check(t, r.people.KeepRules(t.Context(), at, "command", held, rein.Answer{Scope: rein.ScopeAlways, By: "owner"}))
	r.start("r1", "s1", nil, "git push", "rm x")
	if said := r.ends("r1"); said != "ok ok\nrefused the call is denied: rm is denied" {
		t.Errorf("said %q", said)
	}
	r.start("r2", "s2", func(t *rein.Task) { t.Policy.Ask = []string{"command"} }, "git push")
	r.approve(r.asked("r2", "1", 1), "")
	r.ends("r2")
	r.start("r3", "s3", func(t *rein.Task) { t.Policy.Deny = []string{"command"} }, "git push")
	if said := r.ends("r3"); !strings.HasPrefix(said, "refused") {
		t.Errorf("said %q", said)
	}
}

// An answer with a scope becomes a row exactly once: a failure between loses nothing, a replay after it was revoked does
// not bring it back, and of two answers one counts.
func TestRuleIsKeptOnce(t *testing.T) {
	t.Parallel()
	r := newRuled(t)
	r.broken = errors.New("the disk is full")
	r.start("r1", "s1", nil, "git push")
	ask := r.asked("r1", "1", 1)
	var wait sync.WaitGroup
	results := make([]error, 2)
	for i, scope := range []rein.RuleScope{rein.ScopeSession, rein.ScopeAlways} {
		wait.Go(func() { results[i] = r.reply(ask, rein.Answer{State: rein.AskApproved, Scope: scope}) })
	}
	wait.Wait()
	if (results[0] == nil) == (results[1] == nil) {
		t.Fatalf("answered %v", results)
	}
	// The process ends before the row is written, and the next one writes it.
	r.Again()
	r.broken = nil
	r.begin()
	r.ends("r1")
	rules := r.rules()
	if len(rules) != 1 || rules[0].Ask != ask.ID || len(r.ran) != 1 {
		t.Fatalf("ran %q under %+v", r.ran, rules)
	}
	if _, err := r.people.RevokeRule(t.Context(), rein.Host(), rules[0].ID); err != nil {
		t.Fatal(err)
	}
	closed, err := r.Store.Ask(t.Context(), ask.ID)
	rig.Check(t, err)
	at := people.Ground{Household: "home", User: "owner", Workspace: "garden", Root: "/garden", Session: "s1"}
	rig.Check(t, r.people.KeepRules(t.Context(), at, "command", closed, closed.Answer))
	if held, err := r.people.Granted(t.Context(), at, "command"); err != nil || len(held.Session)+len(held.Always) > 0 || len(r.rules()) != 1 {
		t.Errorf("held %+v of %+v (%v)", held, r.rules(), err)
	}
}

// An approval of something else than what would be done now is void, and so is its scope. What others allowed meanwhile
// changes what is offered, not the call.
//
// Attack: 79
func TestRuleOfAVoidApproval(t *testing.T) {
	t.Parallel()
	r := newRuled(t)
	r.start("r1", "s1", nil, "git push")
	r.start("r2", "s2", nil, "git push")
	r.start("r3", "s3", nil, "git push")
	first, other, last := r.asked("r1", "1", 1), r.asked("r2", "1", 1), r.asked("r3", "1", 1)
	r.Again()
	r.shown = ", to another place"
	r.begin()
	r.approve(first, rein.ScopeAlways)
	second := r.asked("r1", "1", 2)
	if rules := r.rules(); len(rules) > 0 {
		t.Errorf("rules %+v", rules)
	}
	r.Again()
	r.shown = ""
	r.begin()
	r.approve(other, rein.ScopeAlways)
	r.ends("r2")
	r.approve(last, rein.ScopeOnce) // nothing is offered any more, and the call is the same
	r.ends("r3")
	r.approve(second, rein.ScopeSession)
	third := r.asked("r1", "1", 3) // it was of the other place
	r.approve(third, rein.ScopeOnce)
	r.ends("r1")
	if rules := r.rules(); len(rules) != 1 || rules[0].Ask != other.ID {
		t.Errorf("rules %+v", rules)
	}
}
