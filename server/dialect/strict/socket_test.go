package strict_test

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/shelf"
	"rein/internal/flowtest"
	"rein/server/dialect/strict"
)

// scene returns a stage of the flow's own files.
func scene(t *testing.T, name string, hold ...string) stage {
	s := flowtest.ReadScene(t, sceneFile(name))
	return stage{model: parseScript(t, s.Model), tools: s.Tools, hold: hold}
}

const askingChat = `{"type": "chat", "agent_mode": true, "content": "Read the file.", "selected_tools": ["read"], "conversation_id": "s1"}`

// Several sockets see the same run whole, whenever they come; either of them may answer, the other's
// answer is then not used. What one of them starts later, the other sees too.
//
// Covers: RAO-35/server RAO-42/server RAO-45/server RAO-71
func TestTwoSockets(t *testing.T) {
	r := newRig(t, scene(t, "strict/c3_answered"))
	one := r.watch("s1") // before there is anything
	two := r.dial()
	two.send(askingChat)
	two.until("agent_request_input")
	three := r.dial("conversation_id", "s1")
	three.until("agent_request_input")
	three.send(`{"type": "agent_user_input", "content": "b.txt"}`)
	one.until("agent_request_input")
	if m := one.until("agent_request_input"); m.Question != "And which line?" {
		t.Errorf("the second question is %q", m.Question)
	}
	one.send(`{"type": "agent_user_input", "content": "the first"}`)
	for _, c := range []*client{one, two, three} {
		c.until("response_complete")
	}
	three.seen = three.seen[1:] // where it stood
	if diff := cmp.Diff(told(one.seen), told(two.seen)) + cmp.Diff(told(two.seen), told(three.seen)); diff != "" {
		t.Error(diff)
	}
	one.send(askingChat)
	for _, c := range []*client{one, two, three} {
		if m := c.until("agent_start"); m.Run == "r1" {
			t.Error("the first run begins again")
		}
	}
	two.send(`{"type": "agent_control", "action": "stop"}`)
	for _, c := range []*client{one, two, three} {
		c.until("agent_stopped")
	}
}

