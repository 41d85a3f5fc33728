package assist

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/people"
)

// flowOf is the flow that a request selects.
func flowOf(r *http.Request) string {
	if r.Header.Get(TaskHeader) == "1" {
		return TaskFlow
	}
	return Flow
}

// chat answers when the turn has ended, or waits for a person.
func (d *dialect) chat(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	body, err := readRequest(w, r)
	if err != nil {
		return err
	}
	t, err := d.begin(r.Context(), who, flowOf(r), r.Header.Get(KeyHeader), body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(r.Context(), d.Deadline)
	defer cancel()
	reply, err := d.carry(ctx, t, func([]Chunk) {}, func() {})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return late(d.Deadline)
	case err != nil:
		return err
	case reply.failure != nil:
		return reply.failure.Err()
	}
	answer(w, http.StatusOK, reply)
	return nil
}

func late(deadline time.Duration) error {
	return rein.Errorf(rein.CodeTimeout, "it takes longer than %s; it goes on, and GET /chat/history will have what comes of it", deadline)
}

// stream tells of the turn while it goes on. Its last chunk is done, whatever happens.
func (d *dialect) stream(w http.ResponseWriter, r *http.Request, who people.Identity) error {
	body, err := readRequest(w, r)
	if err != nil {
		return err
	}
	t, err := d.begin(r.Context(), who, flowOf(r), r.Header.Get(KeyHeader), body)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := newSSE(w, cancel)
	reply, err := d.carry(ctx, t, out.chunks, func() { out.write(": nothing new\n\n") })
	if err != nil {
		if ctx.Err() != nil {
			return nil // nobody is there; the run goes on
		}
		d.note(r, err)
		reply.Error = api.ProblemOf(err).Detail
	}
	out.chunks([]Chunk{reply.done()})
	return nil
}

// maxWrite is how long a client may take to read what it is sent.
const maxWrite = 30 * time.Second

// sse writes a text/event-stream. When nobody reads any more it calls gone.
type sse struct {
	w       http.ResponseWriter
	control *http.ResponseController
	gone    func()
}

func newSSE(w http.ResponseWriter, gone func()) *sse {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy in between must not hold it back
	return &sse{w, http.NewResponseController(w), gone}
}

func (s *sse) chunks(chunks []Chunk) {
	if len(chunks) == 0 {
		return
	}
	var b bytes.Buffer
	for _, c := range chunks {
		c.TS = time.Now().UTC()
		b.WriteString("data: ")
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(c) != nil { // it ends with a line feed
			return
		}
		b.WriteString("\n")
	}
	s.write(b.String())
}

func (s *sse) write(text string) {
	_ = s.control.SetWriteDeadline(time.Now().Add(maxWrite)) // in process there is none
	if _, err := s.w.Write([]byte(text)); err != nil || s.control.Flush() != nil {
		s.gone()
	}
}
