// Package rank decides the order of what a search found: how words, vectors and names are weighed
// together, what short pieces lose, and how much the results should differ from each other.
package rank

import (
	"cmp"
	"slices"
)

// How much each kind of evidence counts. Scores are added, not ranks: measured on labelled sets, a
// sum of ranks fell below words alone where vectors are poor.
const (
	WordsWeight  = 0.6
	VectorWeight = 0.4
	// A query that is the name of a note, or one of its tags, means that note.
	NameWhole = 1.0
	TagWhole  = 0.2
	// NamePart times the share of the query that the name is.
	NamePart = 0.3
	// RareWord times the share of the query that its rare words are, for a piece that holds them as
	// they are written: who searches for such a word wants to see where it stands.
	RareWord = 0.3
	// OtherPieces is what a name counts for the pieces of a note after the first.
	OtherPieces = 0.3
)

// Parts is why a piece scores as it does.
type Parts struct {
	Words   float64 `json:"words"`            // BM25 as a part of what the query could reach, 0 to 1
	Vector  float64 `json:"vector"`           // cosine of its best window
	Vectors bool    `json:"has_vector"`       // else it is weighed by words alone
	Name    float64 `json:"name,omitempty"`   // for a title, alias or tag
	Named   string  `json:"named,omitempty"`  // which
	Rare    float64 `json:"rare,omitempty"`   // for rare words, literally
	Short   float64 `json:"short,omitempty"`  // what it was multiplied with for being short; 0 if it is not
	Query   string  `json:"query,omitempty"`  // the query that found it best
	Rescue  bool    `json:"rescue,omitempty"` // it is there because it holds a rare word
}

// Score adds the parts up.
func (p Parts) Score() float64 {
	score := p.Words
	if p.Vectors {
		score = WordsWeight*p.Words + VectorWeight*max(0, p.Vector)
	}
	if p.Short != 0 {
		score *= p.Short
	}
	return score + p.Name + p.Rare
}

// Shortness is what the score of a short piece is multiplied with: towards a third, so that it outweighs
// the credit that BM25 gives to short texts, and never nothing, so that no piece disappears. It is 0
// for a piece that is not short.
func Shortness(size, threshold int) float64 {
	if threshold <= 0 || size >= threshold {
		return 0
	}
	return (1 + 2*float64(max(0, size))/float64(threshold)) / 3
}

// A Candidate is something to be ranked.
type Candidate struct {
	Piece int
	Score float64
}

// ByScore sorts the best first; equal ones keep the order of their pieces.
func ByScore(list []Candidate) {
	slices.SortFunc(list, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Piece, b.Piece))
	})
}

// Top returns the n best of many scores. Those below zero are no candidates.
func Top(n int, scores []float32) []Candidate {
	var heap []Candidate // the worst on top
	least := float32(0)  // what it takes to get in
	for i, s := range scores {
		if s < least {
			continue
		}
		c := Candidate{i, float64(s)}
		switch {
		case len(heap) < n:
			heap = append(heap, c)
			for at := len(heap) - 1; at > 0 && worse(heap[at], heap[(at-1)/2]); at = (at - 1) / 2 {
				heap[at], heap[(at-1)/2] = heap[(at-1)/2], heap[at]
			}
		case n > 0 && worse(heap[0], c):
			heap[0] = c
			sink(heap)
		}
		if len(heap) == n && n > 0 {
			least = float32(heap[0].Score)
		}
	}
	ByScore(heap)
	return heap
}

func worse(a, b Candidate) bool {
	return a.Score < b.Score || a.Score == b.Score && a.Piece > b.Piece
}

func sink(heap []Candidate) {
	for at := 0; ; {
		next := at*2 + 1
		if next >= len(heap) {
			return
		}
		if next+1 < len(heap) && worse(heap[next+1], heap[next]) {
			next++
		}
		if !worse(heap[next], heap[at]) {
			return
		}
		heap[at], heap[next] = heap[next], heap[at]
		at = next
	}
}

// Diversify picks k of candidates, which come the best first: the best, then each time the one that
// scores well and is unlike those picked before (maximal marginal relevance). With lambda 1 only the
// score counts, with 0 only the difference. alike is from 0 to 1, where 1 is for equal texts only.
// Scores are spread over 0 to 1 first, so that lambda weighs like with like; but a text that was picked
// already comes after all others, however well it scores, unless lambda is 1. It returns indices.
func Diversify(list []Candidate, lambda float64, k int, alike func(a, b int) float64) []int {
	k = min(k, len(list))
	if k <= 0 {
		return nil
	}
	low, high := list[len(list)-1].Score, list[0].Score
	relevance := func(i int) float64 {
		if high <= low {
			return 1
		}
		return (list[i].Score - low) / (high - low)
	}
	picked, taken := make([]int, 0, k), make([]bool, len(list))
	nearest := make([]float64, len(list))
	for at := 0; ; {
		picked, taken[at] = append(picked, at), true
		if len(picked) == k {
			return picked
		}
		next, best := -1, 0.0
		for i := range list {
			if taken[i] {
				continue
			}
			if lambda < 1 {
				nearest[i] = max(nearest[i], alike(at, i))
			}
			v := lambda*relevance(i) - (1-lambda)*nearest[i]
			if nearest[i] >= 1 {
				v = lambda - 2 // below all others, which are above lambda - 1 at the least
			}
			if next < 0 || v > best {
				next, best = i, v
			}
		}
		at = next
	}
}
