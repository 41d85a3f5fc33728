package render_test

import (
	"encoding/json"
	"strings"
	"testing"

	"rein"
	"rein/engine/work/render"
)

// Names with dots stay as they are in every rendering: in the catalogue, in calls and in results.
func TestDottedNames(t *testing.T) {
	names := []string{"a.b", "a_b"}
	offered := []rein.Tool{{Name: names[0], Description: "One."}, {Name: names[1], Description: "Two."}}
	messages := []rein.Message{
		{Role: rein.User, Text: "Go."},
		{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: "c1", Name: names[0], Args: json.RawMessage(`{}`)}, {ID: "c2", Name: names[1], Args: json.RawMessage(`{}`)}}},
		{Role: rein.ToolRole, CallID: "c1", Text: "one"},
		{Role: rein.ToolRole, CallID: "c2", Text: "two"},
	}
	for way, want := range map[rein.Rendering][]string{
		rein.RenderText:   {"## a.b\n", "## a_b\n", `<tool_call name="a.b" id="c1">`, `<tool_call name="a_b" id="c2">`, `<tool_result name="a.b" id="c1" status="ok">`, `<tool_result name="a_b" id="c2" status="ok">`},
		rein.RenderJSON:   {`"a.b"`, `"a_b"`},
		rein.RenderLog:    {"a.b {}", "a_b {}"},
		rein.RenderNative: {`source="a.b"`, `source="a_b"`},
	} {
		out, _ := render.For(way, rein.ModelInfo{}, messages, offered)
		var text strings.Builder
		for _, m := range out {
			text.WriteString(m.Text + "\n")
		}
		for _, part := range want {
			if !strings.Contains(text.String(), part) {
				t.Errorf("%s lacks %q:\n%s", way, part, text.String())
			}
		}
	}
}
