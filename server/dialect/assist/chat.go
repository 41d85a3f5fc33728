package assist

import (
	"context"
	"errors"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// flowOf is the flow that a request selects.
func flowOf(r *http.Request) string {
	if r.Header.Get(TaskHeader) == "1" {
		return TaskFlow
	}
	return Flow
}

// receive reads a message and begins its turn.
func (d *dialect) receive(w http.ResponseWriter, r *http.Request, who rein.Identity) (*turn, error) {
	body, err := readRequest(w, r)
	if err != nil {
		return nil, err
	}
	return d.begin(r.Context(), who, flowOf(r), r.Header.Get(KeyHeader), body)
}

// chat answers when the turn has ended, or waits for a person.
func (d *dialect) chat(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	t, err := d.receive(w, r, who)
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
	t.show(reply, func(reply Reply) bool { return answer(w, http.StatusOK, reply) && r.Context().Err() == nil })
	return nil
}

func late(deadline time.Duration) error {
	return rein.Errorf(rein.CodeTimeout, "this takes longer than %s. The work continues, and GET /chat/history will show the result", deadline)
}

// stream tells of the turn while it goes on. Its last chunk is done, whatever happens.
func (d *dialect) stream(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	t, err := d.receive(w, r, who)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out := &sse{wire.NewStream(w), cancel}
	reply, err := d.carry(ctx, t, out.chunks, out.beat)
	if err != nil {
		if ctx.Err() != nil {
			return nil // nobody is there; the run goes on
		}
		d.serve.Note(r, err)
		reply.Error = api.ProblemOf(err).Detail
	}
	t.show(reply, func(reply Reply) bool {
		out.chunks([]Chunk{reply.done()})
		return ctx.Err() == nil
	})
	return nil
}

// sse sends chunks. When nobody reads any more it calls gone.
type sse struct {
	*wire.Stream
	gone func()
}

func (s *sse) chunks(chunks []Chunk) {
	messages := make([]wire.Message, len(chunks))
	for i, c := range chunks {
		c.TS = time.Now().UTC()
		messages[i] = wire.Message{Data: c}
	}
	if len(messages) > 0 && !s.Send(messages...) {
		s.gone()
	}
}

func (s *sse) beat() {
	if !s.Beat() {
		s.gone()
	}
}
