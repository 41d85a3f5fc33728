package strict_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/server/dialect/strict"
)

// Frames that make no sense are answered each, in order, and the socket stays open; one that is too
// long ends it. Others do not notice.
//
// Attack: 30
func TestHostileFrames(t *testing.T) {
	r := newRig(t, scene(t, "strict/c5_no_tools"))
	c, other := r.dial(), r.dial()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	check(t, c.conn.Write(ctx, websocket.MessageBinary, []byte{0, 1, 2, 0xff}))
	if m := c.next(); m.Type != "error" || !strings.Contains(m.Message, "binary") {
		t.Errorf("a binary frame: %+v", m)
	}
	for _, frame := range []string{
		"", "null", "\xff\xfe", `{"type":`, strings.Repeat(`{"type":`, 50_000), strings.Repeat("[", 1<<20),
		`{"type": "chat", "content": "` + strings.Repeat("x", 1<<20), `{"type": "` + strings.Repeat("y", 1<<20) + `"}`,
		`{"type": {"type": {"type": "chat"}}}`, `{"type": "chat", "content": {"x": [` + strings.Repeat("1,", 100_000) + `1]}}`,
	} {
		c.send(frame)
		if m := c.next(); m.Type != "error" || m.ErrorType != "validation" || len(m.Message) > 600 {
			t.Errorf("%.40q: %.600s", frame, fmt.Sprint(m))
		}
	}
	go func() { _ = c.conn.Write(ctx, websocket.MessageText, make([]byte, 5<<20)) }()
	if status := c.ended(); status != websocket.StatusMessageTooBig && status != -1 {
		t.Errorf("a huge frame ends the socket with %v", status)
	}
	other.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?"}`)
	other.until("response_complete")
}

// Ten thousand messages are answered one by one, and leave nothing behind.
//
// Attack: 30
func TestFlood(t *testing.T) {
	r := newRig(t, scene(t, "strict/c5_no_tools"))
	c := r.dial()
	const many = 10_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		for i := range many {
			frame := `{"type": "agent_user_input", "content": "flood"}`
			if i%2 == 0 {
				frame = `{"type": "nonsense", "padding": "` + strings.Repeat("x", 2000) + `"}`
			}
			if c.conn.Write(ctx, websocket.MessageText, []byte(frame)) != nil {
				return
			}
		}
	}()
	for i := range many {
		if m := c.next(); m.Type != []string{"error", "warning"}[i%2] {
			t.Fatalf("message %d is answered with %+v", i, m)
		}
		c.seen = nil
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes are left", grown)
	}
	c.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?"}`)
	c.until("response_complete")
}

// A client that does not read is cut off, and holds up neither the run nor others; it can go on after
// its last cursor.
func TestSlowClient(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	s.options = func(o *strict.Options) { o.MaxWrite = 50 * time.Millisecond }
	r := newRig(t, s)
	slow, other := r.watch("s1"), r.watch("s1")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var err error
	for err == nil { // until the answers fill what a connection holds
		err = slow.conn.Write(ctx, websocket.MessageText, []byte(`{"type": "nonsense"}`))
	}
	if ctx.Err() != nil {
		t.Fatal("the slow socket stays open")
	}
	other.send(`{"type": "chat", "agent_mode": true, "content": "A name for a boat?"}`)
	other.until("response_complete")
	back := r.dial("conversation_id", "s1", "after", "r1:0")
	back.until("response_complete")
	if told(back.seen) != told(other.seen) {
		t.Errorf("who comes back sees\n%s", told(back.seen))
	}
}

// A teller writes each piece when the test lets it; an empty one ends the reply.
type teller chan string

func (teller) Info() rein.ModelInfo { return rein.ModelInfo{Name: "teller", MaxOutput: 1000} }

func (m teller) Generate(ctx context.Context, _ rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	var said strings.Builder
	for {
		select {
		case piece := <-m:
			if piece == "" {
				return rein.ModelReply{Message: rein.Message{Role: rein.Assistant, Text: said.String()}, Usage: &rein.Usage{}}, nil
			}
			said.WriteString(piece)
			show(piece)
		case <-ctx.Done():
			return rein.ModelReply{}, ctx.Err()
		}
	}
}

