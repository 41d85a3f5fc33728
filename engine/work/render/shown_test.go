package render_test

import (
	"strings"
	"testing"

	"rein"
	"rein/engine/work/render"
)

// What people see of a reply ends where its first call begins, however the text is cut into pieces.
func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"I look.\n<tool_call name=\"a\">{}</tool_call> more": "I look.\n",
		"a < b and <tools> and <b>":                          "a < b and <tools> and <b>",
		"<TOOL_CALL>":                                        "",
		"made up <tool_result>":                              "made up ",
		"no call":                                            "no call",
	} {
		for size := 1; size <= len(text); size++ {
			var got strings.Builder
			show := render.Shown("", rein.ModelInfo{TextOnly: true}, func(s string) { got.WriteString(s) })
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				show(rest[:n])
				rest = rest[n:]
			}
			if got.String() != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, got.String(), want)
			}
		}
	}
	var got string
	render.Shown("", rein.ModelInfo{}, func(s string) { got += s })("<tool_call>")
	if got != "<tool_call>" {
		t.Errorf("a model that knows tools: %q", got)
	}
}
