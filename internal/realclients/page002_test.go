package realclients

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
)

// A page002 is the page of document 002: it reads the fields that its client reads, under their names, and
// keeps what a person would see. Messages and fields of other kinds do not exist for it.
type page002 struct {
	*rig
	conn     *websocket.Conn
	lines    []string          // the chat, from the top
	calls    map[string]string // lines of tools, by the ID of the call
	typing   *strings.Builder  // a text that comes in pieces
	question string            // in the banner
	dialog   string            // its ID
	deadline time.Time         // what the banner counts down to
	approval message002        // in the dialog
	busy     bool              // it shows that the agent works
	session  string
	files    map[string]string // that were downloaded
}

// A message002 has what the client of document 002 reads.
type message002 struct {
	Type       string          `json:"type"`
	UpdateType string          `json:"update_type"`
	Message    string          `json:"message"`
	Step       int             `json:"step"`
	MaxSteps   int             `json:"max_steps"`
	Question   string          `json:"question"`
	Deadline   time.Time       `json:"deadline"`
	Elicited   string          `json:"elicitation_id"`
	CallID     string          `json:"tool_call_id"`
	Tool       string          `json:"tool_name"`
	Server     string          `json:"server_name"`
	Arguments  json.RawMessage `json:"arguments"`
	Success    bool            `json:"success"`
	Result     string          `json:"result"`
	Error      string          `json:"error"`
	Token      string          `json:"token"`
	First      bool            `json:"is_first"`
	Last       bool            `json:"is_last"`
	Filename   string          `json:"filename"`
	Content    string          `json:"content_base64"`
	Key        string          `json:"s3_key"`
	Session    string          `json:"session_id"`
	Talk       string          `json:"conversation_id"`
	State      string          `json:"state"`
}

// open002 opens the page, on a conversation or on none.
func (r *rig) open002(conversation string) *page002 {
	r.Helper()
	p := &page002{rig: r, calls: map[string]string{}, files: map[string]string{}}
	query := ""
	if conversation != "" {
		query = "?" + url.Values{"conversation_id": {conversation}}.Encode()
	}
	var err error
	p.conn, _, err = websocket.Dial(r.ctx, "ws://"+r.proxy.Listen+"/ws"+query,
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + r.token}}})
	check(r, err)
	p.conn.SetReadLimit(16 << 20)
	r.Cleanup(func() { p.conn.CloseNow() })
	return p
}

func (p *page002) send(frame map[string]any) {
	p.Helper()
	data, err := json.Marshal(frame)
	check(p, err)
	if frame["type"] == "chat" {
		p.busy = true
	}
	check(p, p.conn.Write(p.ctx, websocket.MessageText, data))
}

// until reads messages until one is of the type, or of the update type.
func (p *page002) until(kind string) message002 {
	p.Helper()
	for {
		_, data, err := p.conn.Read(p.ctx)
		if err != nil {
			p.Fatalf("no %s came: %v; the person sees:\n%s", kind, err, strings.Join(p.lines, "\n"))
		}
		var m message002
		check(p, json.Unmarshal(data, &m))
		p.show(m)
		if m.Type == kind || m.UpdateType == kind {
			return m
		}
	}
}