func (m teller) tell(t *testing.T, piece string) {
	t.Helper()
	select {
	case m <- piece:
	case <-time.After(patience):
		t.Fatal("no model waits for a piece")
	}
}

// A socket that is cut in the middle of a text begins that text again, and comes to the same one. A
// stop in the middle of it ends it with what was said.
//
// Covers: RAO-31/server RAO-33/server
func TestCutInText(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	model := make(teller)
	s.model = model
	r := newRig(t, s)
	chat := `{"type": "chat", "content": "A name?", "conversation_id": "s1"}`
	calm, cut := r.watch("s1"), r.watch("s1")
	calm.send(chat)
	model.tell(t, "What about ")
	if m := cut.next(); m.Cursor != "" || *m.Token != "What about " || !*m.IsFirst || *m.IsLast || m.Run != "r1" {
		t.Errorf("the first piece is %+v", m)
	}
	cut.conn.CloseNow()
	model.tell(t, "Heron")
	cut = r.dial("conversation_id", "s1")
	if m := cut.next(); m.Type != "session_state" || m.State != "running" || m.Run != "r1" {
		t.Errorf("it stands at %+v", m)
	}
	if m := cut.next(); *m.Token != "What about Heron" || !*m.IsFirst {
		t.Errorf("the text so far is %+v", m)
	}
	model.tell(t, "?")
	model.tell(t, "")
	for _, c := range []*client{calm, cut} {
		c.until("response_complete")
		if text := durable(c.seen)[0].Message; text != "What about Heron?" {
			t.Errorf("the text is %q", text)
		}
	}
	calm.send(chat)
	model.tell(t, "Half a ")
	calm.until("token_stream")
	cut.send(`{"type": "agent_control", "action": "stop"}`)
	last := calm.until("token_stream")
	if !*last.IsLast || last.Cursor == "" {
		t.Errorf("the text ends with %+v", last)
	}
	calm.until("agent_stopped")
	calm.until("response_complete")
}

// Who has too many sockets open gets no other; pages of other hosts get none.
func TestDoor(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	s.options = func(o *strict.Options) { o.MaxEach = 2 }
	r := newRig(t, s)
	first := r.dial()
	r.dial()
	if _, response, err := r.tryDial(); err == nil || response.StatusCode != http.StatusTooManyRequests {
		t.Errorf("a third socket: %v", err)
	}
	r.dial("user", "ann")
	first.conn.CloseNow()
	for deadline := time.Now().Add(patience); ; runtime.Gosched() { // the server needs a moment to notice
		if _, _, err := r.tryDial(); err == nil {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
	_, response, err := websocket.Dial(context.Background(), strings.Replace(r.Web.URL, "http", "ws", 1)+"/ws?user=bob",
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://evil.example"}}})
	if err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another host: %v", err)
	}
}

// A credential that is no longer good ends the socket, at the next message or heartbeat.
func TestRevoked(t *testing.T) {
	var revoked atomic.Bool
	var asked sync.Once
	beats := make(chan struct{})
	s := scene(t, "strict/c5_no_tools")
	s.options = func(o *strict.Options) {
		o.Heartbeat = 5 * time.Millisecond
		o.Still = func(context.Context, rein.Identity) error {
			asked.Do(func() { close(beats) })
			if revoked.Load() {
				return rein.Errorf(rein.CodeForbidden, "the token was revoked")
			}
			return nil
		}
	}
	r := newRig(t, s)
	c := r.dial()
	<-beats
	c.fence()
	revoked.Store(true)
	if m := c.next(); m.Type != "error" || !strings.Contains(m.Message, "revoked") {
		t.Errorf("it is told %+v", m)
	}
	c.ended()
}

// What goes wrong inside is not told to clients.
func TestNothingLeaks(t *testing.T) {
	s := scene(t, "strict/c5_no_tools")
	s.options = func(o *strict.Options) {
		o.Settings = func(string) (json.RawMessage, error) { return nil, fmt.Errorf("open /etc/secret: denied") }
	}
	c := newRig(t, s).dial()
	c.send(`{"type": "chat", "agent_mode": true, "content": "x"}`)
	if m := c.next(); m.Type != "error" || m.ErrorType != "unexpected" || strings.Contains(m.Message, "secret") {
		t.Errorf("it is told %+v", m)
	}
}
