package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/feed"
	"rein/people"
)

// events sends the log of a run: as a stream that goes on until the run ends, or one page of it.
func (s *server) events(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	id := rein.RunID(r.PathValue("id"))
	if _, err := s.run(r.Context(), id, who); err != nil {
		return err
	}
	o := feed.Options{After: r.URL.Query().Get("after"), Tree: flag(r, "tree"), Idle: s.Heartbeat}
	if accepts(r, "text/event-stream") {
		if last := r.Header.Get("Last-Event-ID"); last != "" {
			o.After = last // a browser that reconnects sends it, with the address as it was
		}
		return s.stream(w, r, id, o)
	}
	lines, more, err := s.Feed.Page(r.Context(), id, o, number(r, "limit", api.DefaultLimit))
	if err != nil {
		return err
	}
	page := api.Lines{Lines: make([]api.Line, len(lines)), Next: o.After, More: more}
	for i, line := range lines {
		page.Lines[i], page.Next = api.Line(line), line.Cursor
	}
	return answer(w, http.StatusOK, page)
}

// accepts reports whether the request wants this media type by name.
func accepts(r *http.Request, media string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept"), ",") {
		kind, _, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(kind), media) {
			return true
		}
	}
	return false
}

// maxWrite is how long a client may take to read what it is sent. One that takes longer is cut off;
// it can go on from its cursor.
const maxWrite = 30 * time.Second

// stream sends a feed as text/event-stream.
func (s *server) stream(w http.ResponseWriter, r *http.Request, id rein.RunID, o feed.Options) error {
	if err := s.Feed.Check(r.Context(), id, o); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in between must not hold it back
	out := &stream{w: w, control: http.NewResponseController(w)}
	if !out.write("retry: 1000\n\n") {
		return nil
	}
	for line, err := range s.Feed.Follow(r.Context(), id, o) {
		if err != nil {
			if r.Context().Err() == nil {
				out.send("", api.StreamError, api.ProblemOf(err))
			}
			return nil
		}
		if !out.line(line) {
			return nil
		}
	}
	if r.Context().Err() == nil {
		out.send("", api.StreamEnd, struct{}{})
	}
	return nil
}

// stream writes a text/event-stream; each method reports whether someone still reads.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	buffer  bytes.Buffer
}

func (s *stream) line(line feed.Line) bool {
	switch {
	case line.Event != nil:
		return s.send(line.Cursor, api.StreamEvent, api.Line(line))
	case line.Delta != nil:
		return s.send("", api.StreamDelta, api.Line(line))
	}
	return s.write(": nothing new\n\n")
}

func (s *stream) send(id, event string, value any) bool {
	s.buffer.Reset()
	if id != "" {
		s.buffer.WriteString("id: " + id + "\n")
	}
	s.buffer.WriteString("event: " + event + "\ndata: ")
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
