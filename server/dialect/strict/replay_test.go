package strict_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/server/dialect/strict"
	"rein/store"
)

// A repeater wants a command run in each turn, under the same call ID every time, and then is done.
type repeater struct {
	commands []string
	mu       sync.Mutex
	turns    int
}

func (*repeater) Info() rein.ModelInfo { return rein.ModelInfo{Name: "repeater", MaxOutput: 1000} }

func (m *repeater) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns++
	message := rein.Message{Role: rein.Assistant, Text: "Done."}
	if m.turns <= len(m.commands) {
		args, _ := json.Marshal(map[string]string{"command": m.commands[m.turns-1]})
		message = rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: "call_1", Name: "execute_command", Args: args}}}
	}
	return rein.ModelReply{Message: message, Usage: &rein.Usage{}}, nil
}

// commanding is a stage whose model wants these commands run, and what was run.
func commanding(t *testing.T, commands ...string) (stage, func() []string) {
	t.Helper()
	s := scene(t, "operate/b1_denied_and_done")
	s.model = &repeater{commands: commands}
	var mu sync.Mutex
	var ran []string
	tool := s.tools["execute_command"]
	tool.Do = func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, string(inv.Args))
		return rein.Done{Text: "ok"}, nil
	}
	s.tools["execute_command"] = tool
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, ran...)
	}
}

const commandChat = `{"type": "chat", "content": "x", "selected_tools": ["execute_command"], "conversation_id": "s1"}`

func approve(id string) string {
	return fmt.Sprintf(`{"type": "tool_approval_response", "tool_call_id": %q, "approved": true}`, id)
}

// waiting returns what is open, once there are n.
func (r *rig) waiting(n int) []rein.Ask {
	r.Helper()
	r.untilCount(rein.AskOpened, n)
	asks, err := r.Store.Asks(context.Background(), store.AskFilter{Pending: true})
	check(r, err)
	return asks
}

// gather reads until there is a message of each of the types, in whatever order: what a run does and what
// is answered to a frame are not ordered.
func (c *client) gather(kinds ...string) map[string][]strict.Message {
	c.Helper()
	got := map[string][]strict.Message{}
	for len(kinds) > 0 {
		m := c.next()
		got[m.Type] = append(got[m.Type], m)
		if i := slices.Index(kinds, m.Type); i >= 0 {
			kinds = slices.Delete(kinds, i, i+1)
		}
	}
	return got
}

// The same yes twice approves nothing but the call that was shown with it, also if the model gives the
// next call the ID of the one before. The next one stays open and takes its own yes.
//
// Attack: 49
func TestYesTwice(t *testing.T) {
	s, ran := commanding(t, "ls", "rm -rf /")
	r := newRig(t, s)
	c := r.dial()
	c.send(commandChat)
	first := c.until("tool_approval_request")
	c.send(approve(first.CallID))
	r.waiting(2) // the next call waits, and this client has not read of it
	c.send(approve(first.CallID))
	c.send(approve("call_1"))
	got := c.gather("tool_approval_request", "warning", "error")
	second := got["tool_approval_request"][0]
	for kind, want := range map[string]string{"warning": "already answered", "error": "not from a request"} {
		if m := got[kind][0]; !strings.Contains(m.Message, want) {
			t.Errorf("an answer to something else is told %+v, want %q", m, want)
		}
	}
	if asks := r.waiting(2); len(asks) != 1 || len(ran()) != 1 {
		t.Fatalf("%d asks are open, and these ran: %s", len(asks), ran())
	}
	if second.CallID == first.CallID || strings.Contains(first.CallID, "call_1") || strings.Contains(first.CallID, "r1") {
		t.Errorf("the IDs are %q and %q", first.CallID, second.CallID)
	}
	c.send(approve(second.CallID))
	c.until("response_complete")
	if diff := cmp.Diff([]string{`{"command":"ls"}`, `{"command":"rm -rf /"}`}, ran()); diff != "" {
		t.Error(diff)
	}
}

// Who connects again is shown what is open under a new ID, with or without a cursor. The ID of another
// socket is good for nothing, not even for the same person.
//
// Attack: 49
func TestOldIDs(t *testing.T) {
	s, ran := commanding(t, "ls")
	r := newRig(t, s)
	c := r.dial()
	c.send(commandChat)
	old := c.until("tool_approval_request")
	beside := r.dial("conversation_id", "s1")
	other := beside.until("tool_approval_request")
	c.conn.CloseNow()
	back := r.dial("conversation_id", "s1", "after", old.Cursor)
	again := back.until("tool_approval_request")
	if again.Cursor != "" || told([]strict.Message{again}) != strings.Replace(told([]strict.Message{old}), `,"cursor":"`+old.Cursor+`"`, "", 1) {
		t.Errorf("it is shown again as %+v", again)
	}
	for _, id := range []string{old.CallID, other.CallID, "", "call_1", string(r.waiting(1)[0].ID)} {
		back.send(approve(id))
		if m := back.until("error"); m.ErrorType != "validation" {
			t.Errorf("ID %q is answered with %+v", id, m)
		}
	}
	if len(r.waiting(1)) != 1 || len(ran()) != 0 {
		t.Fatalf("these ran: %s", ran())
	}
	back.send(approve(again.CallID))
	back.until("response_complete")
	beside.send(approve(other.CallID))
	if m := beside.until("warning"); !strings.Contains(m.Message, "already answered") {
		t.Errorf("the answer of another socket is told %+v", m)
	}
	if len(ran()) != 1 {
		t.Errorf("these ran: %s", ran())
	}
}

