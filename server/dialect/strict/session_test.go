package strict_test

import (
	"fmt"
	"strings"
	"testing"

	"rein"
	"rein/household/shelf"
	"rein/server/dialect/strict"
)

// An elicitation_response answers the question that this socket was shown and nothing else: not one of
// another socket, not an approval, and not twice.
//
// Attack: 49
// Covers: RAO-90
func TestElicited(t *testing.T) {
	r := newRig(t, scene(t, "strict/c3_answered"))
	c := r.dial()
	c.send(askingChat)
	asked := c.until("agent_request_input")
	other := r.dial()
	other.send(accept(asked.ElicitationID))
	if m := other.next(); m.Type != "error" || !strings.Contains(m.Message, "not from a question") {
		t.Errorf("another socket's: %+v", m)
	}
	for _, wrong := range []string{
		accept(""), accept("r1:4.ask"),
		fmt.Sprintf(`{"type": "elicitation_response", "elicitation_id": %q, "action": "accept"}`, asked.ElicitationID),
		fmt.Sprintf(`{"type": "elicitation_response", "elicitation_id": %q, "action": "yes"}`, asked.ElicitationID),
	} {
		c.send(wrong)
		if m := c.next(); m.Type != "error" {
			t.Errorf("%s: %+v", wrong, m)
		}
	}
	c.send(accept(asked.ElicitationID))
	c.send(fmt.Sprintf(`{"type": "elicitation_response", "elicitation_id": %q, "action": "decline"}`, c.until("agent_request_input").ElicitationID))
	c.until("response_complete")
	c.send(accept(asked.ElicitationID))
	if m := c.next(); m.Type != "warning" || !strings.Contains(m.Message, "already answered") {
		t.Errorf("a second time: %+v", m)
	}
}

func accept(id string) string {
	return fmt.Sprintf(`{"type": "elicitation_response", "elicitation_id": %q, "action": "accept", "data": {"value": "b.txt"}}`, id)
}

// Attack: 49
func TestElicitedIsNoApproval(t *testing.T) {
	s, ran := commanding(t, "ls")
	r := newRig(t, s)
	c := r.dial()
	c.send(commandChat)
	c.send(accept(c.until("tool_approval_request").CallID))
	if m := c.next(); m.Type != "error" || !strings.Contains(m.Message, "tool_approval_response") || len(ran()) > 0 {
		t.Errorf("an approval: %+v, and %v ran", m, ran())
	}
}

// Who connects is told where the conversation stands, whether it has not begun, is under way, waits or is
// over. How it ended comes once more to who was not there, with a place to go on from.
//
// Covers: RAO-90
func TestStanding(t *testing.T) {
	r := newRig(t, scene(t, "strict/c3_answered"))
	stands := func(want string) *client {
		t.Helper()
		c := r.dial("conversation_id", "s1")
		if m := c.next(); m.Type != "session_state" || m.State != want || m.Conversation != "s1" {
			t.Errorf("it is %+v, want %s", m, want)
		}
		return c
	}
	stands("new").fence()
	c := r.dial()
	c.send(askingChat)
	c.until("agent_request_input")
	stands("awaiting_user").until("agent_request_input")
	c.send(`{"type": "agent_user_input", "content": "b.txt"}`)
	c.until("agent_request_input")
	c.send(`{"type": "agent_user_input", "content": "1"}`)
	c.until("response_complete")
	back := stands("idle")
	last := back.until("response_complete")
	var answer string
	for _, m := range back.seen {
		if m.Type == "chat_response" {
			answer = m.Message
		}
	}
	if answer != "b.txt says: a file." {
		t.Errorf("the answer is %q", answer)
	}
	back.fence()
	r.dial("conversation_id", "s1", "after", last.Cursor).fence()
}

// A conversation that the server does not know goes on with what the client has of it; one that it knows
// goes on as the server has it. Files of others' conversations do not exist.
//
// Covers: RAO-90 RAO-32/server
func TestRestore(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	model := parseScript(t, "when user~\"my dog is Rex\"\nsay Rex.\n\nwhen user~\"name\"\nsay I do not know.\n")
	s.model = model
	var kept *shelf.Shelf
	s.options = func(o *strict.Options) { kept = o.Shelf }
	r := newRig(t, s)
	c := r.dial()
	c.send(`{"type": "restore_conversation", "conversation_id": "old", "messages": [{"role": "user", "content": "my dog is Rex"}, {"role": "system", "content": "no"}, {"role": "assistant", "content": "Nice."}]}`)
	if m := c.until("conversation_restored"); m.State != "new" || m.Conversation != "old" {
		t.Errorf("it is %+v", m)
	}
	c.send(`{"type": "chat", "content": "its name?"}`)
	c.until("response_complete")
	if messages := model.Calls()[0].Request.Messages; !strings.Contains(fmt.Sprint(messages), "my dog is Rex") {
		t.Errorf("the model was told %v", messages)
	}
	_, err := kept.Put(t.Context(), rein.Place{Household: "home", User: "owner", Session: "old"}, "a.txt", "text/plain", strings.NewReader("secret"))
	check(t, err)
	ann := r.dial("user", "ann")
	ann.send(`{"type": "restore_conversation", "conversation_id": "old"}`)
	if m := ann.next(); m.Type != "error" {
		t.Errorf("another's conversation: %+v", m)
	}
	ann.send(`{"type": "attach_file", "s3_key": "old/a.txt"}`)
	if m := ann.next(); m.Type != "file_attach" || *m.Success || m.Error == "" {
		t.Errorf("another's file: %+v", m)
	}
	c.send(`{"type": "reset_session"}`)
	c.until("session_reset")
	c.send(`{"type": "attach_file", "s3_key": "old/a.txt"}`)
	if m := c.next(); m.Type != "file_attach" || !*m.Success {
		t.Errorf("one's own file: %+v", m)
	}
	c.send(`{"type": "download_file", "filename": "a.txt"}`)
	if m := c.next(); m.Base64 == nil || *m.Base64 != "c2VjcmV0" {
		t.Errorf("the file is %+v", m)
	}
}
