package realclients

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rein/internal/labs"
)

const talk = `
when phase=reason
say I must ask. {"plan": "ask", "finish": false}

when phase=act user~"Read"
call request_input {"question": "Which file?"}

when phase=act user~"Send"
call request_input {"question": "To whom?"}

when phase=observe
say It is b. {"observation": "", "should_continue": false, "final_answer": "It is b.txt."}
`

// TestChat has ws talk with the strict agent: a question is answered, another is stopped. A socket of
// Go's that begins after the first message is sent the same.
//
// Covers: RAO-50 RAO-53 RAO-71 RAO-72 RAO-74 RAO-75
func TestChat(t *testing.T) {
	labs.Only(t)
	r := newRig(t, talk)
	address := "ws://" + r.proxy.Listen + "/ws"
	p := script(t, "chat.mjs", address, r.token,
		`> {"type": "chat", "agent_mode": true, "content": "Read it.", "selected_tools": []}`,
		"< agent_request_input",
		`> {"type": "agent_user_input", "content": "b.txt"}`,
		"< response_complete",
		`> {"type": "chat", "agent_mode": true, "content": "Send it.", "selected_tools": []}`,
		"< agent_request_input",
		`> {"type": "agent_control", "action": "stop"}`,
		"< response_complete",
	)
	var got []map[string]any
	for text, ok := p.next(); ok; text, ok = p.next() {
		var m map[string]any
		check(t, json.Unmarshal(text, &m))
		got = append(got, m)
	}
	const want = "agent_start agent_turn_start agent_reason agent_request_input agent_observe chat_response agent_completion response_complete " +
		"agent_start agent_turn_start agent_reason agent_request_input agent_stopped response_complete"
	if said := kinds(got); said != want {
		t.Fatalf("ws was sent %s\nwant %s", said, want)
	}
	own := cmpopts.IgnoreMapEntries(func(key string, _ any) bool { return key == "elicitation_id" }) // each connection has its own
	if diff := cmp.Diff(got[1:], r.rest(address, got[0], len(got)-1), own); diff != "" {
		t.Errorf("what comes after the first message is (-ws +Go's):\n%s", diff)
	}
}

func kinds(messages []map[string]any) string {
	var all []string
	for _, m := range messages {
		kind, ok := m["update_type"].(string)
		if !ok {
			kind = m["type"].(string)
		}
		all = append(all, kind)
	}
	return strings.Join(all, " ")
}

// rest reads so many messages after one, with a client in Go.
func (r *rig) rest(address string, after map[string]any, n int) (all []map[string]any) {
	r.Helper()
	q := url.Values{"conversation_id": {after["conversation_id"].(string)}, "after": {after["cursor"].(string)}}
	c, _, err := websocket.Dial(r.ctx, address+"?"+q.Encode(), &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + r.token}}})
	check(r, err)
	defer c.CloseNow()
	for range n {
		_, data, err := c.Read(r.ctx)
		check(r, err)
		var m map[string]any
		check(r, json.Unmarshal(data, &m))
		all = append(all, m)
	}
	return all
}
