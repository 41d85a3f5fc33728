package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"rein/model/bounded"
	"rein/model/sent"
)

// maxBody is the most of an answer that is read. No model writes as much.
const maxBody = 64 << 20

var errTooBig = errors.New("the answer is larger than any reply can be")

// A refusal is what the server says instead of a reply.
type refusal struct {
	status int // 0 within a stream: the type says what it is
	body   []byte
}

func (r *refusal) Error() string { return string(r.body) }

// seen is what is to be known of an answer, beside the reply.
type seen struct {
	status int
	header http.Header
	alive  func()        // is called with every piece that comes
	said   func() string // rein.ModelRequest.Said
}

// readable reports whether the answer is of a type that the API sends.
func (s *seen) readable() bool { return s.isJSON() || s.mediaType() == "text/event-stream" }

func (s *seen) isJSON() bool { return s.mediaType() == "application/json" }

func (s *seen) mediaType() string {
	kind, _, _ := mime.ParseMediaType(s.header.Get("Content-Type"))
	return kind
}

// post sends a request and returns the body of a good answer, which the caller closes.
func (m *Model) post(ctx context.Context, body *sent.Body, s *seen) (io.ReadCloser, error) {
	request, err := body.Post(ctx, m.opts.BaseURL+"v1/messages")
	if err != nil {
		return nil, err
	}
	h := request.Header
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json")
	h.Set("User-Agent", "rein")
	h.Set("Anthropic-Version", "2023-06-01")
	if m.opts.Key != "" {
		h.Set("X-Api-Key", m.opts.Key)
	}
	answer, err := m.client.Do(request)
	if err != nil {
		return nil, err
	}
	s.status, s.header = answer.StatusCode, answer.Header
	s.alive()
	from := &bounded.Body{ReadCloser: answer.Body, Left: maxBody, TooMuch: errTooBig, Alive: s.alive}
	if answer.StatusCode/100 == 2 {
		return from, nil
	}
	defer from.Close()
	said, _ := io.ReadAll(io.LimitReader(from, 1<<20)) // the status says enough where the text is cut
	return nil, &refusal{answer.StatusCode, said}
}

// whole asks for a reply in one piece, and shows it likewise.
func (m *Model) whole(ctx context.Context, body *sent.Body, s *seen, show func(string)) (*received, error) {
	answer, err := m.post(ctx, body, s)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	return readWhole(answer, show)
}

// readWhole reads a reply in one piece.
func readWhole(body io.Reader, show func(string)) (*received, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	var msg messageBody
	if err := decode(data, &msg); err != nil {
		return nil, err
	}
	switch {
	case msg.Type == "error":
		return nil, &refusal{body: data}
	case msg.Content == nil || msg.Stop == nil:
		return nil, errNoMessage
	}
	got := &received{stop: *msg.Stop}
	got.usage.update(msg.Usage)
	for _, raw := range msg.Content {
		b := wholeBlock(raw)
		got.blocks = append(got.blocks, b)
		if show != nil && b.Type == kindText && b.Text != "" {
			show(b.Text)
		}
	}
	if got.cut() {
		got.blocks[len(got.blocks)-1].markCut()
	}
	return got, nil
}

// decode reads JSON as far as it fits: one field of another type than expected costs that field.
func decode(data []byte, into any) error {
	err := json.Unmarshal(data, into)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}
