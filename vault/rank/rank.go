// Package rank orders what a search found: how words, vectors and names are weighed, what short
// passages lose, and how much the results should differ from each other.
package rank

import (
	"cmp"
	"slices"
)

// How much each kind of evidence counts. Scores are added, not ranks: measured on labelled sets, a
// sum of ranks fell below words alone where vectors are poor.
const (
	WordsWeight  = 0.5
	VectorWeight = 0.5
	// Unseen is how near a piece without a vector is taken to be at most: as near as its words say, and
	// not nearer than good pieces are.
	Unseen = 0.5
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
	Words   float64 `json:"words"`            // BM25; 1 is what a piece with the weightiest words of the query reaches at best
	Vector  float64 `json:"vector"`           // cosine of its best window
	Vectors bool    `json:"has_vector"`       // else its words say how near it is
	Name    float64 `json:"name,omitempty"`   // for a title, alias or tag
	Named   string  `json:"named,omitempty"`  // which
	Rare    float64 `json:"rare,omitempty"`   // for rare words, literally
	Short   float64 `json:"short,omitempty"`  // what it was multiplied with for being short; 0 if it is not
	Query   string  `json:"query,omitempty"`  // the query that found it best
	Rescue  bool    `json:"rescue,omitempty"` // it is there because it holds a rare word
}

// Score adds the parts up.
func (p Parts) Score() float64 {
	near := min(p.Words, Unseen)
	if p.Vectors {
		near = max(0, p.Vector)
	}
	score := WordsWeight*p.Words + VectorWeight*near
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

// Diversify picks k of candidates, which come the best first, and keeps their order but for one thing:
// a text that nearly repeats one before it comes after all that do not. Nothing else moves, so variety
// never costs relevance, and the first of them are the same for every k. How alike is too much depends
// on lambda: see Repeats. alike is from 0 to 1, where 1 is for equal texts. It returns indices.
func Diversify(list []Candidate, lambda float64, k int, alike func(a, b int) float64) []int {
	if k = min(k, len(list)); k <= 0 {
		return nil
	}
	picked, again := make([]int, 0, k), []int(nil)
	limit := repeats(lambda)
	for i := 0; i < len(list) && len(picked) < k; i++ {
		if lambda < 1 && slices.ContainsFunc(picked, func(before int) bool { return alike(before, i) >= limit }) {
			again = append(again, i)
			continue
		}
		picked = append(picked, i)
	}
	return append(picked, again[:min(len(again), k-len(picked))]...)
}

// repeats is how alike two texts are of which one repeats the other: with lambda 0 those that share most
// of their words, towards 1 only equal ones. With lambda 1 nothing repeats: the order is that of scores.
func repeats(lambda float64) float64 { return 0.6 + 0.4*lambda }
