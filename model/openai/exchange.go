package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"rein"
	"rein/internal/sse"
	"rein/model/bounded"
	"rein/model/sent"
)

// maxReply is the most bytes of a reply that are read: nothing that rein can keep is longer.
const maxReply = 64 << 20

// A reader makes a reply of what a server sends: one JSON value, or events.
type reader interface {
	whole(data []byte) error
	event(data []byte) (last bool, err error) // may not keep data
	// ended reports whether the reply is complete, though no event said that it was the last.
	ended() bool
	reply() (rein.ModelReply, error)
}

// A post is a request, and what is made of the answer.
type post struct {
	path     string // one of paths
	body     *sent.Body
	into     reader
	streamed bool
	alive    func() // is called with every piece that comes
}

// paths are where a request may go, below the base URL.
var paths = []string{chatPath, responsesPath, embedPath}

const (
	chatPath      = "chat/completions"
	responsesPath = "responses"
	embedPath     = "embeddings"
)

// send posts a request. Retries are the caller's, who knows the budget.
func (m *Model) send(ctx context.Context, x post) (*http.Response, error) {
	request, err := x.body.Post(ctx, "")
	if err != nil {
		return nil, err
	}
	request.URL = m.places[x.path]
	h := request.Header
	h.Set("Content-Type", "application/json")
	h.Set("User-Agent", "rein")
	h.Set("Accept", "application/json")
	if x.streamed {
		h.Set("Accept", "text/event-stream")
	}
	switch {
	case m.opt.Key == "":
	case m.opt.Quirks.KeyHeader != "":
		h.Set(m.opt.Quirks.KeyHeader, m.opt.Key)
	default:
		h.Set("Authorization", "Bearer "+m.opt.Key)
	}
	return m.opt.HTTP.Do(request)
}

// exchange sends a request and reads the answer.
func (m *Model) exchange(ctx context.Context, x post) (rein.ModelReply, error) {
	res, err := m.send(ctx, x)
	if err != nil {
		return rein.ModelReply{}, m.lost(ctx, err)
	}
	defer res.Body.Close()
	x.alive()
	pace := paceOf(res.Header, time.Now())
	if res.StatusCode/100 != 2 {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		return rein.ModelReply{}, unreached(m.refused(parseFault(body).at(res.StatusCode), res.Header, pace))
	}
	res.Body = &bounded.Body{ReadCloser: res.Body, Left: maxReply, TooMuch: errTooMuch, Alive: x.alive}
	var reply rein.ModelReply
	if err = read(res, x.into, x.streamed); err == nil {
		reply, err = x.into.reply()
	}
	if f, ok := errors.AsType[*fault](err); ok {
		return rein.ModelReply{}, m.refused(f, res.Header, pace)
	}
	if err != nil {
		return rein.ModelReply{}, m.lost(ctx, err)
	}
	if reply.Model == "" {
		reply.Model = m.opt.Model
	}
	reply.Pace = pace
	return reply, nil
}

// read tells the two kinds of answer apart by how they begin: servers answer a wish for a stream
// with one value, and say that it is something else than it is.
func read(res *http.Response, into reader, streamed bool) error {
	body := sse.Borrow(res.Body)
	defer body.Return()
	begin, err := firstByte(body.Reader)
	if err != nil {
		return err
	}
	switch {
	case begin == '{' || begin == '[':
		data, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		return into.whole(data)
	case streamed || isEventStream(res.Header):
		return readEvents(res, body, into)
	}
	start, _ := body.Peek(200)
	return &fault{Message: "the answer is not JSON: " + string(start), Code: notJSON}
}

func isEventStream(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "text/event-stream"
}

func firstByte(r *bufio.Reader) (byte, error) {
	for {
		c, err := r.ReadByte()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, r.UnreadByte()
		}
	}
}

var errNoEnd = errors.New("the stream ended before the reply did")

func readEvents(res *http.Response, body *sse.Buffer, into reader) error {
	for {
		e, err := body.Events.Next()
		switch {
		case errors.Is(err, io.EOF):
			if !into.ended() {
				return errNoEnd
			}
			return nil
		case err != nil:
			return err
		}
		data := bytes.TrimSpace(e.Data)
		switch {
		case e.Type == "error":
			return parseFault(data)
		case len(data) == 0:
			continue
		case bytes.HasPrefix(data, []byte("[DONE]")):
			body.Drain(res.Body)
			return nil
		}
		last, err := into.event(data)
		if err != nil {
			return err
		}
		if last {
			body.Drain(res.Body)
			return nil
		}
	}
}

var errTooMuch = &fault{Message: "the reply has no end: more than 64 MiB were read", Code: notJSON}

// decode reads JSON as far as it fits: one field of another type than expected costs that field.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}
