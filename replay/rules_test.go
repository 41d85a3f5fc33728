package replay_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"

	"rein"
	"rein/engine"
	"rein/household/people"
	"rein/internal/rig"
	"rein/replay"
)

// A shell is a process with one tool that rules on each of its calls, and the rules that people make.
type shell struct {
	*rig.Rig
	people *people.People
	world  *world
	ran    atomic.Int64
}

var ground = people.Ground{Household: "home", User: "owner", Workspace: "garden"}

// Held implements work.Grants.
func (s *shell) Held(ctx context.Context, t rein.Tool, _ rein.Invocation) (rein.Granted, error) {
	return s.people.Granted(ctx, ground, t.Name)
}

// Keep implements work.Grants.
func (s *shell) Keep(ctx context.Context, t rein.Tool, _ rein.Invocation, ask rein.Ask, answer rein.Answer) error {
	return s.people.KeepRules(ctx, ground, t.Name, ask, answer)
}

// commands runs the same command twice and then one that is denied, and looks in between.
func commands(run rein.Run, _ rein.Task) (rein.Outcome, error) {
	for _, line := range []string{"push", "push", "rm"} {
		args, _ := json.Marshal(map[string]string{"line": line})
		if _, err := run.CallTool(rein.ToolCall{ID: line, Name: "command", Args: args}); err != nil {
			return rein.Outcome{}, err
		}
	}
	return rein.Outcome{Text: "done"}, nil
}

var commandFlows = map[string]rein.Flow{"commands": {Do: commands}}

func (s *shell) command() rein.Tool {
	return rein.Tool{
		Name: "command", Effect: rein.Unsafe, Rules: true,
		Schema: json.RawMessage(`{"type":"object","properties":{"line":{"type":"string"}},"required":["line"]}`),
		Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			s.ran.Add(1)
			return rein.Done{Text: "ran"}, nil
		},
		Show: func(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
			var args struct{ Line string }
			err := json.Unmarshal(inv.Args, &args)
			shown := rein.Shown{Text: args.Line, Ruling: rein.Ruling{Verdict: rein.MustAsk, Session: []string{args.Line}, Always: []string{args.Line}}}
			switch {
			case args.Line == "rm":
				shown.Ruling = rein.Ruling{Verdict: rein.Denied, Why: "it is denied"}
			case slices.Contains(inv.Granted.Always, args.Line):
				shown.Ruling = rein.Ruling{Verdict: rein.Allowed}
			}
			return shown, err
		},
	}
}

func newShell(t *testing.T) *shell {
	s := &shell{Rig: rig.Open(t, rig.Options{})}
	s.people = &people.People{Tables: s.Store}
	worker := rig.Worker(rig.Script(t, "turn 1\nsay over"), map[string]rein.Tool{"command": s.command()})
	worker.Grants = s
	forks := &replay.Forks{Store: s.Store, Send: func(ctx context.Context, c rein.Command) (rein.Receipt, error) { return s.Engine.Command(ctx, c) }}
	forks.Wrap(worker)
	s.Begin(engine.Options{Flows: commandFlows, Worker: worker, Began: forks.Began, Precedent: forks.Precedent})
	s.world = &world{engine: s.Engine, store: s.Store, worker: worker}
	return s
}

func (s *shell) start(id rein.RunID, task rein.Task) {
	s.Helper()
	_, err := s.Engine.Start(context.Background(), id, task)
	rig.Check(s, err)
}

func (s *shell) ends(run rein.RunID) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), rig.Patience)
	defer cancel()
	_, err := s.Engine.Wait(ctx, run)
	rig.Check(s, err)
}

// results returns how the calls of a run ended.
func (s *shell) results(run rein.RunID) (all []string) {
	for e, err := range s.Store.Events(context.Background(), run, 0) {
		rig.Check(s, err)
		if e.Kind != rein.StepDone {
			continue
		}
		end, err := rein.Payload[rein.StepEnd](e)
		rig.Check(s, err)
		all = append(all, string(end.Result.Status))
	}
	return all
}

// A replay of a run with rules goes the same way without any, and keeps none. Neither does a fork: what was revoked since
// does not come back with what people said to the run before.
func TestRulesInReplaysAndForks(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	ctx := context.Background()
	s.start("run-one", rein.Task{Flow: "commands", Tools: []string{"command"}, Household: "home", User: "owner", Workspace: "garden"})
	s.world.answer(t, s.world.ask(t, "run-one", "1.ask"), rein.Answer{State: rein.AskApproved, Scope: rein.ScopeAlways, By: "owner"})
	s.ends("run-one")
	want := []string{"ok", "ok", "refused"}
	if got := s.results("run-one"); !slices.Equal(got, want) || s.ran.Load() != 2 {
		t.Fatalf("results %q, ran %d", got, s.ran.Load())
	}
	rules := s.rules()
	if len(rules) != 1 {
		t.Fatalf("rules %+v", rules)
	}
	_, err := s.people.RevokeRule(ctx, rein.Host(), rules[0].ID)
	rig.Check(t, err)

	tape, err := replay.Record(ctx, s.Store, "run-one", s.world.worker, rein.Policy{})
	rig.Check(t, err)
	if d, err := replay.Play(ctx, tape, replay.Options{Flows: commandFlows}); d != nil || err != nil {
		t.Errorf("played again: %v %v", d, err)
	}
	task, err := replay.Fork(tape, "2", nil, []string{"command"})
	rig.Check(t, err)
	s.start("fork", task)
	again := s.world.ask(t, "fork", "2.ask") // the first call is answered as it was; the second is asked, because nothing allows it now
	if rules := s.rules(); len(rules) != 1 || rules[0].Revoked.IsZero() {
		t.Errorf("after the fork: %+v", rules)
	}
	s.world.answer(t, again, rein.Answer{State: rein.AskRejected, By: "owner"})
	s.ends("fork")
	if s.ran.Load() != 2 {
		t.Errorf("ran %d times", s.ran.Load())
	}
}

func (s *shell) rules() []rein.Rule {
	s.Helper()
	all, _, err := s.people.ListRules(context.Background(), rein.Host(), people.RuleFilter{Revoked: true})
	rig.Check(s, err)
	return all
}
