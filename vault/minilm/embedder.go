package minilm

import (
	"context"

	"rein"
)

// Embedder returns the model as one that makes vectors like those of providers.
func (m *Model) Embedder() rein.Embedder { return embedder{m} }

type embedder struct{ model *Model }

// Info names the model; it is free, and reads texts of any length, but no more than MaxTokens of them.
func (e embedder) Info() rein.ModelInfo { return rein.ModelInfo{Name: e.model.ID(), Window: MaxTokens} }

func (e embedder) Space() rein.Space {
	return rein.Space{Model: e.model.ID(), Dimension: Dimension}
}

func (e embedder) Embed(ctx context.Context, texts []string) (rein.Embedding, error) {
	vectors, err := e.model.Embed(ctx, texts)
	return rein.Embedding{Vectors: vectors}, err
}
