package openai

import "fmt"

// event implements reader: one chunk. The stream's end is an event of its own, [DONE].
func (r *chatReader) event(data []byte) (last bool, err error) {
	body := &r.chunk
	if content := r.shape.content(data); content != nil {
		body.Choices[0].Delta.Content = content // all else is as in the chunk before
	} else if err := r.readChunk(data, body); err != nil {
		return false, err
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

func (r *chatReader) readChunk(data []byte, body *chatBody) error {
	*body = chatBody{Model: r.model, Choices: body.Choices[:0]}
	if contentAt, ok := scanChunk(data, body); ok {
		r.shape.learn(data, contentAt, body)
		return nil
	}
	*body = chatBody{}
	r.shape.forget()
	if err := decode(data, body); err != nil {
		return fmt.Errorf("a chunk is not JSON: %w", err)
	}
	return nil
}

// ended implements reader. Some servers send no [DONE].
func (r *chatReader) ended() bool { return r.finish != "" }
