package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/guard"
)

// Tools are the tools of a world: one per class of effect, some that misbehave, and some that can
// be held in the middle. They count what they did, as a world outside of the engine would.
type Tools struct {
	mu      sync.Mutex
	counts  map[string]int
	effects map[string]int // by tool and key
	held    map[string]chan struct{}
	started chan rein.Invocation
	checks  rein.CheckState // what the checkable tool says; "" is the truth
}

// NewTools returns tools that have done nothing yet.
func NewTools() *Tools {
	return &Tools{counts: map[string]int{}, effects: map[string]int{}, held: map[string]chan struct{}{}, started: make(chan rein.Invocation, 1000)}
}

// Hold makes the next calls of a tool wait, after their effect, until Release or their context ends.
func (t *Tools) Hold(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.held[name] = make(chan struct{})
}

// Release lets all held calls go on.
func (t *Tools) Release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, ch := range t.held {
		close(ch)
		delete(t.held, name)
	}
}

// Started waits until a held call is under way and the log knows of it.
func (t *Tools) Started(w *World) {
	w.Helper()
	select {
	case inv := <-t.started:
		w.Until("beginning of step "+string(inv.Step), func(e rein.Event) bool {
			return e.Run == inv.Run && e.Step == inv.Step && (e.Kind == rein.StepStarted || e.Kind == rein.StepAttempt)
		})
	case <-time.After(patience):
		w.Dump()
		w.Fatal("no held call was started")
	}
}

// Counts lists how often each tool was called: "add=1 send=2".
func (t *Tools) Counts() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for _, name := range slices.Sorted(maps.Keys(t.counts)) {
		list = append(list, fmt.Sprintf("%s=%d", name, t.counts[name]))
	}
	return strings.Join(list, " ")
}

// Keys returns how many different keys a tool was called with.
func (t *Tools) Keys(name string) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for key := range t.effects {
		if strings.HasPrefix(key, name+" ") {
			n++
		}
	}
	return n
}

func (t *Tools) do(ctx context.Context, name string, inv rein.Invocation) (rein.Done, error) {
	t.mu.Lock()
	t.counts[name]++
	t.effects[name+" "+inv.Key]++
	held := t.held[name]
	t.mu.Unlock()
	if held != nil {
		t.started <- inv
		select {
		case <-held:
		case <-ctx.Done():
			return rein.Done{}, ctx.Err()
		}
	}
	return rein.Done{Text: name + " " + string(inv.Args)}, nil
}

// All returns the tools.
func (t *Tools) All() map[string]rein.Tool {
	tools := map[string]rein.Tool{}
	add := func(name string, effect rein.Effect, change func(*rein.Tool)) {
		tool := rein.Tool{Name: name, Effect: effect, Polling: true, Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			return t.do(ctx, name, inv)
		}}
		if change != nil {
			change(&tool)
		}
		tools[name] = tool
	}
	add("echo", rein.Pure, nil)
	add("add", rein.Idempotent, nil)
	add("send", rein.Unsafe, nil)
	add("post", rein.Checkable, func(tool *rein.Tool) { tool.Check = t.check })
	add("deploy", rein.Unsafe, func(tool *rein.Tool) { tool.Approval = true })
	add("fail", rein.Pure, func(tool *rein.Tool) {
		tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			_, _ = t.do(ctx, "fail", inv)
			return rein.Done{}, errors.New("no such file")
		}
	})
	add("boom", rein.Pure, func(tool *rein.Tool) {
		tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) { panic("boom") }
	})
	add("blast", rein.Unsafe, func(tool *rein.Tool) {
		tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) { panic("blast") }
	})
	short := func(tool *rein.Tool) { tool.Timeout = 20 * time.Millisecond }
	add("slow", rein.Pure, short)
	add("slowadd", rein.Idempotent, short)
	add("slowsend", rein.Unsafe, short)
	add("stuck", rein.Pure, func(tool *rein.Tool) {
		tool.Timeout = 20 * time.Millisecond
		tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) { select {} }
	})
	add("flood", rein.Pure, func(tool *rein.Tool) {
		tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: strings.Repeat("é", 10<<20)}, nil
		}
	})
	add("keep", rein.Pure, func(tool *rein.Tool) { tool.Do = t.keep })
	add("tree", rein.Pure, func(tool *rein.Tool) { tool.Tree, tool.Timeout, tool.Do = true, treeLimit, t.inTree })
	add("survey", rein.Unsafe, func(tool *rein.Tool) { tool.Asks, tool.Do = true, t.survey })
	add("think", rein.Unsafe, func(tool *rein.Tool) { tool.Consults, tool.Do = true, t.think })
	t.addStrict(add)
	return tools
}

