package unattended_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/flow"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/tool/basics"
	"rein/tool/memory"
	"rein/tool/session"
	"rein/unattended"
	"rein/work"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// A stage plays one run on the real engine, and answers whatever it asks.
type stage struct {
	t     *testing.T
	path  string
	tools map[string]rein.Tool
	model string
	asks  []rein.Ask
}

func newStage(t *testing.T, model string, tools ...rein.Tool) *stage {
	t.Helper()
	s := &stage{t: t, path: filepath.Join(t.TempDir(), "rein.db"), tools: map[string]rein.Tool{}, model: model}
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
	db, err := sqlite.Open(ctx, s.path, sqlite.Options{OnCommit: func(all []rein.Event) {
		for _, e := range all {
			events <- e
		}
	}})
	check(t, err)
	defer db.Close()
	for _, tool := range append(session.Tools(db), memory.Tools(db, nil)...) {
		s.tools[tool.Name] = tool
	}
	model, err := script.Parse("m", []byte(s.model))
	check(t, err)
	e, err := engine.New(engine.Options{
		Store: db, Flows: flow.All(), Dispatch: &local.Dispatcher{}, Policy: live, DrainGrace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}, Tools: s.tools, Abandon: 20 * time.Millisecond},
	})
	check(t, err)
	served := make(chan error, 1)
	serving, stop := context.WithCancel(ctx)
	go func() { served <- e.Serve(serving) }()
	defer func() {
		stop()
		check(t, <-served)
	}()
	if task != nil {
		_, err = e.Start(ctx, "r1", *task)
		check(t, err)
	}
	for {
		select {
		case ev := <-events:
			if ev.Kind == rein.AskOpened {
				s.answer(ctx, e, ev)
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
	var ask rein.Ask
	check(s.t, json.Unmarshal(ev.Data, &ask))
	s.asks = append(s.asks, ask)
	answer := rein.Answer{State: rein.AskAnswered, Text: "yes", By: "ann"}
	switch ask.Kind {
	case rein.AskApproval:
		answer = rein.Answer{State: rein.AskApproved, By: "ann"}
	case rein.AskUnknown:
		answer.Text = rein.SkipIt
	}
	_, err := e.Command(ctx, rein.Command{Kind: rein.CommandAnswer, Run: ask.Run, Ask: ask.ID, By: "ann", Answer: answer})
	check(s.t, err)
}

// held holds what was asked to what was foretold: the kind, the tool, how long it waits and what then.
func (s *stage) held(list []unattended.Blocker, want int) {
	s.t.Helper()
	for _, ask := range s.asks {
		found := false
		for _, b := range list {
			fits := b.Kind == ask.Kind && (ask.Call == nil || ask.Call.Name == b.What)
			waits := time.Duration(0)
			if !ask.Deadline.IsZero() {
				waits = ask.Deadline.Sub(ask.Opened).Round(time.Second)
			}
			found = found || fits && waits == b.Waits && (waits == 0) == (b.OnExpiry == rein.ExpiryPark) &&
				(ask.OnExpiry == rein.ExpiryStop && waits > 0) == (b.OnExpiry == rein.ExpiryStop)
		}
		if !found {
			s.t.Errorf("%s %q (%v, %s) was asked, and not foretold: %+v", ask.Kind, ask.Text, ask.Deadline.Sub(ask.Opened), ask.OnExpiry, list)
		}
	}
	if len(s.asks) != want {
		s.t.Errorf("%d asks, want %d", len(s.asks), want)
	}
}

func does(name string, effect rein.Effect, approval bool) rein.Tool {
	return rein.Tool{Name: name, Description: "It " + name + "s.", Effect: effect, Approval: approval, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		return rein.Done{Text: "ok"}, nil
	}}
}

// In runs of every flow that can ask, all that is asked was foretold, with how long it waits and what
// happens then.
func TestLive(t *testing.T) {
	minute := rein.Policy{Timeout: time.Minute, OnExpiry: rein.ExpiryStop}
	hang := does("rm", rein.Unsafe, false)
	hang.Timeout = 20 * time.Millisecond
	hang.Do = func(ctx context.Context, _ rein.Invocation) (rein.Done, error) {
		<-ctx.Done()
		return rein.Done{}, ctx.Err()
	}
	for _, c := range []struct {
		name  string
		task  rein.Task
		live  rein.Policy
		tools []rein.Tool
		model string
		asks  int
	}{
		{
			"strict",
			rein.Task{Flow: "strict", Tools: []string{"request_input"}, Settings: json.RawMessage(`{"request_input_timeout": 90}`)},
			rein.Policy{},
			nil,
			"when phase=reason round=1\nsay {\"request_input\": {\"question\": \"Which?\"}}\n\nwhen phase=reason\nsay {\"plan\": \"ask\", \"finish\": false}\n\nwhen phase=act\ncall request_input {\"question\": \"And?\"}\n\nwhen\nsay {\"should_continue\": false, \"final_answer\": \"So.\"}\n", 2,
		},
		{
			"explore",
			rein.Task{Flow: "explore", Settings: json.RawMessage(`{"depth": 0}`)},
			rein.Policy{},
			nil,
			"when phase=clarify\nsay {\"ambiguous\": true, \"question\": \"Which?\"}\n\nwhen phase=question round=1\nsay {\"missing\": true, \"question\": \"When?\"}\n\nwhen phase=question\nsay {\"missing\": false}\n\nwhen phase=summary\nsay [Uncertain: Why?]\nsay So.\n\nwhen\nsay So.\n", 2,
		},
		{
			"task",
			rein.Task{Flow: "task"},
			rein.Policy{},
			nil,
			"when phase=observe round=1\nsay {\"type\": \"need_info\", \"questions\": [\"When?\"]}\n\nwhen\nsay {\"type\": \"final\", \"message\": \"So.\"}\n", 1,
		},
		{
			"research",
			rein.Task{Flow: "research"},
			rein.Policy{},
			nil,
			"when last=yes\nsay {\"next_action\": \"respond\"}\n\nwhen phase=write\nsay So.\n\nwhen\nsay {\"next_action\": \"ask_user\", \"question_to_user\": \"When?\"}\n", 1,
		},
		{"approval", rein.Task{Flow: "operate", Tools: []string{"pay"}, Policy: minute}, rein.Policy{}, []rein.Tool{does("pay", rein.Idempotent, true)}, "when results=0\ncall pay {}\n\nwhen\nsay So.\n", 1},
		{"the process asks", rein.Task{Flow: "operate", Tools: []string{"look"}}, rein.Policy{Ask: []string{"look"}}, []rein.Tool{does("look", rein.Pure, false)}, "when results=0\ncall look {}\n\nwhen\nsay So.\n", 1},
		{"a question", rein.Task{Flow: "operate", Tools: []string{"ask_user"}}, rein.Policy{}, nil, "when results=0\ncall ask_user {\"question\": \"Which?\"}\n\nwhen\nsay So.\n", 1},
		{"mended", rein.Task{Flow: "operate", Tools: []string{"rm"}}, rein.Policy{}, []rein.Tool{does("rm", rein.Unsafe, false)}, "when results=0\nwrong-tool functions.RM {}\n\nwhen\nsay So.\n", 1},
		{"once more", rein.Task{Flow: "operate", Tools: []string{"rm"}}, rein.Policy{}, []rein.Tool{hang}, "when results=0\ncall rm {}\n\nwhen results=1\ncall rm {}\n\nwhen\nsay So.\n", 1},
		{"below explore", rein.Task{Flow: "explore", Tools: []string{"pay"}, Policy: minute, Settings: json.RawMessage(`{"depth":1,"clarify":false,"questions":0,"last_question":false}`)}, rein.Policy{}, []rein.Tool{does("pay", rein.Unsafe, true)}, "when phase=split\nsay {\"questions\": [\"What does it cost?\"]}\n\nwhen run=r1.* results=0\ncall pay {}\n\nwhen\nsay So.\n", 1},
		{"nothing", rein.Task{Flow: "operate", Tools: []string{"look"}}, rein.Policy{}, []rein.Tool{does("look", rein.Pure, false)}, "when results=0\ncall look {}\n\nwhen\nsay So.\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, c.model, c.tools...)
			c.task.Household, c.task.User, c.task.Messages = "home", "ann", []rein.Message{{Role: rein.User, Text: "Do it."}}
			s.play(&c.task, c.live, nil)
			s.held(unattended.Blockers(c.task, s.tools, c.live), c.asks)
		})
	}
}

// What is asked after rein was interrupted in a call was foretold too: whatever its effect, unless it
// changes nothing.
func TestInterrupted(t *testing.T) {
	for effect, live := range map[rein.Effect]rein.Policy{
		rein.Unsafe: {}, rein.Checkable: {}, rein.Idempotent: {Ask: []string{"put"}}, // the policy changes
	} {
		t.Run(string(effect), func(t *testing.T) {
			begun := make(chan struct{})
			tool := does("put", effect, false)
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
			list := unattended.Blockers(task, s.tools, rein.Policy{})
			s.play(&task, rein.Policy{}, begun)
			s.play(nil, live, nil)
			s.held(list, 1)
		})
	}
}
