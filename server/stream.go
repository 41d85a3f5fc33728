package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/feed"
)

// maxWrite is how long a client may take to read what it is sent. One that takes longer is cut off;
// it can go on from its cursor.
const maxWrite = 30 * time.Second

// stream sends a feed as text/event-stream.
func (s *server) stream(w http.ResponseWriter, r *http.Request, id rein.RunID, o feed.Options) error {
	if err := s.canFollow(r.Context(), id, o); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in between must not hold it back
	out := &stream{w: w, control: http.NewResponseController(w)}
	if out.write("retry: 1000\n\n") {
		s.follow(r.Context(), id, o, out)
	}
	return nil
}

// stream writes a text/event-stream.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	buffer  bytes.Buffer
}

func (s *stream) beat() bool { return s.write(": nothing new\n\n") }

func (s *stream) frame(f api.Frame) bool {
	var value any = struct{}{}
	s.buffer.Reset()
	switch {
	case f.Problem != nil:
		value = f.Problem
	case f.Line != nil:
		value = f.Line
		if f.Line.Cursor != "" {
			s.buffer.WriteString("id: " + f.Line.Cursor + "\n")
		}
	}
	s.buffer.WriteString("event: " + f.Type + "\ndata: ")
	e := json.NewEncoder(&s.buffer)
	e.SetEscapeHTML(false)
	if e.Encode(value) != nil { // it ends with a line feed
		return false
	}
	s.buffer.WriteString("\n")
	return s.write(s.buffer.String())
}

func (s *stream) write(text string) bool {
	_ = s.control.SetWriteDeadline(time.Now().Add(maxWrite)) // in process there is none
	if _, err := s.w.Write([]byte(text)); err != nil {
		return false
	}
	return s.control.Flush() == nil
}
