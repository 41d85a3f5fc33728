package basics_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/tool/basics"
)

// Clients of the strict flow know the tool by heart.
//
// Covers: RAO-40
func TestRequestInput(t *testing.T) {
	input, err := basics.RequestInput()
	must(t, err)
	if input.Name != "request_input" || input.Description != "Pause the agent and ask the user a clarifying question." {
		t.Errorf("%s: %q", input.Name, input.Description)
	}
	var schema map[string]any
	must(t, json.Unmarshal(input.Schema, &schema))
	want := map[string]any{
		"type":       "object",
		"properties": map[string]any{"question": map[string]any{"type": "string", "description": "Question to present to user"}},
		"required":   []any{"question"},
	}
	if diff := cmp.Diff(want, schema); diff != "" {
		t.Error(diff)
	}
	if q, err := input.Ask([]byte(`{"question": " Which one? "}`)); err != nil || q.Text != "Which one?" || q.OnExpiry != rein.ExpiryStop {
		t.Errorf("%+v %v", q, err)
	}
	for _, args := range []string{`{"question": " "}`, `{}`, `{"question": 1}`} {
		if _, err := input.Ask([]byte(args)); rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%s: %v", args, err)
		}
	}
}
