package offline_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
)

func validFor(t testing.TB, schema json.RawMessage, text string) bool {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatalf("schema %s: %v", schema, err)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("not JSON: %v", err)
		return false
	}
	if err := resolved.Validate(v); err != nil {
		t.Errorf("not valid: %v", err)
		return false
	}
	return true
}

// schemas are like those of the flows, which know no references, alternatives or patterns.
var schemas = []string{
	`{"type":"object","properties":{"ambiguous":{"type":"boolean"},"question":{"type":"string"}},"required":["ambiguous"]}`,
	`{"type":"object","properties":{"questions":{"type":"array","items":{"type":"string"}}},"required":["questions"]}`,
	`{"type":"object","properties":{"points":{"type":"array","items":{"type":"string"}}},"required":["points"],"additionalProperties":false}`,
	`{"type":"object","properties":{"memories":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}},"required":["memories"],"additionalProperties":false}`,
	`{"type":"object","properties":{"finish":{"type":"boolean"},"final_answer":{"type":"string"}},"required":["finish"]}`,
	`{"type":"object","properties":{"answer":{"type":"string"},"confidence":{"enum":["high","low"]},"score":{"type":"number","minimum":0.5},"n":{"type":"integer","maximum":-1},"at":{"type":["string","null"]},"deep":{"type":"object","properties":{"plan_steps":{"type":"array","items":{"type":"string"}}},"required":["plan_steps"]}},"required":["answer","confidence","score","n","at","deep"]}`,
	`{"type":"object","properties":{"finish":{"const":false},"message":{"type":"integer"},"next_action":{"enum":["ask_user","respond"]}},"required":["finish","message","next_action"]}`,
	`{}`,
}

// TestSchemas wants a valid reply to every schema, in every state that a conversation can be in.
func TestSchemas(t *testing.T) {
	for name, messages := range states(t) {
		for _, tools := range [][]string{nil, {"read_file", "find_similar", "get_current_time"}} {
			for _, schema := range schemas {
				r := rein.ModelRequest{Prompt: rein.Prompt{Messages: messages, Schema: json.RawMessage(schema)}, Offered: offered(t, tools...)}
				msg := generate(t, r)
				if len(msg.Calls) > 0 || !validFor(t, r.Schema, msg.Text) {
					t.Errorf("%s, tools %v, schema %s\nreply %s", name, tools, schema, render(msg))
				}
			}
		}
	}
}

// states are conversations at different points.
func states(t *testing.T) map[string][]rein.Message {
	call := func(name, args string, status rein.ToolStatus, text string) []rein.Message {
		c := rein.ToolCall{ID: "c1", Name: name, Args: json.RawMessage(args)}
		return []rein.Message{user("What does a.md say about pumps?"), {Role: rein.Assistant, Calls: []rein.ToolCall{c}}, c.Answer(rein.ToolResult{Status: status, Text: text})}
	}
	return map[string][]rein.Message{
		"empty":   nil,
		"start":   {user("What does a.md say about pumps?")},
		"missing": {user("Read the file")},
		"found":   call("read_file", `{"path":"a.md"}`, rein.ToolOK, quoted("read_file", "Two pumps \"{\\ in the cellar.")),
		"nothing": call("read_file", `{"path":"a.md"}`, rein.ToolOK, quoted("read_file", "Nothing.")),
		"failed":  call("read_file", `{"path":"a.md"}`, rein.ToolFailed, "no such file"),
	}
}

// TestFactsFollowTheState wants the values to say what is the case.
func TestFactsFollowTheState(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"finish":{"type":"boolean"},"should_continue":{"type":"boolean"},"final_answer":{"type":"string"},"type":{"type":"string"},"next_action":{"enum":["respond","tool","ask_user"]}},"required":["finish","should_continue","final_answer","type","next_action"]}`)
	for state, want := range map[string]struct {
		finish, goOn, answered bool
		kind, next             string
	}{
		"empty":   {kind: "final", next: "respond"},
		"start":   {goOn: true, kind: "tool_call", next: "tool"},
		"missing": {kind: "need_info", next: "ask_user"},
		"found":   {finish: true, answered: true, kind: "final", next: "respond"},
		"nothing": {finish: true, answered: true, kind: "final", next: "respond"},
		"failed":  {finish: true, answered: true, kind: "final", next: "respond"},
	} {
		r := rein.ModelRequest{Prompt: rein.Prompt{Messages: states(t)[state], Schema: schema}, Offered: offered(t, "read_file")}
		var got struct {
			Finish bool   `json:"finish"`
			GoOn   bool   `json:"should_continue"`
			Answer string `json:"final_answer"`
			Type   string `json:"type"`
			Next   string `json:"next_action"`
		}
		text := generate(t, r).Text
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if got.Finish != want.finish || got.GoOn != want.goOn || (got.Answer != "") != want.answered || got.Type != want.kind || got.Next != want.next {
			t.Errorf("%s: %s\nwant %+v", state, text, want)
		}
	}
}
