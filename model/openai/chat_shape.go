package openai

import (
	"bytes"
	"unicode/utf8"
)

// A chunkShape is a chunk without its content. Most chunks of a stream differ from the one before in their content
// only: then there is nothing else to read.
type chunkShape struct {
	before []byte // up to the content's first quote
	after  []byte // from its last one on
}

// learn remembers the shape of a chunk that was read, if all that it holds beside the content was copied.
func (p *chunkShape) learn(data []byte, contentAt int, body *chatBody) {
	p.forget()
	if len(body.Choices) != 1 {
		return
	}
	delta := &body.Choices[0].Delta
	if len(delta.Content) == 0 || len(delta.Reasoning) > 0 || len(delta.ToolCalls) > 0 {
		return
	}
	p.before = append(p.before, data[:contentAt+1]...)
	p.after = append(p.after, data[contentAt+len(delta.Content)-1:]...)
}

func (p *chunkShape) forget() { p.before, p.after = p.before[:0], p.after[:0] }

// content returns the quoted content of a chunk that has this shape, and nil for another one.
func (p *chunkShape) content(data []byte) []byte {
	if len(p.before) == 0 || len(data) < len(p.before)+len(p.after) || !bytes.HasPrefix(data, p.before) || !bytes.HasSuffix(data, p.after) {
		return nil
	}
	inside := data[len(p.before) : len(data)-len(p.after)]
	for _, c := range inside {
		if c < ' ' || c == '"' || c == '\\' {
			return nil
		}
	}
	if !utf8.Valid(inside) {
		return nil
	}
	return data[len(p.before)-1 : len(data)-len(p.after)+1]
}
