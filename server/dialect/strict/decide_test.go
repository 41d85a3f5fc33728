package strict_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// A tool is given what a person agreed to: the arguments as they were shown, however the client repeats
// them, or as they were changed, if they fit the tool's schema. What does not fit is refused, and the
// request stays open.
func TestDecisions(t *testing.T) {
	s := scene(t, "operate/b1_denied_and_done")
	s.model = parseScript(t, `turn 1
call execute_command {"command": "one"}
call execute_command {"command": "two"}
call execute_command {"command": "three"}
call execute_command {"command": "four"}

turn 2
say Done.`)
	var given []string
	tool := s.tools["execute_command"]
	tool.Do = func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
		given = append(given, string(inv.Args))
		return rein.Done{Text: "ok"}, nil
	}
	s.tools["execute_command"] = tool
	c := newRig(t, s).dial()
	decide := func(call, rest string) {
		t.Helper()
		c.send(`{"type": "tool_approval_response", "tool_call_id": "` + call + `", ` + rest + `}`)
	}
	next := func() string {
		t.Helper()
		return c.until("tool_approval_request").CallID
	}
	c.send(`{"type": "chat", "content": "x", "selected_tools": ["execute_command"]}`)
	id := next()
	decide("c1-1", `"approved": true`) // the model's ID is no answer's
	if m := c.next(); m.Type != "error" {
		t.Errorf("a decision by the model's ID: %+v", m)
	}
	decide(id, `"approved": true, "arguments": null`)
	decide(next(), `"approved": true, "arguments": { "command" : "two" }`)
	id = next()
	decide(id, `"approved": true, "arguments": {"comand": "3"}`)
	if m := c.next(); m.Type != "error" || m.ErrorType != "validation" || !strings.Contains(m.Message, `"command" is missing`) {
		t.Errorf("arguments that do not fit: %+v", m)
	}
	decide(id, `"approved": true, "arguments": {"command": "3"}`)
	decide(next(), `"approved": false, "reason": "enough", "arguments": {"command": "4"}`)
	if m := c.until("tool_error"); m.CallID != "c1-4" || !strings.Contains(m.Error, "enough") {
		t.Errorf("a call that was refused: %+v", m)
	}
	c.until("response_complete")
	if diff := cmp.Diff([]string{`{"command":"one"}`, `{"command":"two"}`, `{"command":"3"}`}, given); diff != "" {
		t.Error(diff)
	}
}
