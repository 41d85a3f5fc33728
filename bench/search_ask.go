package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"rein/vault"
	"rein/vault/index"
	"rein/vault/minilm"
)

const (
	maxQuestion  = 16   // words of a question that has a target
	longQuestion = 2000 // characters: more are cut off
)

// searchCell opens a vault as a process does that has just started, and asks questions.
func searchCell(ctx context.Context, s spec) (f figures, err error) {
	p, err := newProse(8)
	if err != nil {
		return nil, err
	}
	f = figures{"start_mb": settledRSS() / 1024}
	began, m := time.Now(), newAskedModel()
	v, root, err := openVault(ctx, s.Dir, m, m.Model)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, v.Close(), root.Close()) }()
	f["open_ms"] = millis(time.Since(began))
	a := &searcher{vault: v, model: m.Model, took: map[string][]float64{}, cpu: map[string]float64{}}
	if err := a.ask(ctx, p.text(8), "first"); err != nil {
		return nil, err
	}
	if err := v.Sync(ctx); err != nil { // the look through the folder is over
		return nil, err
	}
	f["open_mb"] = settledRSS() / 1024
	stop, err := profile(s)
	if err != nil {
		return nil, err
	}
	meter := startMeter(s)
	if err := a.askAll(ctx, p, s.Runs); err != nil {
		return nil, err
	}
	meter.read(f)
	a.tell(f)
	f["asked_mb"] = memory("VmRSS") / 1024
	f["settled_mb"] = settledRSS() / 1024
	return f, stop()
}

// A searcher asks questions and keeps how long each took, by kind.
type searcher struct {
	vault *vault.Vault
	model *minilm.Model
	took  map[string][]float64 // ms
	cpu   map[string]float64   // ms, of all of a kind
}

// timed measures one act of some kinds.
func (a *searcher) timed(act func() error, kinds ...string) error {
	began, cpu := time.Now(), ownCPU()
	if err := act(); err != nil {
		return err
	}
	took, used := millis(time.Since(began)), (ownCPU()-cpu)*1000
	for _, kind := range kinds {
		a.took[kind] = append(a.took[kind], took)
		a.cpu[kind] += used
	}
	return nil
}

// ask asks a question.
func (a *searcher) ask(ctx context.Context, text string, kinds ...string) error {
	return a.timed(func() error {
		found, err := a.vault.Search(ctx, vault.Query{Texts: []string{text}, For: asker})
		if err == nil && len(found.Hits) != vault.DefaultK {
			err = fmt.Errorf("%d hits for %.80q: %v", len(found.Hits), text, found.Notices)
		}
		return err
	}, kinds...)
}

// askAll asks questions of each length in turns, each once and then again: then its vector is known.
func (a *searcher) askAll(ctx context.Context, p *prose, questions int) error {
	for i := range questions {
		words := i%maxQuestion + 1
		text := p.text(words)
		err := errors.Join(
			a.ask(ctx, text, "all", fmt.Sprintf("words_%d", (words+3)/4*4)),
			a.ask(ctx, text, "again"),
			a.timed(func() error {
				_, err := a.model.Embed(ctx, []string{text})
				return err
			}, "embed"),
		)
		if err == nil && words == maxQuestion {
			text = p.characters(longQuestion)
			err = errors.Join(a.ask(ctx, text, "long"), a.ask(ctx, text, "longagain"))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tell puts what was measured into the figures.
func (a *searcher) tell(f figures) {
	for kind, took := range a.took {
		f.spread(kind, took)
		f[kind+"_cpu"] = a.cpu[kind] / float64(len(took))
	}
}

// recallCell says which part of the 20 nearest passages a search by small numbers finds, of those that
// exact vectors find.
func recallCell(ctx context.Context, s spec) (f figures, err error) {
	p, err := newProse(9)
	if err != nil {
		return nil, err
	}
	m := newAskedModel()
	_, dir := notesAndIndex(s.Dir)
	x, err := index.Open(index.Options{Dir: dir, Embedder: m.ID(), Dim: m.Dim()})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	hits := 0
	for i := range s.Runs {
		vectors, err := m.Model.Embed(ctx, []string{p.text(i%maxQuestion + 1)})
		if err != nil {
			return nil, err
		}
		err = x.Look(func(view *index.View) error {
			n, err := recalled(view, vectors[0])
			hits += n
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return figures{"recall": float64(hits) / float64(s.Runs*vault.DefaultK), "questions": float64(s.Runs)}, nil
}

// recalled counts how many of the nearest pieces are found as a search does it: the best by small
// numbers, weighed exactly.
func recalled(view *index.View, vector []float32) (int, error) {
	near, err := view.Near(vector)
	if err != nil {
		return 0, err
	}
	all := make([]int, view.Pieces())
	for i := range all {
		all[i] = i
	}
	exact, err := near.Exact(all)
	if err != nil {
		return 0, err
	}
	by := func(score []float32) func(a, b int) int {
		return func(a, b int) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) }
	}
	pool := slices.SortedFunc(slices.Values(all), by(near.Cosine))[:min(vault.MaxK+60, len(all))]
	slices.SortFunc(pool, by(exact))
	slices.SortFunc(all, by(exact))
	n := 0
	for _, piece := range pool[:vault.DefaultK] {
		if slices.Contains(all[:vault.DefaultK], piece) {
			n++
		}
	}
	return n, nil
}
