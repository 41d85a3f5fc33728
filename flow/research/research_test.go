package research

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/flow/internal/turn"
)

// Covers: NEU-32 NEU-34 NEU-38 TAB-B5
func TestDecide(t *testing.T) {
	calls := []turn.Wanted{{Name: "a", Args: json.RawMessage("{}")}}
	for _, c := range []struct {
		name    string
		thought Thought
		want    Move
	}{
		{"tool with calls", Thought{Next: "tool", Calls: calls}, Move{Kind: moveTool, Calls: calls}},
		{"tool without calls", Thought{Next: "tool"}, Move{Kind: moveRespond}},
		{"respond", Thought{Next: "respond"}, Move{Kind: moveRespond}},
		{"respond with calls", Thought{Next: "respond", Calls: calls}, Move{Kind: moveRespond, Ignored: calls}},
		{"ask with a question", Thought{Next: "ask_user", Question: "Wie?"}, Move{Kind: moveAsk, Question: "Wie?"}},
		{"ask with a question and calls", Thought{Next: "ask_user", Question: "Wie?", Calls: calls}, Move{Kind: moveAsk, Question: "Wie?", Ignored: calls}},
		{"ask without a question", Thought{Next: "ask_user"}, Move{Kind: moveRespond}},
		{"revise", Thought{Next: "revise_plan", Plan: []string{"x"}}, Move{Kind: moveRevise, Text: "1. x"}},
		{"revise with calls", Thought{Next: "revise_plan", Calls: calls}, Move{Kind: moveRevise, Ignored: calls}},
		{"unknown", Thought{Next: "dance", Calls: calls}, Move{Kind: moveRespond, Ignored: calls}},
		{"nothing", Thought{}, Move{Kind: moveRespond}},
	} {
		if diff := cmp.Diff(c.want, decide(c.thought)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Covers: NEU-30 NEU-36 NEU-61
func TestParseThought(t *testing.T) {
	search := []turn.Wanted{{Name: "web.search", Args: json.RawMessage(`{"q":"x"}`)}}
	for _, c := range []struct {
		name, reply string
		want        Thought
		wrong       string
	}{
		{"a plan", `{"goal":"g","plan_steps":["a","b"],"tool_calls":[{"name":"web.search","arguments":{"q":"x"}}],"next_action":"tool"}`, Thought{Goal: "g", Plan: []string{"a", "b"}, Calls: search, Next: "tool"}, ""},
		{"plan for plan_steps, as one text", `{"plan":"a","next_action":"respond"}`, Thought{Plan: []string{"a"}, Next: "respond"}, ""},
		{"steps as objects", `{"plan_steps":[{"step":1}],"next_action":"respond"}`, Thought{Plan: []string{`{"step":1}`}, Next: "respond"}, ""},
		{"other names for a call, arguments as text", `{"tool_calls":[{"tool":"web.search","args":"{\"q\":\"x\"}"}],"next_action":"TOOL "}`, Thought{Calls: search, Next: "tool"}, ""},
		{"no arguments", `{"tool_calls":[{"name":"now","arguments":null},{"name":"now"}],"next_action":"tool"}`, Thought{Calls: []turn.Wanted{{Name: "now", Args: json.RawMessage("{}")}, {Name: "now", Args: json.RawMessage("{}")}}, Next: "tool"}, ""},
		{"in a fence, after an example", "Eerst {\"x\":1}.\n```json\n{\"reflection\":\"r\",\"next_action\":\"ask_user\",\"question_to_user\":\" Wie? \"}\n```", Thought{Reflection: "r", Next: "ask_user", Question: "Wie?"}, ""},
		{"mended", `{goal: 'g', next_action: 'respond',}`, Thought{Goal: "g", Next: "respond"}, ""},
		{"no action", `{"goal":"g"}`, Thought{}, "next_action"},
		{"no JSON", "Ik ga zoeken.", Thought{}, "next_action"},
		{"calls of the wrong kind", `{"tool_calls":"x","next_action":"tool"}`, Thought{}, "tool_calls"},
		{"cut off in a string", `{"next_action":"tool","tool_calls":[{"name":"mail.send","arguments":{"text":"Beste`, Thought{}, "cut off"},
	} {
		got, err := parseThought(c.reply)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s: %v, want %q", c.name, err, c.wrong)
		} else if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Covers: NEU-22 NEU-55 NEU-61
func TestAllowedTools(t *testing.T) {
	all := []string{"web.search", "read_file", "codebase.read_file", "code_run", "Codebase.search", "code", "codec.play", "encode"}
	for revision, want := range [][]string{
		{"web.search", "read_file", "codec.play", "encode"}, {"web.search", "read_file", "codec.play", "encode"}, {"web.search", "codec.play", "encode"},
	} {
		task := rein.Task{Revision: revision, Tools: all, CodeTools: []string{"read_file", "codebase.read_file"}}
		if diff := cmp.Diff(want, allowedTools("research", task)); diff != "" {
			t.Errorf("revision %d: %s", revision, diff)
		}
		if diff := cmp.Diff(all, allowedTools("code", task)); diff != "" {
			t.Error(diff)
		}
	}
}
