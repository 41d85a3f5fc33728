package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"rein"
)

// The runtime makes the calls, not the core: each runs inside the worker of the process, which hands it
// what it may reach and outlives its panic. The engine asks for it once, in the order of the reply.
//
// Covers: SD-30
func TestToolsRunInTheRuntime(t *testing.T) {
	var made []string
	look := rein.Tool{Name: "look", Description: "Looks.", Effect: rein.Pure, Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
		if made = append(made, string(inv.Args)); string(inv.Args) == `{"n":2}` {
			panic("out of its mind")
		}
		if inv.Reach == nil {
			t.Errorf("a call of %s brings no policy of the runtime", inv.Args)
		}
		return rein.Done{Text: "seen " + string(inv.Args)}, nil
	}}
	call := func(n string) rein.ToolCall {
		return rein.ToolCall{ID: "c" + n, Name: "look", Args: json.RawMessage(`{"n":` + n + `}`)}
	}
	sc := listenTo(t, parrot{turn: new(int), replies: []rein.Message{
		{Role: rein.Assistant, Calls: []rein.ToolCall{call("1"), call("2"), call("3")}},
		{Role: rein.Assistant, Text: "Done."},
	}}, look)
	task := rtask("operate", "Look.")
	task.Tools = []string{"look"}
	if _, err := sc.Start(t.Context(), "r1", task); err != nil {
		t.Fatal(err)
	}
	if end, err := sc.Wait(t.Context(), "r1"); err != nil || end.End != rein.EndDone || end.Text != "Done." {
		t.Errorf("the run came to %+v, %v", end, err)
	}
	if got, want := strings.Join(made, " "), `{"n":1} {"n":2} {"n":3}`; got != want {
		t.Errorf("these calls were made: %s, want %s", got, want)
	}
}
