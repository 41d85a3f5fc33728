// Package minilm runs the embedding model all-MiniLM-L6-v2 in pure Go. The weights are part of the
// binary and are used in place, 4 bits each, so a loaded model needs little memory. The model knows
// English only and reads at most 256 tokens of a text; Windows splits longer ones.
package minilm

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

const (
	// Dimension is the length of each vector.
	Dimension = hidden
	// MaxTokens is how much of a text the model reads, with the two tokens that enclose it.
	MaxTokens = 256
)

// revision is raised when the same weights come to give other vectors: another tokenizer or pooling.
const revision = 1

// A Model makes vectors of texts. It costs nothing until it is first used, and may be used by any
// number of goroutines.
type Model struct {
	words   func() *vocabulary
	weights func() (*weights, error)
	kernels kernels
	workers int
	places  chan struct{} // one for each text under way: bounds the memory of arenas
	arenas  sync.Pool
}

// New returns a model that works on all cores.
func New() *Model { return newModel(fastest(), runtime.GOMAXPROCS(0)) }

func newModel(k kernels, workers int) *Model {
	return &Model{
		words:   sync.OnceValue(func() *vocabulary { return newVocabulary(vocabularyText) }),
		weights: sync.OnceValues(func() (*weights, error) { return readWeights(blob) }),
		kernels: k,
		workers: workers,
		// Twice the cores, so that a query need not wait for the next text of an indexer to end.
		places: make(chan struct{}, 2*workers),
		arenas: sync.Pool{New: func() any { return newArena() }},
	}
}

// ID names the model, its weights and how we run them. Vectors of different IDs must not be compared.
func (m *Model) ID() string {
	return fmt.Sprintf("%s@%.12s.%d", modelName, blobSHA256, revision)
}

// Dim returns the length of each vector.
func (m *Model) Dim() int { return Dimension }

// Embed returns a vector of length one for each text, in their order. What a text has beyond
// MaxTokens is not read. It stops soon after the context ends, and returns why.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	var next atomic.Int64
	var failed firstError
	var group sync.WaitGroup
	for range min(m.workers, len(texts)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(texts); i = int(next.Add(1)) - 1 {
				vector, err := m.embed(ctx, texts[i], hands(m.workers, len(texts)))
				if err != nil {
					failed.set(fmt.Errorf("embed text %d of %d: %w", i+1, len(texts), err))
					return
				}
				vectors[i] = vector
			}
		})
	}
	group.Wait()
	if err := failed.get(); err != nil {
		return nil, err
	}
	return vectors, nil
}

func (m *Model) embed(ctx context.Context, text string, workers int) ([]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	w, err := m.weights()
	if err != nil {
		return nil, err
	}
	select {
	case m.places <- struct{}{}:
		defer func() { <-m.places }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	a := m.arenas.Get().(*arena)
	defer m.arenas.Put(a)
	a.ids = m.words().encode(a.ids[:0], text, MaxTokens)
	c := newCrew(a.desksFor(workers))
	defer c.end()
	return pass{weights: w, kernels: m.kernels, arena: a, crew: c, tokens: len(a.ids)}.vector(ctx)
}

// A firstError keeps the first of the errors of several goroutines.
type firstError struct{ kept atomic.Pointer[error] }

func (f *firstError) set(err error) { f.kept.CompareAndSwap(nil, &err) }

func (f *firstError) get() error {
	if p := f.kept.Load(); p != nil {
		return *p
	}
	return nil
}
