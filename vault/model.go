package vault

import (
	"context"
	"fmt"

	"rein"
)

// OfModel makes an Embedder of a provider's model. If the dimension of its vectors is not known yet,
// one is made to see.
func OfModel(ctx context.Context, of rein.Embedder) (Embedder, error) {
	space := of.Space()
	if space.Dimension == 0 {
		made, err := of.Embed(ctx, []string{"dimension"})
		if err != nil {
			return nil, err
		}
		if len(made.Vectors) != 1 || len(made.Vectors[0]) == 0 {
			return nil, rein.Errorf(rein.CodeProvider, "model %q returned no vector", space.Model)
		}
		space.Dimension = len(made.Vectors[0])
	}
	return &model{of, space}, nil
}

type model struct {
	of    rein.Embedder
	space rein.Space
}

func (m *model) ID() string { return fmt.Sprintf("%s/%d", m.space.Model, m.space.Dimension) }
func (m *model) Dim() int   { return m.space.Dimension }

func (m *model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	made, err := m.of.Embed(ctx, texts)
	return made.Vectors, err
}
