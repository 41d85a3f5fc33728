package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"rein"
	"rein/model/sent"
)

var _ rein.Embedder = (*Model)(nil)

// Space implements rein.Embedder. The dimension is the server's to choose.
func (m *Model) Space() rein.Space { return rein.Space{Model: m.opt.Model} }

// Embed implements rein.Embedder, in one request: how many texts that may be, how often it is tried
// and what of the vectors is believed is the caller's matter.
func (m *Model) Embed(ctx context.Context, texts []string) (rein.Embedding, error) {
	if len(texts) == 0 {
		return rein.Embedding{}, nil
	}
	r := &embedReader{want: len(texts)}
	body := encode(struct {
		Input  []string `json:"input"`
		Model  string   `json:"model"`
		Format string   `json:"encoding_format"`
	}{texts, m.opt.Model, "float"})
	reply, err := m.exchange(ctx, post{path: embedPath, body: &sent.Body{Data: body}, into: r, alive: func() {}})
	if err != nil {
		return rein.Embedding{}, err
	}
	e := rein.Embedding{Vectors: r.vectors, Pace: reply.Pace}
	if u := reply.Usage; u != nil {
		e.Usage = &rein.Usage{Input: u.Input}
	}
	return e, nil
}

// embedReader reads a list of vectors.
type embedReader struct {
	want    int
	vectors [][]float32
	usage   *usage
}

func (r *embedReader) whole(data []byte) error {
	var body struct {
		Data []struct {
			Index     int
			Embedding []*float32 // null is no number
		}
		Usage *usage
		Error any
	}
	err := json.Unmarshal(data, &body) // not decode: a number that does not fit must not become zero
	_, unfit := errors.AsType[*json.UnmarshalTypeError](err)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok && wrong.Offset < int64(len(data)) {
		unfit = true // it is not that the end is missing: some write NaN
	}
	switch {
	case body.Error != nil:
		return parseFault(data)
	case unfit:
		return &fault{Message: fmt.Sprintf("what came back is no list of vectors: %v", err), Code: notJSON}
	case err != nil:
		return fmt.Errorf("the vectors are not whole: %w", err)
	}
	if len(body.Data) != r.want {
		return &fault{Message: fmt.Sprintf("%d texts were sent and %d vectors came back", r.want, len(body.Data)), Code: notJSON}
	}
	r.usage, r.vectors = body.Usage, make([][]float32, r.want)
	for _, d := range body.Data {
		if d.Index < 0 || d.Index >= r.want || r.vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return &fault{Message: fmt.Sprintf("the vector of text %d is missing, empty or there twice", d.Index), Code: notJSON}
		}
		r.vectors[d.Index] = make([]float32, len(d.Embedding))
		for i, x := range d.Embedding {
			if x == nil {
				return &fault{Message: fmt.Sprintf("the vector of text %d has parts that are no numbers", d.Index), Code: notJSON}
			}
			r.vectors[d.Index][i] = *x
		}
	}
	return nil
}

func (r *embedReader) event([]byte) (bool, error) { return false, errNoEnd }
func (r *embedReader) ended() bool                { return false }

func (r *embedReader) reply() (rein.ModelReply, error) {
	return rein.ModelReply{Usage: r.usage.rein()}, nil
}
