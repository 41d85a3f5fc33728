package main

import (
	"context"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"rein/vault"
	"rein/vault/minilm"
)

// search measures how long a search takes in a large vault, and what indexing adds to the embedder's
// own time.
func (b *bench) search(ctx context.Context) error {
	dir, err := b.newDir()
	if err != nil {
		return err
	}
	s := spec{Task: "index", Dir: dir, Passages: b.sizes.passages}
	made, err := b.cell(ctx, s)
	if err != nil {
		return err
	}
	var all series
	for range b.reps {
		s := spec{Task: "search", Dir: dir, Runs: b.sizes.questions}
		f, err := b.cell(ctx, s)
		if err != nil {
			return err
		}
		all = append(all, f)
	}
	near, err := b.cell(ctx, spec{Task: "recall", Dir: dir, Runs: b.sizes.recall})
	if err != nil {
		return err
	}
	embed, err := b.newDir()
	if err != nil {
		return err
	}
	indexing, err := b.cell(ctx, spec{Task: "embed", Dir: embed, Passages: b.sizes.embedded})
	if err != nil {
		return err
	}
	b.printSearch(made, all, near)
	b.printIndexing(indexing)
	return nil
}

// asker is who searches in the bench.
const asker = "bench"

// askedModel is the built-in embedder for questions. Vectors of passages are drawn: 100,000 real ones
// would take half an hour, and how long a search takes does not depend on what they say.
type askedModel struct {
	*minilm.Model
	centres [][]float32
}

func newAskedModel() *askedModel {
	r := rand.New(rand.NewPCG(1, 2))
	m := &askedModel{Model: minilm.New()}
	for range 100 {
		m.centres = append(m.centres, around(r, make([]float32, minilm.Dimension), 1))
	}
	return m
}

func around(r *rand.Rand, centre []float32, spread float32) []float32 {
	w := make([]float32, len(centre))
	for i := range w {
		w[i] = centre[i] + spread*(r.Float32()+r.Float32()+r.Float32()-1.5)
	}
	return w
}

func (m *askedModel) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if vault.Searcher(ctx) != "" {
		return m.Model.Embed(ctx, texts)
	}
	all := make([][]float32, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		_, _ = h.Write([]byte(text))
		r := rand.New(rand.NewPCG(h.Sum64(), 3))
		all[i] = around(r, m.centres[r.IntN(len(m.centres))], 1.2)
	}
	return all, nil
}

func notesAndIndex(dir string) (notes, index string) {
	return filepath.Join(dir, "notes"), filepath.Join(dir, "index")
}

// openVault opens the notes of a cell as the program does. The root must be closed after the vault.
func openVault(ctx context.Context, dir string, e vault.Embedder, m *minilm.Model) (*vault.Vault, *os.Root, error) {
	notes, index := notesAndIndex(dir)
	root, err := os.OpenRoot(notes)
	if err != nil {
		return nil, nil, err
	}
	v, err := vault.Open(ctx, vault.Options{Root: root, Index: index, Still: true, Embedder: e, Windows: m.Parts, Brief: m.Brief})
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return v, root, nil
}

// makeIndex indexes the notes of a cell to the end.
func makeIndex(ctx context.Context, dir string, e vault.Embedder, m *minilm.Model) (err error) {
	v, root, err := openVault(ctx, dir, e, m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close(), root.Close()) }()
	if err := v.Sync(ctx); err != nil {
		return err
	}
	return v.WaitVectors(ctx)
}

// indexCell makes the vault that is searched.
func indexCell(ctx context.Context, s spec) (figures, error) {
	p, err := newProse(4)
	if err != nil {
		return nil, err
	}
	notes, _ := notesAndIndex(s.Dir)
	if err := p.writeNotes(notes, s.Passages); err != nil {
		return nil, err
	}
	began, m := time.Now(), newAskedModel()
	if err := makeIndex(ctx, s.Dir, m, m.Model); err != nil {
		return nil, err
	}
	return figures{"index_s": time.Since(began).Seconds(), "passages": float64(s.Passages)}, nil
}

// embedCell compares making an index with the real embedder with the embedder alone, on the same texts.
func embedCell(ctx context.Context, s spec) (figures, error) {
	p, err := newProse(6)
	if err != nil {
		return nil, err
	}
	notes, _ := notesAndIndex(s.Dir)
	if err := p.writeNotes(notes, s.Passages); err != nil {
		return nil, err
	}
	m := &recorder{Model: minilm.New()}
	if _, err := m.Model.Embed(ctx, []string{"loaded"}); err != nil {
		return nil, err
	}
	began, cpu := time.Now(), ownCPU()
	if err := makeIndex(ctx, s.Dir, m, m.Model); err != nil {
		return nil, err
	}
	f := figures{"passages": float64(s.Passages), "index_s": time.Since(began).Seconds(), "index_cpu_s": ownCPU() - cpu}
	began, cpu = time.Now(), ownCPU()
	for _, texts := range m.batches {
		if _, err := m.Model.Embed(ctx, texts); err != nil {
			return nil, err
		}
	}
	f["embed_s"], f["embed_cpu_s"] = time.Since(began).Seconds(), ownCPU()-cpu
	return f, nil
}

// A recorder remembers what it was asked to embed.
type recorder struct {
	*minilm.Model
	batches [][]string
}

func (m *recorder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	m.batches = append(m.batches, texts)
	return m.Model.Embed(ctx, texts)
}
