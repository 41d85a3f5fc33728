package anthropic

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"rein/internal/sse"
	"rein/model/sent"
)

var (
	errNoMessage = errors.New("the answer is not a message of this API")
	errCut       = errors.New("the connection was lost before the reply was complete")
)

// stream asks for a reply piece by piece and shows its text as it comes.
func (m *Model) stream(ctx context.Context, body *sent.Body, s *seen, show func(string)) (*received, error) {
	answer, err := m.post(ctx, body, s)
	if err != nil {
		return nil, err
	}
	defer answer.Close()
	if s.isJSON() {
		return readWhole(answer, show) // some servers send it, whatever they are asked for
	}
	return readEvents(ctx, answer, s.said, show)
}

func readEvents(ctx context.Context, body io.ReadCloser, said func() string, show func(string)) (*received, error) {
	a := assembly{said: said, show: show}
	from := sse.Borrow(body)
	defer from.Return()
	for {
		event, err := from.Events.Next()
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, io.EOF):
			return nil, errCut
		case err != nil:
			return nil, err
		case event.Type == "error":
			return nil, &refusal{body: bytes.Clone(event.Data)}
		case len(bytes.TrimSpace(event.Data)) == 0:
			continue
		}
		if err := a.take(event.Data); err != nil {
			return nil, err
		}
		if a.ended {
			from.Drain(body)
			return a.finish()
		}
	}
}

// maxBlocks is more than any reply has; a broken server must not fill the memory.
const maxBlocks = 10_000

// An assembly puts a reply together from its events.
type assembly struct {
	show         func(string)
	said         func() string // what was shown, if it is kept
	shown        int
	got          received
	pieces       []*piece // by index
	begun, ended bool
}

// A piece is a content block that is still growing.
type piece struct {
	kind                      string
	fields                    map[string]json.RawMessage
	text                      sent.Text
	thinking, signature, args strings.Builder
	citations                 []json.RawMessage
}

func (a *assembly) take(data []byte) error {
	var e streamEvent
	if err := decode(data, &e); err != nil {
		return err
	}
	switch e.Type {
	case "error":
		return &refusal{body: bytes.Clone(data)}
	case "message_start":
		a.begun = true
		a.got.usage.update(e.Message.Usage)
		if e.Message.Stop != nil {
			a.got.stop = *e.Message.Stop
		}
	case "content_block_start":
		return a.open(e.Index, e.ContentBlock)
	case "content_block_delta":
		return a.grow(e.Index, e.Delta)
	case "message_delta":
		if e.Delta.StopReason != "" {
			a.got.stop = e.Delta.StopReason
		}
		a.got.usage.update(e.Usage)
	case "message_stop":
		a.ended = true
	}
	return nil
}

func (a *assembly) open(index int64, raw json.RawMessage) error {
	if index != int64(len(a.pieces)) || index >= maxBlocks {
		return errNoMessage
	}
	p := &piece{text: sent.Text{Said: a.said}}
	if json.Unmarshal(raw, &p.fields) != nil || p.fields == nil {
		return errNoMessage
	}
	// Most blocks begin empty, but a server may send all of one at once.
	p.kind = p.take("type")
	text := p.take("text")
	p.thinking.WriteString(p.take("thinking"))
	p.signature.WriteString(p.take("signature"))
	a.pieces = append(a.pieces, p)
	a.say(p, text)
	return nil
}

// take returns a text that the block began with.
func (p *piece) take(field string) string {
	var text string
	_ = json.Unmarshal(p.fields[field], &text)
	return text
}

func (a *assembly) grow(index int64, d eventDelta) error {
	if index < 0 || index >= int64(len(a.pieces)) {
		return errNoMessage
	}
	p := a.pieces[index]
	switch d.Type {
	case "text_delta":
		a.say(p, d.Text)
	case "input_json_delta":
		p.args.WriteString(d.PartialJSON)
	case "thinking_delta":
		p.thinking.WriteString(d.Thinking)
	case "signature_delta":
		p.signature.WriteString(d.Signature)
	case "citations_delta":
		p.citations = append(p.citations, d.Citation)
	}
	return nil
}

// say adds to the text of a block and shows it. Blocks come one after the other, so what is shown is
// the beginning of the reply's text at any time.
func (a *assembly) say(p *piece, text string) {
	if a.show == nil || p.kind != kindText {
		p.text.Said = nil
	}
	p.text.Add(text, a.shown)
	if text != "" && a.show != nil && p.kind == kindText {
		a.show(text)
		a.shown += len(text)
	}
}

func (a *assembly) finish() (*received, error) {
	if !a.begun {
		return nil, errNoMessage
	}
	for _, p := range a.pieces {
		b, err := p.block()
		if err != nil {
			return nil, errNoMessage
		}
		a.got.blocks = append(a.got.blocks, b)
	}
	if n := len(a.pieces); a.got.cut() && a.pieces[n-1].args.Len() == 0 {
		a.got.blocks[n-1].markCut()
	}
	return &a.got, nil
}

// block writes the block as it would have come in one piece.
func (p *piece) block() (block, error) {
	set := func(field, text string) {
		if _, had := p.fields[field]; had || text != "" {
			p.fields[field], _ = json.Marshal(text) // a string always can be
		}
	}
	set("text", p.text.String())
	set("thinking", p.thinking.String())
	set("signature", p.signature.String())
	args := json.RawMessage(p.args.String())
	if len(args) > 0 {
		p.fields["input"] = object(args)
	}
	if len(p.citations) > 0 {
		var first []json.RawMessage
		_ = json.Unmarshal(p.fields["citations"], &first)
		all, err := json.Marshal(append(first, p.citations...))
		if err != nil {
			return block{}, err
		}
		p.fields["citations"] = all
	}
	raw, err := json.Marshal(p.fields)
	if err != nil {
		return block{}, err
	}
	b := wholeBlock(raw)
	if len(args) > 0 {
		b.args = args
	}
	return b, nil
}
