package openai

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"rein"
)

// embedBatch is how many texts are sent at once; servers take between 100 and 2,048.
const embedBatch = 96

// Embed returns a vector for each text, in their order, by the model of that name. The usage is nil
// if the server does not tell it.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, *rein.Usage, error) {
	vectors := make([][]float32, 0, len(texts))
	var total *rein.Usage
	for batch := range slices.Chunk(texts, embedBatch) {
		r := &embedReader{want: len(batch)}
		params := openai.EmbeddingNewParams{
			Model: m.Model, Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: batch},
			EncodingFormat: openai.EmbeddingNewParamsEncodingFormatFloat,
		}
		reply, err := m.exchange(ctx, func(dst **http.Response) error {
			_, err := m.embed.New(ctx, params, option.WithResponseBodyInto(dst))
			return err
		}, r, false)
		if err != nil {
			return nil, nil, err
		}
		vectors = append(vectors, r.vectors...)
		if u := reply.Usage; u != nil {
			if total == nil {
				total = &rein.Usage{}
			}
			total.Input += u.Input
		}
	}
	return vectors, total, nil
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
			Embedding []float32
		}
		Usage *usage
		Error any
	}
	if err := decode(data, &body); err != nil {
		return fmt.Errorf("the vectors are not whole: %w", err)
	}
	if body.Error != nil {
		return parseFault(data)
	}
	if len(body.Data) != r.want {
		return &fault{Message: fmt.Sprintf("%d texts were sent and %d vectors came back", r.want, len(body.Data)), Code: notJSON}
	}
	r.usage, r.vectors = body.Usage, make([][]float32, r.want)
	for _, d := range body.Data {
		if d.Index < 0 || d.Index >= r.want || r.vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return &fault{Message: fmt.Sprintf("the vector of text %d is missing, empty or there twice", d.Index), Code: notJSON}
		}
		r.vectors[d.Index] = d.Embedding
	}
	return nil
}

func (r *embedReader) event([]byte) (bool, error) { return false, errNoEnd }
func (r *embedReader) ended() bool                { return false }

func (r *embedReader) reply() (rein.ModelReply, error) {
	return rein.ModelReply{Usage: r.usage.rein()}, nil
}
