package embed

import (
	"math"

	"rein"
)

// maxDimension is far beyond what models make.
const maxDimension = 1 << 16

// check holds what came back against what was asked: a vector that is missing, of another dimension
// or no direction would spoil every search after it, and nobody would notice.
func (e *Embedder) check(texts []string, made rein.Embedding) error {
	name := e.Info().Name
	if len(made.Vectors) != len(texts) {
		return rein.Errorf(rein.CodeProvider, "model %q was given %d texts and returned %d vectors", name, len(texts), len(made.Vectors))
	}
	for i, v := range made.Vectors {
		if len(v) == 0 || len(v) > maxDimension {
			return rein.Errorf(rein.CodeProvider, "model %q returned a vector of %d numbers; is it a model for embeddings?", name, len(v))
		}
		if !isDirection(v) {
			return rein.Errorf(rein.CodeProvider, "model %q returned a vector for text %d that points nowhere: all zeros, or numbers that are none", name, i+1)
		}
		e.dimension.CompareAndSwap(0, int64(len(v)))
		if want := e.Space().Dimension; len(v) != want {
			return rein.Errorf(rein.CodeProvider, "model %q returned a vector of %d numbers where others have %d: vectors of two models cannot be compared", name, len(v), want)
		}
	}
	return nil
}

// isDirection reports whether an angle to the vector can be taken.
func isDirection(v []float32) bool {
	length := 0.0
	for _, x := range v {
		length += float64(x) * float64(x)
	}
	return length > 0 && !math.IsInf(length, 0) && !math.IsNaN(length)
}
