package strict

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/api"
	"rein/server/port"
	"rein/server/shown"
)

// maxFrame is the most bytes of one message of a client; a longer one ends the socket.
const maxFrame = api.MaxBody

// A socket is one connection. One goroutine reads it and does what it is told, so that a stop is read
// while a run is under way; another sends what happens in the conversation.
type socket struct {
	*handler
	who     rein.Identity
	conn    *websocket.Conn
	cut     context.CancelFunc
	welcome context.Context // ends when the client's credential does
	book    shown.Book      // what it was shown, and under which IDs

	// Of the reading goroutine:
	conversation string
	leave        func()         // ends the watch of the conversation
	brought      []rein.Message // what the client has of the conversation and the server does not
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	who := port.Caller(r.Context())
	user := who.Household + "/" + who.User
	switch {
	case !who.May(rein.ScopeRead):
		http.Error(w, "this needs the scope \"read\"", http.StatusForbidden)
		return
	case !h.hub.enter(user, h.MaxEach):
		http.Error(w, "you have too many sockets open: close one", http.StatusTooManyRequests)
		return
	}
	defer h.hub.exit(user)
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{OriginPatterns: h.Origins, Subprotocols: []string{port.Protocol}})
	if err != nil {
		return // it has answered
	}
	conn.SetReadLimit(maxFrame)
	ctx, cut := context.WithCancel(context.WithoutCancel(r.Context()))
	s := &socket{handler: h, who: who, conn: conn, cut: cut, leave: func() {}}
	// Whoever checks credentials ends the request when its own is no longer good.
	s.welcome = r.Context()
	defer context.AfterFunc(s.welcome, s.dismiss)()
	s.serve(ctx, r.URL.Query().Get("conversation_id"), r.URL.Query().Get("after"))
}

// serve reads until the connection closes, from whichever side. Runs are not touched by that.
func (s *socket) serve(ctx context.Context, conversation, after string) {
	var wait sync.WaitGroup
	wait.Go(func() { s.beat(ctx) })
	defer func() {
		s.hangUp()
		s.leave()
		wait.Wait()
	}()
	if conversation != "" || after != "" {
		if err := s.attend(ctx, conversation, after, after == ""); err != nil {
			s.send(ctx, fault(err))
			if after != "" && conversation != "" { // who has lost their place begins with the run under way
				_ = s.attend(ctx, conversation, "", true) // what is wrong has been told
			}
		}
	}
	for {
		kind, data, err := s.conn.Read(ctx)
		if err != nil || port.Frame(ctx) != nil || !s.still(ctx) {
			return
		}
		if err := s.take(ctx, kind, data); err != nil && !s.send(ctx, fault(err)) {
			return
		}
	}
}

// take does what a frame says.
func (s *socket) take(ctx context.Context, kind websocket.MessageType, data []byte) error {
	if kind != websocket.MessageText {
		return rein.Errorf(rein.CodeInvalid, "the message is binary: send JSON as text")
	}
	request, err := decode(data)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute) // done even if the client has gone
	defer cancel()
	switch request := request.(type) {
	case *chat:
		return s.chat(ctx, *request)
	case *control:
		return s.stop(ctx)
	case *input:
		return s.input(ctx, *request)
	case *decision:
		return s.decide(ctx, *request)
	case *elicited:
		return s.elicited(ctx, *request)
	case *reset:
		return s.reset(ctx)
	case *restore:
		return s.restore(ctx, *request)
	case *fileRequest:
		return s.file(ctx, *request)
	}
	return nil
}

// attend makes the socket watch a conversation in place of the one before. It begins with where that
// stands, for who does not know it.
func (s *socket) attend(ctx context.Context, conversation, after string, stands bool) error {
	if err := checkConversation(conversation); err != nil {
		return err
	}
	if conversation == "" {
		return rein.Errorf(rein.CodeInvalid, "after needs the conversation_id that it belongs to")
	}
	if _, err := s.owner(ctx, conversation); err != nil {
		return err
	}
	w, err := s.begin(ctx, conversation, after)
	if err != nil {
		return err
	}
	w.stands = stands
	s.leave()
	s.book.Send(topic, "", func() bool { return true }) // questions of the conversation before are over
	s.conversation = conversation
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var wait sync.WaitGroup
	wait.Go(func() { w.follow(ctx) })
	s.leave = func() { cancel(); wait.Wait() }
	return nil
}

// send writes a message, and reports whether the client may have got it. One that does not read is cut
// off; it can go on from its cursor.
func (s *socket) send(ctx context.Context, m Message) bool {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if e.Encode(m) != nil {
		return false
	}
	// Who stops watching does not cut a message in two: that would be the end of the socket.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.MaxWrite)
	defer cancel()
	if s.conn.Write(ctx, websocket.MessageText, bytes.TrimSpace(out.Bytes())) != nil {
		s.hangUp()
		return false
	}
	return true
}

// beat sees to it that a connection which is gone is noticed, and one that may not go on is ended.
func (s *socket) beat(ctx context.Context) {
	ticker := time.NewTicker(s.Heartbeat)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-s.Shutdown:
			s.goAway()
			return
		case <-ctx.Done():
			return
		}
		if !s.still(ctx) || !s.ping(ctx) {
			s.hangUp()
			return
		}
	}
}

// ping waits longer for its answer than a message of the client can take, for it is read after that.
func (s *socket) ping(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Minute+s.MaxWrite)
	defer cancel()
	return s.conn.Ping(ctx) == nil
}

// still reports whether the socket's owner may go on.
func (s *socket) still(ctx context.Context) bool {
	if s.welcome.Err() != nil {
		return false // dismiss tells why
	}
	if s.Still == nil {
		return true
	}
	err := s.Still(ctx, s.who)
	if err != nil && ctx.Err() == nil {
		s.send(ctx, fault(err))
	}
	return err == nil
}

// goAway closes the socket because the process is going: the client may come back.
func (s *socket) goAway() {
	_ = s.conn.Close(websocket.StatusServiceRestart, "the server is shutting down: connect again, after your last cursor")
	s.cut()
}

// dismiss closes the socket because its credential is no longer good.
func (s *socket) dismiss() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // it may not read
	defer cancel()
	if data, err := json.Marshal(fault(rein.Errorf(rein.CodeUnauthorized, "%v", context.Cause(s.welcome)))); err == nil {
		_ = s.conn.Write(ctx, websocket.MessageText, data)
	}
	_ = s.conn.Close(websocket.StatusPolicyViolation, "your credential is no longer valid")
	s.cut()
}

func (s *socket) hangUp() {
	s.cut()
	_ = s.conn.CloseNow() // whatever it says, nobody is there
}
