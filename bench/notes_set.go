package main

import (
	"context"
	"fmt"
	"math"
	"slices"

	"rein/vault"
)

// setNotes measures how well the notes of a public set are found at the shipped defaults, beside plain
// BM25. Weights are tuned on the questions of even lines; those of odd lines say what came of it.
func (b *bench) setNotes(ctx context.Context, dir string) error {
	set, err := readSet(dir)
	if err != nil {
		return err
	}
	folder, err := b.newDir()
	if err != nil {
		return err
	}
	ids, err := set.write(folder)
	if err != nil {
		return err
	}
	words, err := b.openNotes(ctx, folder, false)
	if err != nil {
		return err
	}
	defer words.Close()
	both, err := b.openNotes(ctx, folder, true)
	if err != nil {
		return err
	}
	defer both.Close()
	plain := newPlainBM25(set.texts)
	relevance := 1.0
	t := table{
		title: fmt.Sprintf("notes: nDCG@%d of %d questions about the %d texts of %s", cut, len(set.questions), len(set.texts), set.name),
		head:  []string{"searched by", "questions", "all", fmt.Sprintf("up to %d characters", set.long()), "longer"},
	}
	for _, w := range []way{
		{"plain BM25", func(_ context.Context, text string) ([]string, error) { return plain.rank(text), nil }},
		{"rein, words alone", searchIDs(words, ids, vault.Query{})},
		{"rein, in the order of scores (lambda 1)", searchIDs(both, ids, vault.Query{Lambda: &relevance})},
		{"**rein, as shipped**", searchIDs(both, ids, vault.Query{})},
	} {
		if err := w.addTo(ctx, &t, set); err != nil {
			return err
		}
	}
	t.print(b.out)
	return nil
}

// A way finds texts: it returns their IDs, the best first.
type way struct {
	name string
	find func(ctx context.Context, text string) ([]string, error)
}

func searchIDs(v *vault.Vault, ids map[string]string, q vault.Query) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, text string) ([]string, error) {
		q.Texts = []string{text}
		found, err := v.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		var list []string
		for _, h := range found.Hits {
			if id := ids[h.Path]; !slices.Contains(list, id) {
				list = append(list, id)
			}
		}
		return list, nil
	}
}

// addTo adds the rows of one way: of all questions, and of each half.
func (w way) addTo(ctx context.Context, t *table, set *labelled) error {
	type sums struct{ all, short, long mean }
	var whole, even, odd sums
	long := set.long()
	for i := range set.questions {
		q := &set.questions[i]
		found, err := w.find(ctx, q.Text)
		if err != nil {
			return fmt.Errorf("question %s: %w", q.ID, err)
		}
		half := &odd
		if i%2 == 1 {
			half = &even
		}
		for _, s := range []*sums{&whole, half} {
			s.all.add(q.ndcg(found))
			if len([]rune(q.Text)) > long {
				s.long.add(q.ndcg(found))
			} else {
				s.short.add(q.ndcg(found))
			}
		}
	}
	t.add(w.name, "all", whole.all.String(), whole.short.String(), whole.long.String())
	t.add("", "even, tuned on", even.all.String(), even.short.String(), even.long.String())
	t.add("", "odd", odd.all.String(), odd.short.String(), odd.long.String())
	return nil
}

// A mean is that of some numbers.
type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

func (m *mean) String() string {
	if m.n == 0 {
		return "–"
	}
	return fixed(3, m.sum/float64(m.n))
}

// ndcg is how near what was found comes to the best order of what there is, from 0 to 1.
func (q *questionOfSet) ndcg(found []string) float64 {
	gain, ideal := 0.0, 0.0
	for i, id := range found[:min(len(found), cut)] {
		gain += q.grades[id] / math.Log2(float64(i)+2)
	}
	for i, grade := range q.best() {
		ideal += grade / math.Log2(float64(i)+2)
	}
	return gain / ideal
}