// The same input twice answers one question: the next takes its own.
//
// Attack: 49
func TestInputTwice(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	next := make(chan struct{}) // holds the second question back: an input that comes after it would be its answer
	s.flow = func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
		file, err := run.AskUser(rein.Question{Text: "Which file?"})
		if err != nil {
			return rein.Outcome{}, err
		}
		<-next
		line, err := run.AskUser(rein.Question{Text: "And which line?"})
		return rein.Outcome{End: rein.EndDone, Text: file.Text + " " + line.Text}, err
	}
	r := newRig(t, s)
	elsewhere := r.watch("s2") // it is shown nothing of this
	c := r.dial()
	c.send(`{"type": "chat", "content": "x", "conversation_id": "s1"}`)
	c.until("agent_request_input")
	elsewhere.send(`{"type": "agent_user_input", "content": "me"}`)
	if m := elsewhere.next(); m.Type != "warning" || !strings.Contains(m.Message, "no question is open") {
		t.Errorf("input of a socket that was asked nothing: %+v", m)
	}
	c.send(`{"type": "agent_user_input", "content": "b.txt"}`)
	c.send(`{"type": "agent_user_input", "content": "b.txt"}`)
	if m := c.until("warning"); !strings.Contains(m.Message, "already answered") {
		t.Errorf("the second input is told %+v", m)
	}
	close(next)
	r.untilCount(rein.AskOpened, 2)
	asks := r.waiting(2)
	if len(asks) != 1 || asks[0].Text != "And which line?" {
		t.Errorf("open is %+v", asks)
	}
}

// Of two questions that are open at once, input answers the one that was shown last; then the other is
// shown again, and input answers that.
func TestTwoQuestions(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	s.flow = func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
		answers := make([]rein.Answer, 2)
		ask := func(i int, text string) func(rein.Run) error {
			return func(run rein.Run) (err error) {
				answers[i], err = run.AskUser(rein.Question{Text: text})
				return err
			}
		}
		err := run.Parallel(ask(0, "Tea?"), ask(1, "Cake?"))
		return rein.Outcome{End: rein.EndDone, Text: answers[0].Text + " and " + answers[1].Text}, err
	}
	r := newRig(t, s)
	c := r.dial()
	c.send(`{"type": "chat", "content": "x", "conversation_id": "s1"}`)
	shown := []string{c.until("agent_request_input").Question, c.until("agent_request_input").Question}
	words := map[string]string{"Tea?": "green", "Cake?": "apple"}
	say := func(question string) {
		t.Helper()
		c.send(fmt.Sprintf(`{"type": "agent_user_input", "content": %q}`, words[question]))
	}
	say(shown[1])
	if m := c.until("agent_request_input"); m.Question != shown[0] || m.Cursor != "" {
		t.Errorf("after %s is answered, it is shown %+v", shown[1], m)
	}
	say(shown[0])
	if m := c.until("chat_response"); m.Message != "green and apple" {
		t.Errorf("it came to %q", m.Message)
	}
}

// An edit counts to the last digit, and who sends it is never taken from the message.
//
// Attack: 57
func TestEditsAreExact(t *testing.T) {
	for _, c := range []struct{ shown, sent, given string }{
		{`{"n":9007199254740993}`, `{"n":9007199254740992}`, `{"n":9007199254740992}`},
		{`{"n":9007199254740993}`, `{ "n" : 9007199254740993 }`, `{"n":9007199254740993}`},
		{`{"n":1}`, `{"n":1.0000000000000000001}`, `{"n":1.0000000000000000001}`},
		{`{"n":0.1}`, `{"n":0.10000000000000000001}`, `{"n":0.10000000000000000001}`},
	} {
		t.Run(c.sent, func(t *testing.T) { editsTo(t, c.shown, c.sent, c.given) })
	}
}

// editsTo plays a call that is shown, the arguments that a yes comes with, and what the tool is given.
func editsTo(t *testing.T, shown, sent, want string) {
	s := scene(t, "operate/b1_denied_and_done")
	s.model = parseScript(t, "turn 1\ncall pay "+shown+"\n\nturn 2\nsay Paid.")
	given := make(chan string, 2)
	s.tools = map[string]rein.Tool{"pay": {
		Name: "pay", Description: "Pays.", Effect: rein.Unsafe, Approval: true,
		Schema: json.RawMessage(`{"type": "object", "properties": {"n": {"type": "number"}}}`),
		Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			given <- string(inv.Args)
			return rein.Done{Text: "ok"}, nil
		},
	}}
	client := newRig(t, s).dial()
	client.send(strings.Replace(commandChat, "execute_command", "pay", 1))
	id := client.until("tool_approval_request").CallID
	yes := fmt.Sprintf(`{"type": "tool_approval_response", "tool_call_id": %q, "approved": true, "arguments": %s`, id, sent)
	for _, by := range []string{`"by": "bob"`, `"By": "owner"`, `"by": null`} {
		client.send(yes + "," + by + "}")
		if m := client.until("error"); !strings.Contains(m.Message, `"by"`) {
			t.Errorf("%s is told %+v", by, m)
		}
	}
	for _, twice := range []string{`"approved": false`, `"APPROVED": false`} {
		client.send(yes + "," + twice + "}")
		if m := client.until("error"); !strings.Contains(m.Message, "appears twice") {
			t.Errorf("%s gets %+v", twice, m)
		}
	}
	client.send(yes + "}")
	if got := <-given; got != want {
		t.Errorf("%s answered with %s runs %s", shown, sent, got)
	}
	client.until("response_complete")
}
