package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein/api"
	"rein/server/dialect/strict"
)

const dialectScript = `
when phase=reason results=0
say I look. {"plan": "read it", "tools_to_consider": ["read_session_file"], "finish": false}

when phase=act offered=read_session_file any~"notes.txt" results=0
call read_session_file {"name":"notes.txt"}

when phase=act
say Read.

when phase=observe tool~"zanzibar"
say It is there. {"observation": "the word", "should_continue": false, "final_answer": "The word is zanzibar."}

when phase=final tool~"zanzibar"
say The file says zanzibar.

when phase=final offered=read_session_file any~"notes.txt" results=0
call read_session_file {"name":"notes.txt"}

when last~"door" any~"The fence is green"
say You said that the fence is green.

when
say Hello.
`

// A dialogue is a socket of the strict dialect.
type dialogue struct {
	*house
	conn *websocket.Conn
}

func (s *house) dialogue(query string) dialogue {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	s.Cleanup(cancel)
	conn, _, err := websocket.Dial(ctx, s.url+"/ws"+query, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + s.token}}})
	s.check(err)
	s.Cleanup(func() { _ = conn.CloseNow() })
	return dialogue{s, conn}
}

func (d dialogue) says(message string) {
	d.Helper()
	d.check(d.conn.Write(context.Background(), websocket.MessageText, []byte(message)))
}

// hears reads messages until one of the type, or with the update, comes, and returns all.
func (d dialogue) hears(until string) string {
	d.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	all := ""
	for {
		_, data, err := d.conn.Read(ctx)
		if err != nil {
			d.Fatalf("%v, before a %s and after:\n%s", err, until, all)
		}
		all += string(data) + "\n"
		var head strict.Message
		d.check(json.Unmarshal(data, &head))
		if head.Type == until || head.UpdateType == until {
			return all
		}
	}
}

// The socket of the strict agent: files that were uploaded are known to the model, and can be read by
// it; a token that is revoked is no longer good for what is open.
//
// Covers: RAO-4 RAO-53 RAO-91
func TestServeStrict(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.write(".config/rein/demo.txt", dialectScript)
	s := h.serve().withToken()
	s.call(http.StatusOK, "PUT", "/v1/sessions/talk/files/notes.txt", "The word is zanzibar.", "Content-Type: text/plain")
	d := s.dialogue("?conversation_id=talk")
	d.says(`{"type":"chat","conversation_id":"talk","agent_mode":true,"content":"Which word?","selected_tools":["get_current_time"]}`)
	all := d.hears("response_complete")
	for _, want := range []string{`"tool_complete"`, `The word is zanzibar.`, `"agent_completion"`} {
		if !strings.Contains(all, want) {
			t.Errorf("the socket never had %s, but:\n%s", want, all)
		}
	}
	for _, selected := range []string{"", `,"selected_tools":["get_current_time"]`} { // plain chat, and tools only
		d.says(`{"type":"chat","conversation_id":"talk","agent_mode":false,"content":"The word again?"` + selected + `}`)
		if all := d.hears("response_complete"); !strings.Contains(all, "says zanzibar") && !strings.Contains(all, "zanzibar.") {
			t.Errorf("without agent mode%s the file is not read: %s", selected, all)
		}
	}
	silent := s.dialogue("?conversation_id=talk")
	s.ok("tokens", "revoke", strings.Split(s.token, "_")[1])
	_ = d.conn.Write(t.Context(), websocket.MessageText, []byte(`{"type":"chat","conversation_id":"talk","content":"And now?"}`)) // it may be closed
	for _, conn := range []*websocket.Conn{d.conn, silent.conn} {
		for {
			_, data, err := conn.Read(t.Context())
			if err != nil {
				break // the end of the socket; else the test would wait here
			}
			if strings.Contains(string(data), "And now?") {
				t.Errorf("it goes on after the token was revoked: %s", data)
			}
		}
	}
	if got := s.ok("runs", "--all"); strings.Contains(got, "And now?") {
		t.Errorf("it goes on after the token was revoked:\n%s", got)
	}
}

// The stream of the exploring agent, and its tree.
func TestServeExplore(t *testing.T) {
	t.Parallel()
	s := newHome(t, "").serve("--model", "offline").withToken()
	answer := s.do("GET", "/agent/stream?prompt=What+is+here%3F", nil)
	all := ""
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		all += lines.Text() + "\n"
	}
	for _, want := range []string{`"type":"start"`, `"type":"tool-call"`, `"type":"text-delta"`, `"type":"finish"`, `"status":"completed"`} {
		if !strings.Contains(all, want) {
			t.Errorf("the stream never had %s, but:\n%s", want, all)
		}
	}
	s.call(http.StatusOK, "GET", "/agent/tree", nil)
	s.call(http.StatusNotFound, "GET", "/agent/nobody", nil)
}

// A chat goes on where it was, and what was said is remembered by a run of its own.
//
// Covers: NEU-1 NEU-3
func TestServeChat(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	h.write(".config/rein/demo.txt", dialectScript)
	s := h.serve().withToken()
	var reply struct{ Message string }
	s.check(json.Unmarshal([]byte(s.call(http.StatusOK, "POST", "/chat", map[string]string{"message": "The fence is green."})), &reply))
	if reply.Message != "Hello." {
		t.Errorf("/chat answers %+v", reply)
	}
	all := s.call(http.StatusOK, "POST", "/chat/stream", map[string]string{"message": "And the door?"})
	if !strings.Contains(all, `"type":"done"`) || !strings.Contains(all, "You said that the fence is green.") {
		t.Errorf("/chat/stream answers\n%s", all)
	}
	if history := s.call(http.StatusOK, "GET", "/chat/history", nil); strings.Count(history, `"role":"assistant"`) != 2 {
		t.Errorf("the history is %s", history)
	}
	s.remembered(2)
}

// remembered waits for the runs that remember.
func (s *house) remembered(n int) {
	s.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; {
		var page api.Runs
		s.read("/v1/runs", &page)
		got := 0
		for _, run := range page.Runs {
			if run.Flow == "remember" && run.Status.Ended() {
				got++
			}
		}
		if got == n {
			return
		}
		if time.Now().After(deadline) {
			s.Fatalf("%d runs remember, want %d: %+v", got, n, page.Runs)
		}
	}
}