// A socket that is cut after every single message, and goes on after its last cursor, is sent what an
// undisturbed one is. The run does not notice.
//
// Covers: RAO-50 RAO-74
func TestReconnectAlways(t *testing.T) {
	for _, name := range []string{"strict/c3_answered", "strict/c6_limit", "operate/refusals"} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, scene(t, name))
			calm, cut := r.watch("s1"), r.watch("s1")
			chat := askingChat
			if name == "operate/refusals" {
				chat = strings.NewReplacer(`"read"`, `"read_file"`, `"agent_mode": true`, `"agent_mode": false`).Replace(chat)
			}
			if name == "strict/c6_limit" {
				chat = strings.Replace(chat, `"content"`, `"agent_max_steps": 2, "content"`, 1)
			}
			calm.send(chat)
			var got []strict.Message
			after := ""
			for {
				m := cut.next()
				if m.UpdateType == "agent_request_input" {
					cut.send(`{"type": "agent_user_input", "content": "b.txt"}`)
				}
				if m.Cursor != "" {
					got, after = append(got, durableText(cut.seen)), m.Cursor
				}
				if m.Type == "response_complete" {
					break
				}
				cut.conn.CloseNow()
				if after == "" {
					cut = r.dial("conversation_id", "s1")
				} else {
					cut = r.dial("conversation_id", "s1", "after", after)
				}
			}
			calm.until("response_complete")
			if diff := cmp.Diff(told(durable(calm.seen)), told(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// durableText is the last message that a socket was sent, with its text put together.
func durableText(seen []strict.Message) strict.Message {
	whole := assembled(seen)
	return whole[len(whole)-1]
}

// A socket that closes takes nothing with it: the run goes on, also where it waits, and who comes back
// without a cursor sees it from its beginning.
//
// Covers: RAO-74
func TestClosedSocketStopsNothing(t *testing.T) {
	r := newRig(t, scene(t, "strict/c4_stop_and_go_on", "backup"))
	c := r.dial()
	c.send(`{"type": "chat", "agent_mode": true, "content": "Back up.", "selected_tools": ["backup", "upgrade"], "conversation_id": "s1"}`)
	r.entered("backup")
	c.conn.CloseNow()
	back := r.dial("conversation_id", "s1")
	if m := back.next(); m.State != "running" {
		t.Errorf("it stands at %+v", m)
	}
	if m := back.next(); m.UpdateType != "agent_start" {
		t.Errorf("it begins with %+v", m)
	}
	back.until("tool_start")
	close(r.gates["backup"].opened)
	if m := back.until("tool_complete"); *m.Result != "saved as b7" {
		t.Errorf("the tool was cut: %+v", m)
	}
}

// Stop reaches a long tool after a grace, by any socket, and a second stop changes nothing. Without a
// run, or without a conversation, it is harmless.
//
// Covers: RAO-30/server RAO-31/server RAO-33/server RAO-72 RAO-75
func TestStop(t *testing.T) {
	r := newRig(t, scene(t, "strict/c4_stop_and_go_on", "backup"))
	c, other := r.dial(), r.watch("s1")
	c.send(`{"type": "agent_control", "action": "stop"}`)
	if m := c.next(); m.Type != "warning" || !strings.Contains(m.Message, "nothing to stop") {
		t.Errorf("stop without a run: %+v", m)
	}
	c.send(`{"type": "chat", "agent_mode": true, "content": "Back up.", "selected_tools": ["backup", "upgrade"], "conversation_id": "s1"}`)
	c.until("tool_start")
	r.entered("backup")
	other.send(`{"type": "agent_control", "action": "stop"}`)
	r.until("r1", "command.stop")
	c.send(`{"type": "agent_control", "action": "stop"}`)
	if m := c.until("tool_error"); !strings.Contains(m.Error, "cancelled") {
		t.Errorf("the tool ended with %+v", m)
	}
	c.until("agent_stopped")
	c.until("response_complete")
	if n := r.count("command.stop"); n != 1 {
		t.Errorf("%d stops were recorded", n)
	}
}

// Who may not see a conversation is told that there is none; who may only look may look.
//
// Attack: 3
func TestOthers(t *testing.T) {
	r := newRig(t, scene(t, "strict/c3_stopped"))
	ann := r.dial("user", "ann")
	ann.send(strings.Replace(askingChat, `"read"`, `"send"`, 1))
	ann.until("agent_request_input")

	for _, user := range []string{"bob", "stranger"} {
		c := r.dial("user", user, "conversation_id", "s1")
		if m := c.next(); m.Type != "error" || m.ErrorType != "validation" || !strings.Contains(m.Message, `no conversation "s1"`) {
			t.Errorf("%s sees %+v", user, m)
		}
		for frame, want := range map[string]string{
			askingChat: "no conversation", `{"type": "agent_control", "action": "stop"}`: "nothing to stop",
			`{"type": "agent_user_input", "content": "me"}`: "no question is open",
		} {
			c.send(frame)
			if m := c.next(); !strings.Contains(m.Message, want) {
				t.Errorf("%s sends %s and is told %+v", user, frame, m)
			}
		}
	}
	early := r.watch("s2", "user", "bob") // it is nobody's yet
	ann.send(`{"type": "chat", "agent_mode": true, "content": "x", "conversation_id": "s2"}`)
	if m := early.next(); m.Type != "error" || !strings.Contains(m.Message, `no conversation "s2"`) {
		t.Errorf("bob watched before ann began, and sees %+v", m)
	}
	early.ended()
	viewer := r.dial("user", "viewer", "conversation_id", "s1")
	viewer.until("agent_request_input")
	for _, frame := range []string{askingChat, `{"type": "agent_control", "action": "stop"}`, `{"type": "agent_user_input", "content": "me"}`, `{"type": "tool_approval_response", "tool_call_id": "x", "approved": true}`} {
		viewer.send(frame)
		if m := viewer.next(); m.Type != "error" || m.ErrorType != "validation" {
			t.Errorf("a viewer sends %s and is told %+v", frame, m)
		}
	}
	owner := r.dial("conversation_id", "s1")
	owner.until("agent_request_input")
	owner.send(askingChat)
	if m := owner.next(); m.Type != "error" || !strings.Contains(m.Message, "belongs to ann") {
		t.Errorf("the owner speaks for ann: %+v", m)
	}
	owner.send(`{"type": "agent_control", "action": "stop"}`)
	r.until("r1", rein.RunStopped)

	if _, response, err := r.tryDial("user", "nobody"); err == nil || response.StatusCode != 403 {
		t.Errorf("nobody is let in: %v", err)
	}
}

// A wrong request starts nothing, says what is wrong and leaves the socket open.
//
// Covers: RAO-34/server RAO-41/server
func TestRefused(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	s.options = func(o *strict.Options) { o.Shelf = nil }
	r := newRig(t, s)
	c := r.dial()
	for frame, says := range map[string]string{
		`{"type": "chat", "agent_mode": true, "content": "x", "agent_max_steps": "many"}`:       "whole number",
		`{"type": "chat", "agent_mode": true, "content": "x", "selected_tools": ["nonsense"]}`:  "nonsense",
		`{"type": "chat", "agent_mode": true, "content": "x", "model": "nonsense"}`:             "nonsense",
		`{"type": "chat", "agent_mode": true, "content": "x", "files": {"a.txt": "aGk="}}`:      "upload the file to the session first",
		`{"type": "chat", "agent_mode": true, "content": "` + strings.Repeat("x", 3<<20) + `"}`: "at most",
		`{"type": "agent_stop"}`: "it must be one of",
	} {
		c.send(frame)
		if m := c.next(); m.Type != "error" || m.ErrorType != "validation" || !strings.Contains(m.Message, says) {
			t.Errorf("%.90s: %+v", frame, m)
		}
	}
	if n := r.count(rein.RunStarted); n != 0 {
		t.Errorf("%d runs were started", n)
	}
	c.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?"}`)
	c.until("response_complete")
}

// A cursor that is none of the conversation's is refused, and the socket watches it all the same.
//
// Attack: 4
func TestBadCursors(t *testing.T) {
	r := newRig(t, scene(t, "strict/c5_no_tools"))
	c := r.dial()
	c.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?", "conversation_id": "s1"}`)
	c.until("response_complete")
	c.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?", "conversation_id": "s2"}`)
	c.until("response_complete")
	for _, after := range []string{"nonsense", "r1:999.1", "r2:1.1", "r9:1.1", "12"} {
		c := r.dial("conversation_id", "s1", "after", after)
		if m := c.next(); m.Type != "error" || m.ErrorType != "validation" {
			t.Errorf("%s: %+v", after, m)
		}
		c.until("response_complete") // how it stood
		c.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?"}`)
		if m := c.next(); m.UpdateType != "agent_start" || m.Conversation != "s1" {
			t.Errorf("%s: the next chat gives %+v", after, m)
		}
		c.until("response_complete")
	}
	if m := r.dial("after", "r1:1.1").next(); !strings.Contains(m.Message, "conversation_id") {
		t.Errorf("a cursor alone: %+v", m)
	}
	// The number alone, as other feeds of the log have it, is after all messages of the event.
	if m := r.dial("conversation_id", "s1", "after", "r1:1").next(); m.UpdateType != "agent_turn_start" {
		t.Errorf("after event 1 comes %+v", m)
	}
}

// Files that come with a chat are kept under safe names and told to the model with those of the session;
// what the server is set to holds where the client does not choose.
//
// Covers: RAO-41/server RAO-51 RAO-73
func TestFiles(t *testing.T) {
	s := scene(t, "strict/files")
	s.model = parseScript(t, `when phase=reason system~"- passwd (text/plain, 2 bytes)" system~"- old.csv (text/csv, 7 bytes)" system~"- b.txt"
say {"plan": "", "finish": true, "final_answer": "Done."}`)
	place := rein.Place{Household: "home", User: "owner", Session: "s1"}
	var kept *shelf.Shelf
	s.options = func(o *strict.Options) {
		kept = o.Shelf
		_, err := kept.Put(t.Context(), place, "old.csv", "text/csv", strings.NewReader("a,b,c,d"))
		check(t, err)
		o.Settings = func(string) (json.RawMessage, error) { return json.RawMessage(`{"max_steps": 7}`), nil }
	}
	r := newRig(t, s)
	c := r.dial()
	c.send(`{"type": "chat", "agent_mode": true, "content": "x", "conversation_id": "s1",
		"files": [{"name": "../../etc/passwd", "type": "text/plain", "content": "aGk="}, "b.txt"]}`)
	if m := c.next(); m.MaxSteps != 7 {
		t.Errorf("max_steps is %d", m.MaxSteps)
	}
	if m := c.until("chat_response"); m.Message != "Done." {
		t.Errorf("%+v", m)
	}
	if f, content, err := kept.Get(t.Context(), place, "passwd", 0, 0); err != nil || string(content) != "hi" || f.Type != "text/plain" {
		t.Errorf("kept are %q as %+v: %v", content, f, err)
	}
}

// A process that is going closes its sockets with a status that asks to come back, whether they follow
// a run or not.
func TestShutdown(t *testing.T) {
	r := newRig(t, scene(t, "strict/c3_stopped"))
	busy, idle := r.dial(), r.dial()
	busy.send(strings.Replace(askingChat, `"read"`, `"send"`, 1))
	busy.until("agent_request_input")
	r.Feed.Close()
	if status := busy.ended(); status != websocket.StatusServiceRestart {
		t.Errorf("the busy socket ends with %v", status)
	}
	close(r.closed)
	if status := idle.ended(); status != websocket.StatusServiceRestart {
		t.Errorf("the idle socket ends with %v", status)
	}
}

// Files and images that a tool returns are in the message of its end; the files are in the session, and in the manifest
// of the next step.
//
// Covers: RAO-7/media RAO-51
func TestFilesOfTools(t *testing.T) {
	var picture bytes.Buffer
	check(t, png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 3))))
	draw := rein.Tool{Name: "draw", Effect: rein.Pure, Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		return rein.Done{
			Text: "Drawn.", Images: []rein.Image{{Name: "plot.png", Data: picture.Bytes()}},
			Files: []rein.Artifact{{Name: "../plot\u202e.csv", Type: "text/csv", Data: []byte("a,b")}},
		}, nil
	}}
	r := newRig(t, stage{tools: map[string]rein.Tool{"draw": draw}, model: parseScript(t, `
when phase=reason turn=1
say {"plan": "draw", "finish": false}
when phase=act
call draw {}
when phase=observe
say {"observation": "drawn", "should_continue": true}
when phase=reason system~"plot.csv"
say {"plan": "", "finish": true, "final_answer": "The manifest has it."}
`)})
	c := r.dial()
	c.send(`{"type": "chat", "agent_mode": true, "content": "Draw.", "selected_tools": ["draw"], "conversation_id": "s1"}`)
	m := c.until("tool_complete")
	if want := []strict.File{{Name: "plot.csv", Type: "text/csv", Size: 3}}; !slices.Equal(m.Files, want) {
		t.Errorf("the end of the call names the files %+v", m.Files)
	}
	if len(m.Images) != 1 || m.Images[0].Type != "image/png" || m.Images[0].Width != 4 || m.Images[0].Height != 3 || len(m.Images[0].SHA256) != 64 {
		t.Errorf("the end of the call names the images %+v", m.Images)
	}
	if m := c.until("chat_response"); m.Message != "The manifest has it." {
		t.Errorf("%+v", m)
	}
	kept := shelf.Shelf{Tables: r.Store}
	f, content, err := kept.Get(t.Context(), rein.Place{Household: "home", User: "owner", Session: "s1"}, "plot.csv", 0, 0)
	if err != nil || string(content) != "a,b" || f.Run == "" {
		t.Errorf("the session has %q as %+v: %v", content, f, err)
	}
}
