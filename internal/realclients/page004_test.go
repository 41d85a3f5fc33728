package realclients

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A page004 is the client of document 004: it sends a message, shows what happens meanwhile and the reply,
// and has a button for each action. It reads the fields that the document names, and no others.
type page004 struct {
	*rig
	lines   []string // what the person reads, from the top
	actions []action004
}

// An action004 has what it reads of an action.
type action004 struct {
	ID          string         `json:"id"`
	Description string         `json:"description"`
	Parameters  map[string]any `json:"parameters"`
}

// A chunk004 has what it reads of a line of the stream, and of a reply.
type chunk004 struct {
	Type    string      `json:"type"`
	Text    string      `json:"text"` // of a status
	Tool    string      `json:"tool"`
	Message string      `json:"message"`
	Actions []action004 `json:"actions"`
}

func (p *page004) post(path string, body map[string]any) *http.Response {
	p.Helper()
	data, err := json.Marshal(body)
	check(p, err)
	q, err := http.NewRequestWithContext(p.ctx, "POST", "http://"+p.proxy.Listen+path, bytes.NewReader(data))
	check(p, err)
	q.Header.Set("Authorization", "Bearer "+p.token)
	q.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(q)
	check(p, err)
	p.Cleanup(func() { reply.Body.Close() })
	return reply
}

// say sends a message and waits for the reply.
func (p *page004) say(message string) {
	p.Helper()
	var c chunk004
	check(p, json.NewDecoder(p.post("/chat", map[string]any{"message": message}).Body).Decode(&c))
	c.Type = "done"
	p.lines = append(p.lines, "you: "+message)
	p.show(c)
}

// stream sends a message and shows what happens meanwhile. Nothing may come after done.
func (p *page004) stream(message string) {
	p.Helper()
	p.lines = append(p.lines, "you: "+message)
	lines := bufio.NewScanner(p.post("/chat/stream", map[string]any{"message": message}).Body)
	last := ""
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var c chunk004
		check(p, json.Unmarshal([]byte(data), &c))
		if last == "done" {
			p.Errorf("after done came %s", data)
		}
		last = c.Type
		p.show(c)
	}
	if check(p, lines.Err()); last != "done" {
		p.Errorf("the stream ended with %q", last)
	}
}

func (p *page004) show(c chunk004) {
	switch c.Type {
	case "tool_start":
		p.lines = append(p.lines, "… "+c.Tool)
	case "tool_done":
		p.lines = append(p.lines, "✓ "+c.Tool)
	case "done":
		p.lines = append(p.lines, "it: "+c.Message)
		p.actions = c.Actions
		for _, a := range c.Actions {
			p.lines = append(p.lines, "["+a.Description+"]")
		}
	}
}

// press presses the button of the first action.
func (p *page004) press() {
	p.Helper()
	var result struct {
		Success bool    `json:"success"`
		Result  *string `json:"result"`
		Error   *string `json:"error"`
	}
	if len(p.actions) == 0 {
		p.Fatalf("there is no button:\n%s", strings.Join(p.lines, "\n"))
	}
	check(p, json.NewDecoder(p.post("/chat/actions/execute", map[string]any{"action_id": p.actions[0].ID}).Body).Decode(&result))
	switch {
	case result.Success && result.Result != nil:
		p.lines = append(p.lines, "done: "+*result.Result)
	case !result.Success && result.Error != nil:
		p.lines = append(p.lines, "not done: "+strings.ReplaceAll(*result.Error, p.actions[0].ID, "it"))
	default:
		p.Errorf("the result is %+v", result)
	}
}

const house004 = `
when phase=chat last~"Hi"
say Hello Ann.

when phase=chat last~"time"
say [NEED_RESEARCH]

when phase=plan
say {"goal": "time", "tool_calls": [{"name": "get_current_time", "arguments": {}}], "next_action": "tool"}

when phase=reflect
say {"next_action": "respond"}

when phase=write last!~"letter" any~"get_current_time"
say It is late.

when phase=chat last~"letter"
say [NEED_TASK]

when phase=observe
say {"type": "tool_call", "tool": "send_letter", "args": {"to": "Bob"}}

when phase=write
say The letter is on its way.
`

// TestPage004 has a person talk with the assistant of the house: small talk, a question that is looked up,
// and a letter that goes out once, when its button is pressed.
//
// Covers: NEU-1 NEU-3 NEU-4
func TestPage004(t *testing.T) {
	r := newRig(t, house004)
	close(r.model.release)
	p := &page004{rig: r}
	p.say("Hi!")
	p.stream("What time is it?")
	p.stream("Send Bob a letter.")
	if len(p.actions) == 1 && p.actions[0].Parameters["to"] != "Bob" {
		t.Errorf("the action is %+v", p.actions[0])
	}
	p.press()
	p.press()
	want := []string{
		"you: Hi!", "it: Hello Ann.",
		"you: What time is it?", "… get_current_time", "✓ get_current_time", "it: It is late.",
		"you: Send Bob a letter.", `it: Allow send_letter {"to":"Bob"}?`, `[Allow send_letter {"to":"Bob"}?]`,
		"done: the letter is sent", "not done: action it is already approved: it cannot be executed again",
	}
	if diff := cmp.Diff(want, p.lines); diff != "" {
		t.Errorf("the person sees %s", diff)
	}
}
