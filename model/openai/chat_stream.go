package openai

import "fmt"

// event implements reader: one chunk. The stream's end is an event of its own, [DONE].
func (r *chatReader) event(data []byte) (last bool, err error) {
	body := &r.chunk
	*body = chatBody{Model: r.model, Choices: body.Choices[:0]}
	if !scanChunk(data, body) {
		*body = chatBody{}
		if err := decode(data, body); err != nil {
			return false, fmt.Errorf("a chunk is not JSON: %w", err)
		}
	}
	if isSet(body.Error) {
		return false, parseFault(data)
	}
	r.take(body)
	for _, c := range body.Choices {
		if c.Index != 0 {
			continue // only one reply was asked for
		}
		if isSet(c.Error) {
			return false, parseFault(c.Error)
		}
		r.add(c.Delta)
		if c.Finish != "" {
			r.finish = c.Finish
		}
	}
	return false, nil
}

// ended implements reader. Some servers send no [DONE].
func (r *chatReader) ended() bool { return r.finish != "" }
