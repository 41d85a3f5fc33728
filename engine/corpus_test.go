package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/engine/work/args/argstest"
)

// damaged is a model whose calls are damaged. It cannot mend them.
type damaged struct {
	calls map[rein.RunID][]rein.ToolCall
}

func (d damaged) Info() rein.ModelInfo { return rein.ModelInfo{Name: "damaged"} }

func (d damaged) Generate(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	reply := rein.Message{Role: rein.Assistant, Text: "over"}
	if r.Phase != "repair" && !slices.ContainsFunc(r.Messages, func(m rein.Message) bool { return m.Role == rein.Assistant }) {
		reply.Calls = d.calls[r.Run]
	}
	return rein.ModelReply{Message: reply, Usage: &rein.Usage{}}, nil
}

// done is what tools were called with.
type done struct {
	sync.Mutex
	args map[string]string // by run and step
}

// A corpus of damaged calls through the whole pipeline, half of them to tools that cannot be undone
// and that need no approval. Every run ends well, every call has its result, and a guess is executed
// by such a tool only if a person agreed, which here nobody does.
//
// Covers: TAB-B9 SD-12 SD-33 LAW-3
func TestDamagedCalls(t *testing.T) {
	const perRun = 24
	var did done
	did.args = map[string]string{}
	tools := map[string]rein.Tool{}
	for i, c := range argstest.Calls {
		for kind, effect := range map[string]rein.Effect{"read": rein.Pure, "write": rein.Unsafe} {
			name := fmt.Sprintf("%s%d", kind, i)
			tools[name] = rein.Tool{
				Name: name, Effect: effect, Approval: effect == rein.Unsafe, Schema: json.RawMessage(c.Schema), Polling: true,
				Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
					did.Lock()
					defer did.Unlock()
					did.args[string(inv.Run)+":"+string(inv.Step)] = string(inv.Args)
					return rein.Done{Text: "ok"}, nil
				},
			}
		}
	}
	names := slices.Sorted(maps.Keys(tools))
	model := damaged{calls: map[rein.RunID][]rein.ToolCall{}}
	meant := map[string]string{} // by call ID
	r := rand.New(rand.NewPCG(11, 13))
	total := 0
	for i, c := range argstest.Calls {
		for j := range argstest.Mutations {
			for kind := range 2 {
				for range 2 {
					id := rein.RunID(fmt.Sprintf("r%d", total/perRun))
					call := rein.ToolCall{ID: fmt.Sprintf("c%d", total), Name: fmt.Sprintf("%s%d", []string{"read", "write"}[kind], i)}
					call.Args = json.RawMessage(argstest.Damage(r, j, c.Args))
					model.calls[id] = append(model.calls[id], call)
					meant[call.ID] = c.Args
					total++
				}
			}
		}
	}
	w := enginetest.Prepare(t, parts, time.Minute, "when\nsay never")
	w.Tweak = func(o *engine.Options) {
		o.Worker.Tools = tools
		o.Worker.Models = map[string]rein.Model{"": model}
	}
	w.Begin()
	for id := range model.calls {
		task := rtask("loop", "go", names...)
		task.Policy.Allow = slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, "read") })
		w.Start(id, task)
	}
	ended := map[rein.RunID]bool{}
	answered := map[rein.AskID]bool{}
	for len(ended) < len(model.calls) {
		e := w.Until("the ends of all runs", func(e rein.Event) bool {
			return e.Kind.Ends() && !ended[e.Run] || e.Kind == rein.AskOpened && !answered[rein.NewAskID(e.Run, e.Step)]
		})
		if e.Kind.Ends() {
			ended[e.Run] = true
			if e.Kind != rein.RunCompleted {
				t.Errorf("run %s: %s", e.Run, e.Data)
			}
			continue
		}
		ask, err := w.Store.Ask(t.Context(), rein.NewAskID(e.Run, e.Step))
		if err != nil {
			t.Fatal(err)
		}
		answered[ask.ID] = true
		w.Answer(ask, rein.AskRejected, "")
	}
	judgeCorpus(t, w, model, meant, &did, total)
}

// judgeCorpus looks at what every call came to.
func judgeCorpus(t *testing.T, w *enginetest.World, model damaged, meant map[string]string, did *done, total int) {
	ran, right, asked := 0, 0, 0
	for id, calls := range model.calls {
		results := 0
		for _, e := range w.Events(id) {
			if e.Kind == rein.AskOpened {
				asked++
			}
			if e.Kind == rein.StepDone && strings.Contains(string(e.Data), `"result"`) {
				results++
			}
		}
		if results != len(calls) {
			t.Errorf("run %s has %d results for %d calls", id, results, len(calls))
		}
		for i, call := range calls {
			args, ok := did.args[fmt.Sprintf("%s:%d", id, i+2)] // after the model's step
			if !ok {
				continue
			}
			ran++
			if args == meant[call.ID] {
				right++
			}
			if strings.HasPrefix(call.Name, "write") && !saidSo(call.Args, args) {
				t.Errorf("%s was given %s, a guess, for %q", call.Name, args, call.Args)
			}
		}
	}
	if total < 1000 || asked == 0 {
		t.Errorf("%d calls, of which %d were put to a person", total, asked)
	}
	fmt.Printf("pipeline: of %d damaged calls %d were run, %d of them as they were meant; %d guesses for unsafe tools were put to a person; no run was lost\n", total, ran, right, asked)
}

// saidSo reports whether the model's own text says just these arguments: strict JSON, which may
// stand in a code fence.
func saidSo(text json.RawMessage, args string) bool {
	body := strings.TrimSpace(string(text))
	if strings.HasPrefix(body, "```") {
		body = strings.TrimSpace(strings.TrimPrefix(strings.Trim(body, "`"), "json"))
	}
	if body == "" {
		body = "{}"
	}
	var said, given any
	return json.Unmarshal([]byte(body), &said) == nil && json.Unmarshal([]byte(args), &given) == nil && fmt.Sprint(said) == fmt.Sprint(given)
}
