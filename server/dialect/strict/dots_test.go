package strict_test

import (
	"context"
	"testing"

	"rein"
	rigs "rein/internal/rig"
)

// Tools with dots in their names keep them, beside those that look like them: in what is asked for, in
// what must be approved and in what was run.
func TestDottedTools(t *testing.T) {
	s := stage{model: rigs.Script(t, "when any~\"did a.b\" any~\"did a_b\"\nsay Over.\n\nwhen offered=a.b any~\"did a.b\"\ncall a_b {}\n\nwhen offered=a.b\ncall a.b {}\n\nwhen\nsay Over.\n"), tools: map[string]rein.Tool{}}
	for _, name := range []string{"a.b", "a_b"} {
		s.tools[name] = rein.Tool{Name: name, Description: "Acts.", Effect: rein.Unsafe, Approval: true, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: "did " + name}, nil
		}}
	}
	r := newRig(t, s)
	c := r.dial()
	c.send(`{"type": "chat", "content": "x", "selected_tools": ["a.b", "a_b"], "conversation_id": "s1"}`)
	for _, want := range []string{"a.b", "a_b"} {
		m := c.until("tool_approval_request")
		if m.Tool != want {
			t.Errorf("asked about %q, want %q", m.Tool, want)
		}
		c.send(approve(m.CallID))
	}
	c.until("response_complete")
}
