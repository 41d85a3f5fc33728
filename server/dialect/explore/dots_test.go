package explore_test

import (
	"context"
	"net/url"
	"slices"
	"testing"

	"rein"
	"rein/server/dialect/explore"
)

// Tools with dots in their names keep them, beside those that look like them.
func TestDottedTools(t *testing.T) {
	tools := map[string]rein.Tool{}
	for _, name := range []string{"a.b", "a_b"} {
		tools[name] = rein.Tool{Name: name, Description: "Looks.", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: "did " + name}, nil
		}}
	}
	r := scripted(t, "when any~\"did a.b\" any~\"did a_b\"\nsay Over.\n\nwhen offered=a.b\ncall a.b {}\ncall a_b {}\n\nwhen\nsay Over.\n", tools, quiet)
	s := r.open(url.Values{"prompt": {"Go."}}, "")
	var called []string
	for f := range s.frames {
		if f.chunk.Type == explore.ToolCall {
			called = append(called, f.chunk.ToolName)
		}
	}
	slices.Sort(called)
	if !slices.Equal(called, []string{"a.b", "a_b"}) {
		t.Errorf("called: %q", called)
	}
}
