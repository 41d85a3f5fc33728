package flow_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/internal/flowtest"
)

// With nothing left but the reserve, the model is still told what the person wants, whatever was said
// and found since, and what was found last. A long text about who the assistant is takes neither away.
//
// Covers: LAW-8
func TestReserveHoldsWhatMatters(t *testing.T) {
	long := strings.Repeat("And so on and so forth. ", 100)
	thought := `say {"reflection": "` + long + `", "next_action": "tool", "tool_calls": [{"name": "look", "arguments": {}}]}`
	for flow, play := range map[string]string{
		"answer":   "when closing=no\ncall look {}",
		"operate":  "when closing=no\nsay I look again.\ncall look {}",
		"strict":   "when phase=act\ncall look {}\n\nwhen closing=no\nsay " + long + `{"observation": "` + long + `", "should_continue": true}`,
		"explore":  "when phase=act run=r1\nsay I look again.\ncall look {}\n\nwhen closing=no\nsay {}",
		"research": "when closing=no\n" + thought,
		"code":     "when closing=no\n" + thought,
	} {
		t.Run(flow, func(t *testing.T) {
			w := flowtest.World(t, time.Minute, play+"\n\nwhen closing=yes\nsay Closed.\n")
			tweak := w.Tweak
			var looked atomic.Int64
			w.Tweak = func(o *engine.Options) {
				tweak(o)
				tools := maps.Clone(o.Worker.Tools)
				tools["look"] = rein.Tool{Name: "look", Description: "Looks.", Schema: []byte(`{"type":"object"}`), Effect: rein.Pure, Do: func(_ context.Context, _ rein.Invocation) (rein.Done, error) {
					return rein.Done{Text: fmt.Sprintf("FOUND %d. %s", looked.Add(1), long)}, nil
				}}
				o.Worker.Tools = tools
			}
			var mu sync.Mutex
			var last []rein.Message
			w.Model.Hook = func(r rein.ModelRequest) {
				mu.Lock()
				defer mu.Unlock()
				if r.Closing && r.Run == "r1" {
					last = r.Messages
				}
			}
			w.Begin()
			budget := rein.DefaultBudget()
			budget.ToolCalls = 2
			w.Start("r1", rein.Task{
				Flow: flow, Tools: []string{"look"}, Budget: &budget, Language: "en",
				Messages: []rein.Message{{Role: rein.User, Text: "Where is the QUESTION?"}},
				Texts:    map[string]string{"SOUL": strings.Repeat("You are kind. ", 400)},
			})
			if end := w.End("r1"); end.End != rein.EndLimit || !strings.Contains(end.Text, "Closed.") {
				t.Fatalf("it ended as %+v", end)
			}
			mu.Lock()
			defer mu.Unlock()
			var all strings.Builder
			for _, m := range last {
				fmt.Fprintf(&all, "%s: %s\n", m.Role, m.Text)
			}
			for _, want := range []string{"QUESTION", "FOUND 2"} {
				if !strings.Contains(all.String(), want) {
					t.Errorf("%q is not in the closing prompt:\n%s", want, all.String())
				}
			}
		})
	}
}
