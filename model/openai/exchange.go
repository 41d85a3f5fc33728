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

	"github.com/openai/openai-go/v3/packages/ssestream"

	"rein"
)

// maxReply is the most bytes of a reply that are read: nothing that rein can keep is longer.
const maxReply = 64 << 20

// A reader makes a reply of what a server sends: one JSON value, or events.
type reader interface {
	whole(data []byte) error
	event(data []byte) (last bool, err error)
	// ended reports whether the reply is complete, though no event said that it was the last.
	ended() bool
	reply() (rein.ModelReply, error)
}

// exchange sends a request and reads the answer.
func (m *Model) exchange(ctx context.Context, send func(**http.Response) error, into reader, streamed bool, alive func()) (rein.ModelReply, error) {
	var res *http.Response
	err := send(&res)
	if res == nil || res.Body == nil {
		return rein.ModelReply{}, m.lost(ctx, err)
	}
	defer res.Body.Close()
	alive()
	pace := paceOf(res.Header, time.Now())
	if res.StatusCode/100 != 2 {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		return rein.ModelReply{}, unreached(m.refused(parseFault(body).at(res.StatusCode), res.Header, pace))
	}
	if err == nil {
		res.Body = &heard{res.Body, alive}
		err = read(res, into, streamed)
	}
	var reply rein.ModelReply
	if err == nil {
		reply, err = into.reply()
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
	body := bufio.NewReader(&bounded{res.Body, maxReply})
	begin, err := firstByte(body)
	if err != nil {
		return err
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case begin == '{' || begin == '[':
		data, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		return into.whole(data)
	case streamed || media == "text/event-stream":
		return readEvents(res, body, into)
	}
	start, _ := body.Peek(200)
	return &fault{Message: "the answer is not JSON: " + string(start), Code: notJSON}
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

func readEvents(res *http.Response, body *bufio.Reader, into reader) error {
	events := ssestream.NewDecoder(&http.Response{Header: res.Header, Body: struct {
		io.Reader
		io.Closer
	}{&errorLines{from: body}, res.Body}})
	for events.Next() {
		e := events.Event()
		data := bytes.TrimSpace(e.Data)
		if e.Type == "error" {
			return parseFault(data)
		}
		if len(data) == 0 {
			continue
		}
		if bytes.HasPrefix(data, []byte("[DONE]")) {
			drain(res.Body, body)
			return nil
		}
		last, err := into.event(data)
		if err != nil {
			return err
		}
		if last {
			drain(res.Body, body)
			return nil
		}
	}
	if err := events.Err(); err != nil {
		return err
	}
	if !into.ended() {
		return errNoEnd
	}
	return nil
}

// drain reads the few bytes after the last event, so that the connection can be used again. A
// server that does not end its stream is not waited for.
func drain(c io.Closer, rest io.Reader) {
	timer := time.AfterFunc(100*time.Millisecond, func() { c.Close() })
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, rest, 4<<10)
}

// bounded fails once too much was read.
type bounded struct {
	r    io.Reader
	left int64
}

var errTooMuch = &fault{Message: "the reply has no end: more than 64 MiB were read", Code: notJSON}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// heard tells of every piece that comes from the server.
type heard struct {
	io.ReadCloser
	alive func()
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.ReadCloser.Read(p)
	if n > 0 {
		h.alive()
	}
	return n, err
}

// decode reads JSON as far as it fits: one field of another type than expected costs that field.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}
