package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/port"
	"rein/server/wire"
)

// wantsSocket reports whether the request asks for a WebSocket.
func wantsSocket(r *http.Request) bool {
	return strings.EqualFold(r.Header.Get("Upgrade"), "websocket")
}

// socket sends a feed over a WebSocket.
func (s *server) socket(w http.ResponseWriter, r *http.Request, id rein.RunID, o feed.Options) error {
	if err := s.canFollow(r.Context(), id, o); err != nil {
		return err
	}
	return openSocket(w, r, func(ctx context.Context, to lineOut) { s.follow(ctx, id, o, to) })
}

// openSocket answers with a WebSocket that has what send sends: each message is an api.Frame. What the client sends is not
// read, but for its leaving.
func openSocket(w http.ResponseWriter, r *http.Request, send func(context.Context, lineOut)) error {
	// Who may connect from where was checked before the request came here.
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: []string{port.Protocol}})
	if err != nil {
		return nil // it has answered
	}
	defer c.CloseNow()
	c.SetReadLimit(1 << 10)
	ctx := c.CloseRead(r.Context())
	send(ctx, &socket{ctx, c})
	if ctx.Err() == nil {
		c.Close(websocket.StatusNormalClosure, "")
	}
	return nil
}

// socket writes frames to a WebSocket.
type socket struct {
	ctx  context.Context
	conn *websocket.Conn
}

func (s *socket) frame(f api.Frame, _ bool) bool {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(f) != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(s.ctx, wire.MaxWrite)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, bytes.TrimSpace(b.Bytes())) == nil
}

// beat asks the other side whether it is there. It does not wait for long: a client that does not
// answer is gone.
func (s *socket) beat() bool {
	ctx, cancel := context.WithTimeout(s.ctx, 10*time.Second)
	defer cancel()
	return s.conn.Ping(ctx) == nil
}
