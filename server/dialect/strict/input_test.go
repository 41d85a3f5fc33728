package strict_test

import (
	"strings"
	"testing"
)

// Input answers questions only: while an approval is open it is refused with a notice, is not kept for
// later, and decides nothing, whatever it says.
//
// Covers: RAO-45/server
// Attack: 49
func TestInputWhileAnApprovalIsOpen(t *testing.T) {
	s, ran := commanding(t, "ls", "rm -rf /")
	r := newRig(t, s)
	c := r.dial()
	c.send(commandChat)
	first := c.until("tool_approval_request")
	for _, text := range []string{"yes", "approved", first.CallID} {
		c.send(`{"type": "agent_user_input", "content": "` + text + `"}`)
		if m := c.next(); m.Type != "warning" || !strings.Contains(m.Message, "no question is open") {
			t.Errorf("input %q is told %+v", text, m)
		}
	}
	if asks := r.waiting(1); len(asks) != 1 || len(ran()) != 0 {
		t.Fatalf("%d asks are open, and these ran: %s", len(asks), ran())
	}
	c.send(approve(first.CallID))
	second := c.until("tool_approval_request")
	if len(ran()) != 1 {
		t.Errorf("after one yes these ran: %s", ran())
	}
	c.send(`{"type": "tool_approval_response", "tool_call_id": "` + second.CallID + `", "approved": false}`)
	c.until("response_complete")
}
