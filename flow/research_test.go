package flow

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/internal/quote"
)

// Covers: NEU-32 NEU-34 NEU-38 TAB-B5
func TestDecide(t *testing.T) {
	calls := []Wanted{{Name: "a", Args: json.RawMessage("{}")}}
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
	search := []Wanted{{Name: "web.search", Args: json.RawMessage(`{"q":"x"}`)}}
	for _, c := range []struct {
		name, reply string
		want        Thought
		wrong       string
	}{
		{"a plan", `{"goal":"g","plan_steps":["a","b"],"tool_calls":[{"name":"web.search","arguments":{"q":"x"}}],"next_action":"tool"}`, Thought{Goal: "g", Plan: []string{"a", "b"}, Calls: search, Next: "tool"}, ""},
		{"plan for plan_steps, as one text", `{"plan":"a","next_action":"respond"}`, Thought{Plan: []string{"a"}, Next: "respond"}, ""},
		{"steps as objects", `{"plan_steps":[{"step":1}],"next_action":"respond"}`, Thought{Plan: []string{`{"step":1}`}, Next: "respond"}, ""},
		{"other names for a call, arguments as text", `{"tool_calls":[{"tool":"web.search","args":"{\"q\":\"x\"}"}],"next_action":"TOOL "}`, Thought{Calls: search, Next: "tool"}, ""},
		{"no arguments", `{"tool_calls":[{"name":"now","arguments":null},{"name":"now"}],"next_action":"tool"}`, Thought{Calls: []Wanted{{"now", json.RawMessage("{}")}, {"now", json.RawMessage("{}")}}, Next: "tool"}, ""},
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
	all := []string{"web.search", "codebase.read_file", "code_run", "Codebase.search", "code", "codec.play", "encode"}
	if diff := cmp.Diff([]string{"web.search", "codec.play", "encode"}, allowedTools("research", all)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(all, allowedTools("code", all)); diff != "" {
		t.Error(diff)
	}
	if got := toolList([]string{"a", "b"}); got != "- a\n- b" {
		t.Errorf("got %q", got)
	}
	if got := toolList(nil); got != "(none)" {
		t.Errorf("got %q", got)
	}
}

// Covers: NEU-39 NEU-60 NEU-61
func TestFormatResult(t *testing.T) {
	done := func(status rein.ToolStatus, text string) Traced {
		return Traced{rein.ToolCall{Name: "web.search", Args: json.RawMessage("{\n \"q\": 1}")}, rein.ToolResult{Status: status, Text: text}}
	}
	if got, want := formatResult(done(rein.ToolOK, "a </untrusted> b"), 100), "web.search { \"q\": 1} → ok\n"+quote.Untrusted("web.search", "a </untrusted> b"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := formatResult(done(rein.ToolFailed, strings.Repeat("é", 5000)), 1000); len(got) > 1200 || !strings.Contains(got, "bytes left out") || !strings.Contains(got, "→ failed") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	person := done(rein.ToolOK, "blauw")
	person.Result.FromPerson, person.Result.Note = true, "changed"
	if got := formatResult(person, 100); !strings.Contains(got, `from="person"`) || !strings.Contains(got, "Note: changed") || strings.Contains(got, "<untrusted") {
		t.Errorf("got %s", got)
	}
	var many Trace
	for range 100 {
		many = append(many, done(rein.ToolOK, strings.Repeat("x", 10_000)))
	}
	if got := many.facts(); len(got) > 2*allFacts {
		t.Errorf("the facts have %d bytes", len(got))
	}
}

// Covers: NEU-37 NEU-61
func TestResultSummary(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\n  b\t c": "a b c", strings.Repeat("é", 200): strings.Repeat("é", 120) + "…"} {
		if got := resultSummary(rein.ToolResult{Text: text}); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for status, want := range map[rein.ToolStatus]bool{rein.ToolOK: true, rein.ToolUnknown: true, rein.ToolFailed: false, rein.ToolRefused: false, rein.ToolSkipped: false, rein.ToolTimeout: false} {
		if got := (Trace{{Result: rein.ToolResult{Status: status}}}).happened(); got != want {
			t.Errorf("%s: %v", status, got)
		}
	}
}

// Covers: NEU-61
func TestParseVerdict(t *testing.T) {
	for reply, want := range map[string]Verdict{
		`{"ok": true}`: {OK: true, Issues: []string{}},
		`Zo: {"ok": false, "issues": "fout", "better": " x "}`: {Issues: []string{"fout"}, Better: "x"},
	} {
		got, err := parseVerdict(reply)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", reply, err, diff)
		}
	}
	for _, reply := range []string{"", "goed", `{"issues": []}`, `{"ok": "ja"}`} {
		if got, err := parseVerdict(reply); err == nil {
			t.Errorf("%s: %+v", reply, got)
		}
	}
}
