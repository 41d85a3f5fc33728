package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/port"
	"rein/server/shown"
	"rein/server/wire"
)

// maxFollowed is how many agents one socket may follow at a time.
const maxFollowed = 16

// A socket is a WebSocket of this contract. It has one reader, which also carries out what it reads, and
// a goroutine per agent that is followed.
type socket struct {
	*dialect
	who      rein.Identity
	conn     *websocket.Conn
	ctx      context.Context // ends with the connection; runs do not
	cancel   context.CancelFunc
	wait     sync.WaitGroup
	followed atomic.Int32
	book     shown.Book // what it was shown, and under which IDs
}

// socket serves a WebSocket. What the address says of an agent starts one at once.
func (d *dialect) socket(w http.ResponseWriter, r *http.Request, who rein.Identity, in Input) error {
	// checkOrigin is stricter than the library's own check, and knows which origins are allowed.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: []string{port.Protocol}})
	if err != nil {
		return nil // it has answered
	}
	conn.SetReadLimit(api.MaxBody)
	s := &socket{dialect: d, who: who, conn: conn}
	s.ctx, s.cancel = context.WithCancel(r.Context())
	defer s.wait.Wait()
	defer conn.CloseNow()
	defer s.cancel()
	s.wait.Go(s.beat)
	if in.Prompt != "" || in.LastEventID != "" {
		s.tell("start-agent", s.startAgent(in))
	}
	for {
		kind, data, err := conn.Read(s.ctx)
		if err != nil || port.Frame(s.ctx) != nil {
			return nil
		}
		if kind != websocket.MessageText {
			s.tell("", rein.Errorf(rein.CodeInvalid, "the message is binary: send JSON as text"))
			continue
		}
		s.receive(data)
	}
}

// beat asks again and again whether the other side is there, and hangs up if it does not answer.
func (s *socket) beat() {
	tick := time.NewTicker(s.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
		}
		ctx, cancel := context.WithTimeout(s.ctx, wire.MaxWrite)
		err := s.conn.Ping(ctx)
		cancel()
		if err != nil {
			s.cancel()
			return
		}
	}
}

// receive carries out one message.
func (s *socket) receive(data []byte) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		s.tell("", rein.Errorf(rein.CodeInvalid, "the message is not a JSON object with a type: %w", err))
		return
	}
	s.tell(head.Type, s.carryOut(head.Type, data))
}

func (s *socket) carryOut(kind string, data []byte) error {
	switch kind {
	case "start-agent":
		var m struct {
			Type string `json:"type"`
			Input
		}
		if err := wire.Decode(data, &m); err != nil {
			return err
		}
		return s.startAgent(m.Input)
	case "user-response":
		var m struct {
			Type string `json:"type"`
			Response
		}
		if err := wire.Decode(data, &m); err != nil {
			return err
		}
		return s.respond(m.Response)
	case "user-intervention":
		var m struct {
			Type    string     `json:"type"`
			AgentID rein.RunID `json:"agentId"`
			Overrides
		}
		if err := wire.Decode(data, &m); err != nil {
			return err
		}
		if err := s.intervene(s.ctx, s.who, m.AgentID, m.Overrides, ""); err != nil {
			return err
		}
		success := true
		s.send(Chunk{Type: InterventionSuccess, AgentID: m.AgentID, Success: &success})
		return nil
	case "get-agent-tree":
		var m struct {
			Type    string     `json:"type"`
			AgentID rein.RunID `json:"agentId"`
		}
		if err := wire.Decode(data, &m); err != nil {
			return err
		}
		tree, err := s.tree(s.ctx, s.who, m.AgentID)
		if err == nil {
			s.send(Chunk{Type: AgentTree, Tree: tree})
		}
		return err
	}
	return rein.Errorf(rein.CodeInvalid, "message type %.40q does not exist; available: start-agent, user-response, user-intervention, get-agent-tree", kind)
}

// startAgent starts or goes on with an agent, and follows it beside the others.
func (s *socket) startAgent(in Input) error {
	if s.followed.Add(1) > maxFollowed {
		s.followed.Add(-1)
		return rein.Errorf(rein.CodeBusy, "this connection already follows %d agents: wait until one has ended, or open another connection", maxFollowed)
	}
	f, err := s.open(s.ctx, s.who, in)
	if err != nil {
		s.followed.Add(-1)
		return err
	}
	s.wait.Go(func() {
		defer s.followed.Add(-1)
		s.followAgent(f)
	})
	return nil
}

func (s *socket) followAgent(f *following) {
	err := s.follow(s.ctx, f, s.chunks, func() bool { return true })
	switch {
	case s.ctx.Err() != nil || errors.Is(err, errGone):
	case errors.Is(err, feed.ErrShutdown):
		s.conn.Close(websocket.StatusGoingAway, "shutting down: connect again and go on from the last eventId")
		s.cancel()
	case err != nil:
		s.tell("", err)
	default:
		s.completed(f.run)
	}
}

// completed says what came of an agent, after its last chunk.
func (s *socket) completed(run rein.RunID) {
	info, err := s.run(s.ctx, run, s.who)
	if err != nil {
		return
	}
	agent, err := s.agent(s.ctx, info, false)
	if err != nil {
		return
	}
	s.send(Chunk{Type: AgentCompleted, AgentID: run, State: &agent, Result: agent.Result})
}

func (s *socket) chunks(chunks []Chunk) bool {
	for _, c := range chunks {
		if !s.send(c) {
			return false
		}
	}
	return true
}

// tell tells an error; nil is none.
func (s *socket) tell(request string, err error) {
	if err == nil || s.ctx.Err() != nil {
		return
	}
	if code := rein.CodeOf(err); api.Status(code) >= 500 && code != rein.CodeUnavailable {
		s.Log.Error("a message failed", "type", request, "error", err)
	}
	f := failureOf(err)
	s.send(Chunk{Type: Error, Error: f.Error, ErrorText: f.Error, Code: f.Code})
}

// send writes one message and reports whether someone still reads. What it asks gets an ID of this
// connection, under which the answer is taken.
func (s *socket) send(c Chunk) bool {
	c.named(&s.book)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(c) != nil {
		return false
	}
	write := func() bool {
		ctx, cancel := context.WithTimeout(s.ctx, wire.MaxWrite)
		defer cancel()
		return s.conn.Write(ctx, websocket.MessageText, bytes.TrimSpace(b.Bytes())) == nil
	}
	if c.ask == nil {
		return write()
	}
	return s.book.Send(string(c.AgentID), c.QueryID, write)
}
