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

// schemas are the shapes that the flows of the specification ask for, and awkward ones.
var schemas = []string{
	`{"type":"object","properties":{"finish":{"type":"boolean"},"final_answer":{"type":"string"}},"required":["finish"]}`,
	`{"type":"object","properties":{"plan":{"type":"string"},"tools_to_consider":{"type":"array","items":{"type":"string"}},"finish":{"type":"boolean"}},"required":["plan","tools_to_consider","finish"],"additionalProperties":false}`,
	`{"type":"object","properties":{"observation":{"type":"string"},"should_continue":{"type":"boolean"},"final_answer":{"type":"string"}},"required":["observation","should_continue","final_answer"]}`,
	`{"type":"object","properties":{"goal":{"type":"string"},"plan_steps":{"type":"array","items":{"type":"string"}},"tool_calls":{"type":"array","items":{"$ref":"#/$defs/call"}},"next_action":{"enum":["tool","respond","ask_user","revise_plan"]},"response_outline":{"type":"string"},"question_to_user":{"type":"string"}},"required":["goal","plan_steps","tool_calls","next_action"],"$defs":{"call":{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"}},"required":["name","arguments"],"additionalProperties":false}}}`,
	`{"oneOf":[{"type":"object","properties":{"type":{"const":"tool_call"},"tool":{"type":"string","minLength":1},"args":{"type":"object"}},"required":["type","tool","args"]},{"type":"object","properties":{"type":{"const":"need_info"},"questions":{"type":"array","items":{"type":"string"}}},"required":["type","questions"]},{"type":"object","properties":{"type":{"const":"final"},"message":{"type":"string"}},"required":["type","message"]}]}`,
	`{"type":"object","properties":{"ambiguous":{"type":"boolean"},"questions":{"type":"array","items":{"type":"string"},"maxItems":3},"sub_questions":{"type":"array","items":{"type":"string"},"maxItems":4}},"required":["ambiguous","questions","sub_questions"]}`,
	`{"type":"object","properties":{"reflection":{"type":"string"},"next_action":{"type":"string"},"tool_calls":{"type":"array"}},"required":["reflection","next_action","tool_calls"]}`,
	`{"type":"object","properties":{"memories":{"type":"array","items":{"type":"object","properties":{"text":{"type":"string"},"scope":{"enum":["user","household"]}},"required":["text","scope"]},"minItems":1}},"required":["memories"]}`,
	`{"type":"object","properties":{"answer":{"type":"string","maxLength":20},"confidence":{"type":"number","minimum":0,"maximum":1},"n":{"type":"integer","exclusiveMinimum":3},"m":{"type":"integer","multipleOf":5,"minimum":7}},"required":["answer","confidence","n","m"]}`,
	`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","properties":{"text":{"type":"string"},"child":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["text","child"]}}}`,
	`{"type":"object","properties":{"date":{"type":"string","pattern":"^\\d{4}-\\d{2}-\\d{2}$"},"code":{"type":"string","minLength":3},"tags":{"type":"array","items":{"enum":["a","b","c"]},"minItems":2,"uniqueItems":true}},"required":["date","code","tags"]}`,
	`{"allOf":[{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]},{"properties":{"n":{"type":"integer","minimum":2}},"required":["n"]}]}`,
	`{"type":"object","properties":{"finish":{"const":false},"done":{"type":"string"},"message":{"type":"integer"}},"required":["finish","done","message"]}`,
	`{"type":["string","null"]}`,
	`{"type":"array","items":{"type":"string"},"minItems":2}`,
	`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2}`,
	`{"enum":["yes","no"]}`,
	`{"type":"object","required":["x"]}`,
	`{"type":"object","properties":{"args":{"type":"object","required":["p"],"properties":{"p":{"type":"string"}}},"finished":{"type":["boolean","null"]}},"required":["args","finished"]}`,
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

// TestFieldsFollowTheState wants the booleans to say what is the case.
func TestFieldsFollowTheState(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"finish":{"type":"boolean"},"should_continue":{"type":"boolean"},"final_answer":{"type":"string"},"next_action":{"enum":["respond","tool","ask_user"]}},"required":["finish","should_continue","final_answer","next_action"]}`)
	for state, want := range map[string]struct {
		finish, goOn, answered bool
		next                   string
	}{
		"empty":   {finish: true, answered: true, next: "respond"},
		"start":   {goOn: true, next: "tool"},
		"missing": {next: "ask_user"},
		"found":   {finish: true, answered: true, next: "respond"},
		"nothing": {finish: true, answered: true, next: "respond"},
		"failed":  {finish: true, answered: true, next: "respond"},
	} {
		r := rein.ModelRequest{Prompt: rein.Prompt{Messages: states(t)[state], Schema: schema}, Offered: offered(t, "read_file")}
		var got struct {
			Finish bool   `json:"finish"`
			GoOn   bool   `json:"should_continue"`
			Answer string `json:"final_answer"`
			Next   string `json:"next_action"`
		}
		text := generate(t, r).Text
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if got.Finish != want.finish || got.GoOn != want.goOn || (got.Answer != "") != want.answered || got.Next != want.next {
			t.Errorf("%s: %s\nwant %+v", state, text, want)
		}
	}
}