func (p *page002) print(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

// show does with a message what the client does.
func (p *page002) show(m message002) {
	if m.Talk != "" {
		p.session = m.Talk
	}
	switch m.Type {
	case "agent_update":
		p.update(m)
	case "tool_start":
		p.calls[m.CallID] = m.Tool + " of " + m.Server
		p.print("%s is called", p.calls[m.CallID])
	case "tool_complete":
		p.print("%s %s: %s", p.calls[m.CallID], map[bool]string{true: "worked", false: "failed"}[m.Success], m.Result)
	case "tool_error":
		p.print("%s failed", p.calls[m.CallID])
	case "tool_approval_request":
		p.approval = m
	case "token_stream":
		p.token(m)
	case "chat_response":
		p.print("assistant: %s", m.Message)
	case "error", "warning":
		p.print("%s: %s", m.Type, m.Message)
	case "response_complete":
		p.finishText()
		p.busy = false
	case "file_download":
		content, _ := base64.StdEncoding.DecodeString(m.Content)
		p.files[m.Filename] = string(content)
		if m.Error != "" {
			p.print("download failed: %s", m.Error)
		}
	case "file_attach":
		p.print("attached %s: %t", m.Key, m.Success)
	}
}

func (p *page002) update(m message002) {
	switch m.UpdateType {
	case "agent_reason", "agent_observe":
		p.print("%s %d: %s", strings.TrimPrefix(m.UpdateType, "agent_"), m.Step, m.Message)
	case "agent_request_input":
		p.question, p.deadline, p.dialog = m.Question, m.Deadline, m.Elicited
	case "agent_completion", "agent_stopped":
		p.question = ""
	}
}

// token adds a piece to the text that is coming. Of the last message it reads only that it is the last.
func (p *page002) token(m message002) {
	if m.First || p.typing == nil {
		p.typing = &strings.Builder{}
	}
	if !m.Last {
		p.typing.WriteString(m.Token)
		return
	}
	p.finishText()
}

func (p *page002) finishText() {
	if p.typing != nil && p.typing.Len() > 0 {
		p.print("assistant: %s", p.typing)
	}
	p.typing = nil
}

// sees wants these lines on the page, in this order, and no others but those of phases.
func (p *page002) sees(want ...string) {
	p.Helper()
	got := slices.DeleteFunc(slices.Clone(p.lines), func(line string) bool {
		return strings.HasPrefix(line, "reason ") || strings.HasPrefix(line, "observe ")
	})
	if diff := cmp.Diff(want, got); diff != "" {
		p.Errorf("the person sees (-want +got):\n%s", diff)
	}
	p.lines = nil
}

const agentTools = `
when phase=reason
say I look. {"plan": "look at the clock", "finish": false}

when phase=act
call get_current_time {}
call get_current_time {"timezone": "Nowhere/AtAll"}

when phase=observe
say I know. {"observation": "late", "should_continue": false, "final_answer": "It is late."}
`

// TestPage002Tools shows an agent's work to the page of document 002: tools that worked look so, those that
// failed look so, each with where it comes from, and the answer is there, once.
//
// Covers: RAO-50/wire RAO-90
func TestPage002Tools(t *testing.T) {
	t.Parallel()
	r := newRig(t, agentTools)
	p := r.open002("")
	p.send(map[string]any{"type": "chat", "agent_mode": true, "content": "How late is it?", "selected_tools": []string{"get_current_time"}})
	p.until("response_complete")
	for i, line := range p.lines {
		if head, _, ok := strings.Cut(line, " worked: "); ok {
			p.lines[i] = head + " worked"
		}
	}
	p.sees("get_current_time of rein is called", "get_current_time of rein worked",
		"get_current_time of rein is called", "get_current_time of rein failed", "assistant: It is late.")
	if p.busy {
		t.Error("the page still shows that the agent works")
	}
}

// TestPage002Answer shows an answer that streams, and the same to who was not there: it is whole for both.
//
// Covers: RAO-50/wire RAO-90
func TestPage002Answer(t *testing.T) {
	t.Parallel()
	r := newRig(t, "when turn=1\nsay It is late, and dark.\n")
	p := r.open002("")
	p.send(map[string]any{"type": "chat", "content": "How late is it?"})
	p.until("response_complete")
	p.sees("assistant: It is late, and dark.")
	late := r.open002(p.session)
	late.until("response_complete")
	late.sees("assistant: It is late, and dark.")
}

const agentAsks = `
when phase=reason
say I must ask. {"plan": "ask", "finish": false}

when phase=act
call request_input {"question": "Which file?"}

when phase=observe
say I know. {"observation": "", "should_continue": false, "final_answer": "It is b.txt."}
`

// TestPage002Question shows a question with what the page can count down to; an answer to it by the name of
// the client's other dialog works too.
//
// Covers: RAO-42 RAO-44 RAO-90
func TestPage002Question(t *testing.T) {
	t.Parallel()
	r := newRig(t, agentAsks)
	p := r.open002("")
	p.send(map[string]any{"type": "chat", "agent_mode": true, "content": "Read it."})
	p.until("agent_request_input")
	if left := time.Until(p.deadline); p.question != "Which file?" || left < time.Minute || left > 10*time.Minute {
		t.Errorf("the banner has %q and %s left", p.question, left)
	}
	p.send(map[string]any{"type": "elicitation_response", "elicitation_id": p.dialog, "action": "accept", "data": map[string]any{"value": "b.txt"}})
	p.until("response_complete")
	p.sees("assistant: It is b.txt.")
}

// TestPage002Buttons presses what else the page has: stop, a new chat, an old one again, files to attach
// and to download. None of it is answered with an error in the chat.
//
// Covers: RAO-90
func TestPage002Buttons(t *testing.T) {
	t.Parallel()
	r := newRig(t, agentAsks)
	p := r.open002("")
	p.send(map[string]any{
		"type": "chat", "agent_mode": true, "content": "Read it.",
		"files": map[string]string{"notes.txt": base64.StdEncoding.EncodeToString([]byte("herons"))},
	})
	p.until("agent_request_input")
	old := p.session
	p.send(map[string]any{"type": "download_file", "filename": "notes.txt"})
	p.until("file_download")
	p.send(map[string]any{"type": "attach_file", "s3_key": "notes.txt"})
	p.until("file_attach")
	p.send(map[string]any{"type": "attach_file", "s3_key": "none.txt"})
	p.until("file_attach")
	p.send(map[string]any{"type": "stop_streaming"})
	p.until("response_complete")
	p.send(map[string]any{"type": "reset_session"})
	if m := p.until("session_reset"); m.Session == "" || p.session == old {
		t.Errorf("the new session is %q, after %q", m.Session, old)
	}
	p.send(map[string]any{"type": "restore_conversation", "conversation_id": old, "messages": []any{map[string]string{"role": "user", "content": "Read it."}}})
	p.until("conversation_restored")
	if p.session != old {
		t.Errorf("the page is on %q, want %q", p.session, old)
	}
	p.sees("attached notes.txt: true", "attached none.txt: false")
	if p.files["notes.txt"] != "herons" {
		t.Errorf("the files are %v", p.files)
	}
}
