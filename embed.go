package rein

import "context"

// An Embedder turns texts into vectors: the nearer the meanings of two texts, the smaller the angle
// between theirs.
type Embedder interface {
	// Info returns what is known of the model beforehand.
	Info() ModelInfo
	// Space says which vectors may be compared with those that it makes.
	Space() Space
	// Embed returns a vector for each text, in their order and all of one dimension, or an error and
	// none.
	Embed(ctx context.Context, texts []string) (Embedding, error)
}

// A Space is where vectors can be compared: those of one model and dimension.
type Space struct {
	Model     string // as its provider calls it
	Dimension int    // zero: not known before the first vector
}

// An Embedding is what came of texts.
type Embedding struct {
	Vectors [][]float32
	Usage   *Usage // nil: the provider did not say
	Pace    *Pace  // what the provider said of its limits, if it did
}
