package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/wire"
)

// stream sends a feed as text/event-stream.
func (s *server) stream(w http.ResponseWriter, r *http.Request, id rein.RunID, o feed.Options) error {
	if err := s.canFollow(r.Context(), id, o); err != nil {
		return err
	}
	return openStream(w, r, func(ctx context.Context, to lineOut) { s.follow(ctx, id, o, to) })
}

// openStream answers with a text/event-stream that has what send sends.
func openStream(w http.ResponseWriter, r *http.Request, send func(context.Context, lineOut)) error {
	out := stream{wire.NewStream(w)}
	if out.Begin("") {
		send(r.Context(), out)
	}
	return nil
}

// stream writes frames to a text/event-stream.
type stream struct{ *wire.Stream }

func (s stream) beat() bool { return s.Beat() }

func (s stream) frame(f api.Frame, more bool) bool {
	m := wire.Message{Event: f.Type, Data: struct{}{}}
	switch {
	case f.Problem != nil:
		m.Data = f.Problem
	case f.Hint != nil:
		m.Data = f.Hint
	case f.Line != nil:
		m.ID, m.Data = f.Line.Cursor, f.Line
	}
	if more {
		return s.Queue(m)
	}
	return s.Send(m)
}
