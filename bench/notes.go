package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein/vault"
	"rein/vault/minilm"
)

// Where the labelled questions and the notes that they are about are, from the root of the module.
const (
	labelsFile  = "bench/notes/labels.tsv"
	labelsVault = "examples/vault"
)

// A question is what someone looks for, and the notes that answer it, the best first.
type question struct {
	text  string
	notes []string
}

// notes measures how well notes are found: by words, by vectors, and by both.
func (b *bench) notes(ctx context.Context) error {
	if b.set != "" {
		return b.setNotes(ctx, b.set)
	}
	home, err := moduleRoot()
	if err != nil {
		return err
	}
	questions, err := readQuestions(filepath.Join(home, labelsFile))
	if err != nil {
		return err
	}
	both, err := b.openNotes(ctx, filepath.Join(home, labelsVault), true)
	if err != nil {
		return err
	}
	defer both.Close()
	words, err := b.openNotes(ctx, filepath.Join(home, labelsVault), false)
	if err != nil {
		return err
	}
	defer words.Close()
	var rows []quality
	for _, way := range []struct {
		name  string
		vault *vault.Vault
		order func([]vault.Hit)
	}{
		{"words (BM25)", words, nil},
		{"vectors", both, byVector},
		{"both, by score", both, nil},
	} {
		row := quality{name: way.name}
		for _, q := range questions {
			found, err := ranked(ctx, way.vault, q.text, way.order)
			if err != nil {
				return err
			}
			row.add(found, q.notes)
		}
		rows = append(rows, row)
	}
	b.printQuality(rows, len(questions))
	return nil
}

// openNotes opens a vault with all of its index made.
func (b *bench) openNotes(ctx context.Context, folder string, vectors bool) (*vault.Vault, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	index, err := b.newDir()
	if err != nil {
		return nil, err
	}
	o := vault.Options{Root: root, Index: index, Still: true}
	if vectors {
		m := minilm.New()
		o.Embedder, o.Windows, o.Brief = m, m.Parts, m.Brief
	}
	v, err := vault.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := v.Sync(ctx); err != nil {
		return nil, err
	}
	return v, v.WaitVectors(ctx)
}

// ranked returns the notes that a search finds, the best first, each once.
func ranked(ctx context.Context, v *vault.Vault, text string, order func([]vault.Hit)) ([]string, error) {
	relevance, most := 1.0, vault.MaxK // the order of scores, and all that there is
	found, err := v.Search(ctx, vault.Query{Texts: []string{text}, K: &most, Lambda: &relevance, Explain: true})
	if err != nil {
		return nil, err
	}
	if order != nil {
		order(found.Hits)
	}
	var notes []string
	for _, h := range found.Hits {
		if !slices.Contains(notes, h.Path) {
			notes = append(notes, h.Path)
		}
	}
	return notes, nil
}

func byVector(hits []vault.Hit) {
	slices.SortStableFunc(hits, func(a, b vault.Hit) int {
		switch {
		case a.Why.Vector > b.Why.Vector:
			return -1
		case a.Why.Vector < b.Why.Vector:
			return 1
		}
		return 0
	})
}

// A quality is how well one way of searching does.
type quality struct {
	name         string
	ndcg, recall float64 // sums over questions
	first        int     // questions whose best note came first
	n            int
}

const cut = 10

func (q *quality) add(found, want []string) {
	gain, ideal, hits := 0.0, 0.0, 0
	for i := range want { // a note that answers it is worth 1
		ideal += 1 / math.Log2(float64(i)+2)
	}
	for i, path := range found[:min(len(found), cut)] {
		if slices.Contains(want, path) {
			gain += 1 / math.Log2(float64(i)+2)
			hits++
		}
	}
	if len(found) > 0 && found[0] == want[0] {
		q.first++
	}
	q.ndcg += gain / ideal
	q.recall += float64(hits) / float64(len(want))
	q.n++
}

func (b *bench) printQuality(rows []quality, questions int) {
	t := table{
		title: fmt.Sprintf("notes: %d questions about the sample vault, with what answers them", questions),
		head:  []string{"searched by", "nDCG@10", "recall@10", "the best note first"},
	}
	for _, r := range rows {
		n := float64(r.n)
		t.add(r.name, fmt.Sprintf("%.3f", r.ndcg/n), fmt.Sprintf("%.3f", r.recall/n), fmt.Sprintf("%.0f %%", 100*float64(r.first)/n))
	}
	t.print(b.out)
}

// moduleRoot finds the folder of go.mod, from here upwards.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("run it inside the module: it reads " + labelsFile)
		}
	}
	return "", err
}

// readQuestions reads lines of a question, a tab, and paths with commas between them.
func readQuestions(file string) (all []question, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		text, paths, ok := strings.Cut(line, "\t")
		if !ok || paths == "" {
			return nil, fmt.Errorf("%s:%d: it is not a question, a tab and paths", file, n)
		}
		all = append(all, question{text, strings.Split(paths, ",")})
	}
	return all, lines.Err()
}
