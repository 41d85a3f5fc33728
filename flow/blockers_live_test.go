package flow_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"rein"
	"rein/engine"
	"rein/flow"
	"rein/internal/rig"
	"rein/store/sqlite"
	"rein/tool/basics"
	"rein/tool/memory"
	"rein/tool/session"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// A stage plays one run on the real engine, and answers whatever it asks.
type stage struct {
	t     *testing.T
	dir   string // of the data
	tools map[string]rein.Tool
	model string
	asks  []rein.Ask
}

func newStage(t *testing.T, model string, tools ...rein.Tool) *stage {
	t.Helper()
	s := &stage{t: t, dir: t.TempDir(), tools: map[string]rein.Tool{}, model: model}
	for _, made := range []func() (rein.Tool, error){basics.AskUser, basics.RequestInput} {
		tool, err := made()
		check(t, err)
		tools = append(tools, tool)
	}
	for _, tool := range tools {
		s.tools[tool.Name] = tool
	}
	return s
}

// play drives run r1 until it has ended, or until it is to be left.
func (s *stage) play(task *rein.Task, live rein.Policy, leave <-chan struct{}) {
	t := s.t
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	events := make(chan rein.Event, 10_000)
	r := rig.Open(t, rig.Options{Dir: s.dir, Store: sqlite.Options{OnCommit: func(all []rein.Event) {
		for _, e := range all {
			events <- e
		}
	}}})
	defer r.Leave()
	for _, tool := range append(session.Tools(r.Store), memory.Tools(r.Store, nil)...) {
		s.tools[tool.Name] = tool
	}
	r.Begin(engine.Options{Flows: flow.All(), Policy: live, DrainGrace: engine.NoGrace, Worker: rig.Worker(rig.Script(t, s.model), s.tools)})
	if task != nil {
		_, err := r.Engine.Start(ctx, "r1", *task)
		check(t, err)
	}
	for {
		select {
		case ev := <-events:
			if ev.Kind == rein.AskOpened {
				s.answer(ctx, r.Engine, ev)
			}
			if ev.Run == "r1" && ev.Kind.Ends() {
				return
			}
		case <-leave:
			return
		case <-ctx.Done():
			t.Fatal("the run does not end")
		}
	}
}

func (s *stage) answer(ctx context.Context, e *engine.Engine, ev rein.Event) {
	s.t.Helper()
	ask, err := rein.Payload[rein.Ask](ev)
	check(s.t, err)
	s.asks = append(s.asks, ask)
	answer := rein.Answer{State: rein.AskAnswered, Text: "yes", By: "ann"}
	switch ask.Kind {
	case rein.AskApproval:
		answer = rein.Answer{State: rein.AskApproved, By: "ann"}
	case rein.AskUnknown:
		answer.Text = rein.SkipIt
	}
	_, err = e.Command(ctx, ask.Reply(answer))
	check(s.t, err)
}

// held holds what was asked to what was foretold, and to what the test wants: a line for each ask.
func (s *stage) held(list []rein.Blocker, want string) {
	s.t.Helper()
	var got strings.Builder
	for _, ask := range s.asks {
		what := string(ask.Kind)
		if ask.Call != nil {
			what += " " + ask.Call.Name
		}
		got.WriteString(what + "\n")
		if !slices.ContainsFunc(list, func(b rein.Blocker) bool { return foretells(b, ask) }) {
			s.t.Errorf("%s (%q, for %v, then %s) was asked and not foretold: %+v", what, ask.Text, ask.Deadline.Sub(ask.Opened), ask.OnExpiry, list)
		}
	}
	if got.String() != want {
		s.t.Errorf("asked:\n%swant:\n%s", got.String(), want)
	}
	if want == "" && len(list) > 0 {
		s.t.Errorf("nothing can be asked, but %+v", list)
	}
}

// foretells reports whether the ask is of the blocker's kind and tool, waits as long, and then does
// the same.
func foretells(b rein.Blocker, ask rein.Ask) bool {
	waits := time.Duration(0)
	if !ask.Deadline.IsZero() {
		waits = ask.Deadline.Sub(ask.Opened).Round(time.Second)
	}
	then := b.OnExpiry == rein.ExpiryPark
	if waits > 0 {
		then = (b.OnExpiry == rein.ExpiryStop) == (ask.OnExpiry == rein.ExpiryStop)
	}
	return b.Kind == ask.Kind && (ask.Call == nil || ask.Call.Name == b.What) && waits == b.Waits && then
}

func does(name string, effect rein.Effect) rein.Tool {
	return rein.Tool{Name: name, Description: "The tool " + name + ".", Effect: effect, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		return rein.Done{Text: "ok"}, nil
	}}
}

// In the runs of testdata, all that is asked was foretold, with how long it waits and what happens
// then.
func TestLive(t *testing.T) {
	files, err := filepath.Glob("testdata/blockers/*.txtar")
	check(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			check(t, err)
			parts := map[string][]byte{}
			for _, f := range archive.Files {
				parts[f.Name] = f.Data
			}
			var task rein.Task
			var live rein.Policy
			check(t, json.Unmarshal(parts["task"], &task))
			check(t, json.Unmarshal(parts["live"], &live))
			task.Household, task.User, task.Messages = "home", "ann", []rein.Message{{Role: rein.User, Text: "Do it."}}
			s := newStage(t, string(parts["model"]), toolsOf(string(parts["tools"]))...)
			s.play(&task, live, nil)
			s.held(flow.Kinds().Blockers(task, s.tools, live), string(parts["asks"]))
		})
	}
}

// toolsOf makes the tools of a file. Each line is one: NAME EFFECT [approval] [hang].
func toolsOf(text string) (tools []rein.Tool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		tool := does(words[0], rein.Effect(words[1]))
		tool.Approval = slices.Contains(words, "approval")
		if slices.Contains(words, "hang") {
			tool.Timeout, tool.Do = 20*time.Millisecond, func(ctx context.Context, _ rein.Invocation) (rein.Done, error) {
				<-ctx.Done()
				return rein.Done{}, ctx.Err()
			}
		}
		tools = append(tools, tool)
	}
	return tools
}

// What is asked after rein was interrupted in a call was foretold too: whatever its effect, unless it
// changes nothing.
func TestInterrupted(t *testing.T) {
	for effect, live := range map[rein.Effect]rein.Policy{
		rein.Unsafe: {}, rein.Checkable: {}, rein.Idempotent: {Ask: []string{"put"}}, // the policy changes
	} {
		t.Run(string(effect), func(t *testing.T) {
			begun := make(chan struct{})
			tool := does("put", effect)
			tool.Do = func(ctx context.Context, _ rein.Invocation) (rein.Done, error) {
				close(begun)
				<-ctx.Done()
				return rein.Done{}, ctx.Err()
			}
			if effect == rein.Checkable {
				tool.Check = func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
					return rein.CheckUnknown, rein.Done{}, nil
				}
			}
			task := rein.Task{Flow: "operate", Tools: []string{"put"}, Household: "home", User: "ann", Messages: []rein.Message{{Role: rein.User, Text: "Do it."}}}
			s := newStage(t, "when results=0\ncall put {}\n\nwhen\nsay So.\n", tool)
			list := flow.Kinds().Blockers(task, s.tools, rein.Policy{})
			s.play(&task, rein.Policy{}, begun)
			s.play(nil, live, nil)
			s.held(list, "unknown put\n")
		})
	}
}
