package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// plainBM25 is words alone, as anyone would write it down: what a search must beat. It shares no code
// with the vault, so that a fault there cannot lower the mark.
type plainBM25 struct {
	texts   []textOfSet
	counts  []map[string]int
	lengths []int
	average float64
	holds   map[string]int // how many texts hold a word
}

func newPlainBM25(texts []textOfSet) *plainBM25 {
	p := &plainBM25{texts: texts, holds: map[string]int{}}
	total := 0
	for _, text := range texts {
		count, list := map[string]int{}, plainWords(text.Title+" "+text.Text)
		for _, w := range list {
			count[w]++
		}
		for w := range count {
			p.holds[w]++
		}
		p.counts, p.lengths = append(p.counts, count), append(p.lengths, len(list))
		total += len(list)
	}
	p.average = float64(total) / float64(max(1, len(texts)))
	return p
}

// rank returns the IDs of the texts that share a word with the question, the best first.
func (p *plainBM25) rank(question string) []string {
	const k1, b = 1.2, 0.75
	scores := make([]float64, len(p.texts))
	for _, w := range plainWords(question) {
		df := float64(p.holds[w])
		idf := math.Log(1 + (float64(len(p.texts))-df+0.5)/(df+0.5))
		for i, count := range p.counts {
			if tf := float64(count[w]); tf > 0 {
				scores[i] += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(p.lengths[i])/p.average))
			}
		}
	}
	var order []int
	for i, s := range scores {
		if s > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	var ids []string
	for _, i := range order {
		ids = append(ids, p.texts[i].ID)
	}
	return ids
}

// stopWords say nothing of what a text is about.
const stopWords = " a about after all also an and any are as at be because been before being between both but by can could did do does for from had has have he her how i if in into is it its me more most my no not of on only or other our out over she should so some such than that the their them then there these they this those through to under up very was we were what when where which while who why will with would you your "

// plainWords cuts at what is no letter or digit, leaves stop words out and takes the commonest English
// endings off.
func plainWords(text string) (list []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if strings.Contains(stopWords, " "+w+" ") {
			continue
		}
		for _, ending := range []string{"ing", "ed", "es", "s"} {
			if len(w) > len(ending)+2 && strings.HasSuffix(w, ending) {
				w = strings.TrimSuffix(w, ending)
				break
			}
		}
		list = append(list, w)
	}
	return list
}
