package index

import (
	"encoding/binary"
	"math"
	"slices"

	"rein/vault/words"
)

// The parameters of BM25, as Lucene has them.
const (
	k1 = 1.2
	b  = 0.75
)

const (
	maxTerms  = 48  // of a query
	variantTF = 0.9 // a word of the same stem counts a little less than the word itself
	rareNotes = 5   // a word that stands in at most so many notes is rare
)

// A Term is a word of a query.
type Term struct {
	Text   string  `json:"word"`
	Pieces int     `json:"pieces"` // that hold it or a word of its stem
	IDF    float64 `json:"idf"`
	Rare   bool    `json:"rare,omitempty"`
	Small  bool    `json:"small,omitempty"` // left out: it says nothing and other words do
}

// Matches is how well pieces match the words of a query.
type Matches struct {
	Terms []Term
	// Ideal is what a piece would score that had nothing but the query, without end.
	Ideal float64
	// Score has a number for each piece: its BM25 score as a part of the ideal one, from 0 to 1.
	Score []float32
	// Rare are pieces that hold a rare word of the query literally, each with the share of the query
	// that such words are.
	Rare map[int]float64
}

// Words scores all pieces that hold a word of the query, whichever they are: none is cut off.
func (v *View) Words(query string) *Matches {
	m := &Matches{Score: make([]float32, v.pieces), Rare: map[int]float64{}}
	list := words.Of(query)
	if len(list) > maxTerms {
		list = list[:maxTerms]
	}
	average := max(1, v.volume/float64(max(1, v.live)))
	tf := make([]float32, v.pieces)
	var small []func()
	for _, w := range list {
		hits, literal := v.gather(w, tf)
		t := Term{Text: w, Pieces: len(hits), IDF: idf(len(hits), v.live), Rare: len(literal) > 0}
		for _, p := range literal {
			m.Rare[p] += t.IDF
		}
		at := len(m.Terms)
		m.Terms = append(m.Terms, t)
		add := func() {
			m.Ideal += t.IDF
			m.Terms[at].Small = false
			v.addScores(m.Score, hits, t.IDF, average)
		}
		reset(tf, hits)
		if words.IsSmall(w) && len(hits)*20 > v.live {
			m.Terms[at].Small = true
			small = append(small, add)
			continue
		}
		add()
	}
	if len(small) == len(m.Terms) {
		for _, add := range small {
			add()
		}
	}
	if m.Ideal > 0 {
		for i := range m.Score {
			m.Score[i] /= float32(m.Ideal)
		}
		for p := range m.Rare {
			m.Rare[p] = min(1, m.Rare[p]/m.Ideal)
		}
	}
	return m
}

func idf(df, n int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// A hit is how often a piece holds a word.
type hit struct {
	piece int
	tf    float32
}

func reset(tf []float32, hits []hit) {
	for _, h := range hits {
		tf[h.piece] = 0
	}
}

func (v *View) addScores(score []float32, hits []hit, idf, average float64) {
	for k, s := range v.segs {
		base, end := v.base[k], v.base[k]+s.pieces()
		for len(hits) > 0 && hits[0].piece < end {
			h := hits[0]
			hits = hits[1:]
			norm := k1 * (1 - b + b*float64(s.length[h.piece-base])/average)
			score[h.piece] += float32(idf * float64(h.tf) / (float64(h.tf) + norm))
		}
	}
}

// gather counts a word and those of its stem in all living pieces, in order of the pieces. literal
// are the pieces that hold the word itself, if few notes do. tf must be zero and is left filled.
func (v *View) gather(word string, tf []float32) (hits []hit, literal []int) {
	notes, many := 0, false
	for k, s := range v.segs {
		from, base := len(hits), v.base[k]
		note := -1
		s.each(word, func(piece int, weight float32, exact bool) {
			at := base + piece
			if tf[at] == 0 {
				hits = append(hits, hit{piece: at})
			}
			tf[at] += weight
			if exact && !many {
				literal = append(literal, at)
				if n := int(s.noteOf[piece]); n != note {
					note = n
					notes++
					many = notes > rareNotes
				}
			}
		})
		sortHits(hits[from:])
	}
	for i := range hits {
		hits[i].tf = tf[hits[i].piece]
	}
	if many {
		literal = nil
	}
	return hits, literal
}

// each calls yield for every living piece that holds the word, or one of the same stem in the piece's
// language. A piece may come several times.
func (s *segment) each(word string, yield func(piece int, weight float32, exact bool)) {
	own := -1
	if o, ok := s.find(partTerms, partTermEnds, keyWord+word); ok {
		own = o
		s.walk(o, func(piece int, weight float32) { yield(piece, weight, true) })
	}
	var seen []uint64 // the two languages may agree, and a piece of neither takes both
	for _, lang := range words.Languages {
		i, ok := s.find(partStems, partStemEnds, string(lang)+lang.Stem(word))
		if !ok {
			continue
		}
		for list := s.entry(partStemLists, partStemEnds, 1, i); len(list) > 0; {
			o, n := binary.Uvarint(list)
			if n <= 0 {
				break
			}
			list = list[n:]
			if int(o) == own || o >= uint64(s.terms()) {
				continue
			}
			again := slices.Contains(seen, o)
			seen = append(seen, o)
			s.walk(int(o), func(piece int, weight float32) {
				if l := s.lang[piece]; l == lang || l == words.Unknown && !again {
					yield(piece, weight*variantTF, false)
				}
			})
		}
	}
}

// walk goes over the living pieces of a term.
func (s *segment) walk(ordinal int, yield func(piece int, weight float32)) {
	for p := s.postings(ordinal); ; {
		c, tf, ok := p.next()
		if !ok || int(c) >= len(s.alive) {
			return
		}
		if s.alive[c] {
			yield(int(c), float32(tf)/weightText)
		}
	}
}