// secret has the shape of a token.
const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"

func longText() string {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// addStrict adds tools that have a schema, are watched by the loop guard or return what must not be
// passed on as it is.
func (t *Tools) addStrict(add func(string, rein.Effect, func(*rein.Tool))) {
	schema := func(properties string, required string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + required + `],"additionalProperties":false}`)
	}
	add("look", rein.Pure, func(tool *rein.Tool) {
		tool.Schema, tool.Polling = schema(`"n":{"type":"integer"}`, `"n"`), false
	})
	add("count", rein.Pure, func(tool *rein.Tool) {
		tool.Polling = false
		tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			done, err := t.do(ctx, "count", inv)
			done.Text = fmt.Sprint(t.count("count"))
			return done, err
		}
	})
	add("write", rein.Unsafe, func(tool *rein.Tool) {
		tool.Schema, tool.Approval, tool.Trusted = schema(`"path":{"type":"string"},"text":{"type":"string"}`, `"path","text"`), true, []string{"user"}
	})
	add("long", rein.Pure, func(tool *rein.Tool) {
		tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: longText()}, nil }
	})
	add("read_result", rein.Pure, nil)
	add("recall", rein.Pure, func(tool *rein.Tool) {
		tool.Internal = true
		tool.Do = func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			if inv.Task == nil || inv.Task.Flow == "" {
				return rein.Done{}, errors.New("no task")
			}
			return rein.Done{Text: longText()}, nil
		}
	})
	add("leak", rein.Pure, func(tool *rein.Tool) {
		tool.Do = func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			if strings.Contains(string(inv.Args), "fail") {
				return rein.Done{}, errors.New("cannot log in with " + secret)
			}
			return rein.Done{Text: "the token is " + secret, Data: json.RawMessage(`{"token":"` + secret + `"}`)}, nil
		}
	})
	add("question", rein.Pure, func(tool *rein.Tool) {
		tool.Do = nil
		tool.Ask = func(args json.RawMessage) (rein.Question, error) {
			var q struct {
				Text string `json:"text"`
				MS   int    `json:"ms"`
			}
			err := json.Unmarshal(args, &q)
			return rein.Question{Text: q.Text, Timeout: time.Duration(q.MS) * time.Millisecond}, err
		}
	})
}

// blockTokens withholds results that hold a token.
func blockTokens(t *testing.T) func(*engine.Options) {
	redact, err := guard.NewRedactor([]guard.Pattern{{Name: "token", Regexp: `the token is`, Block: true}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(o *engine.Options) { o.Worker.Redact = redact }
}

// check tells whether a post happened.
func (t *Tools) check(_ context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts["post?"]++
	if t.checks != "" {
		return t.checks, rein.Done{}, nil
	}
	if t.effects["post "+inv.Key] > 0 {
		return rein.CheckHappened, rein.Done{Text: "posted before"}, nil
	}
	return rein.CheckNot, rein.Done{}, nil
}

// keep writes to a table of our own: its effect is the commit. Arguments with "bad" make it fail.
func (t *Tools) keep(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
	done, err := t.do(ctx, "keep", inv)
	done.Commit = func(ctx context.Context, tx rein.Tx) error {
		if _, err := tx.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS kept (step TEXT)`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO kept (step) VALUES ('`+string(inv.Step)+`')`); err != nil {
			return err
		}
		if strings.Contains(string(inv.Args), "bad") {
			return errors.New("the list is full")
		}
		return nil
	}
	return done, err
}
