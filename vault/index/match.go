package index

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"rein/vault/words"
)

// The parameters of BM25, as Lucene has them.
const (
	k1 = 1.2
	b  = 0.75
)

const (
	maxTerms  = 400 // different words of a query: as many as its 2,000 characters hold
	fullWords = 6   // see Matches.Ideal
	variantTF = 0.9 // a word of the same stem counts a little less than the word itself
	rareNotes = 5   // a word that stands in at most so many notes is rare, if that is few of all
)

// A Term is a word of a query.
type Term struct {
	Text   string  `json:"word"`
	Times  int     `json:"times,omitempty"` // in the query, if more than once
	Pieces int     `json:"pieces"`          // that hold it or a word of its stem
	IDF    float64 `json:"idf"`
	Rare   bool    `json:"rare,omitempty"`
	Small  bool    `json:"small,omitempty"` // left out: it says nothing and other words do
}

// Matches is how well pieces match the words of a query.
type Matches struct {
	Terms []Term
	// Ideal is what a piece would score that said the weightiest words of the query without end: all of
	// a short query, six of a long one, for no piece holds all words of a paragraph. So words weigh as much
	// beside vectors in a long question as in a short one.
	Ideal float64
	// Score has a number for each piece: its BM25 score as a part of the ideal one. It can be above 1 for
	// a long query. It is good as long as the view.
	Score []float32
	// Rare are pieces that hold a rare word of the query literally, each with the share of the query
	// that such words are.
	Rare map[int]float64
}

// Words scores all pieces that hold a word of the query, whichever they are: none is cut off.
func (v *View) Words(query string) *Matches {
	m := &Matches{Score: v.Numbers(), Rare: map[int]float64{}}
	clear(m.Score)
	list, times := countWords(query)
	g := gatherers.Get().(*gatherer)
	defer gatherers.Put(g)
	g.view, g.average, g.rare, g.lang = v, max(1, v.volume/float64(max(1, v.live))), v.rareLimit(), words.Guess(query)
	defer func() { g.view = nil }()
	onlySmall := !slices.ContainsFunc(list, func(w string) bool { return !g.isSmall(w) })
	var worth []float64
	for _, w := range list {
		if !onlySmall && g.isSmall(w) {
			m.Terms = append(m.Terms, Term{Text: w, Small: true})
			continue
		}
		hits, literal := g.gather(w)
		t := Term{Text: w, Pieces: len(hits), IDF: idf(len(hits), v.live), Rare: len(literal) > 0}
		if times[w] > 1 {
			t.Times = times[w]
		}
		// Who says a word again means it: it counts as often as it is said.
		weight := t.IDF * float64(max(1, t.Times))
		for _, p := range literal {
			m.Rare[p] += weight
		}
		worth = append(worth, weight)
		m.Terms = append(m.Terms, t)
		g.addScores(m.Score, hits, weight)
	}
	m.weigh(worth)
	return m
}

// countWords returns the words of a query, each once, and how often each is there.
func countWords(query string) (list []string, times map[string]int) {
	list, times = words.Of(query), map[string]int{}
	words.Each(query, func(w words.Word) { times[w.Text]++ })
	return list[:min(len(list), maxTerms)], times
}

// weigh makes scores parts of what could be reached, which follows from the weights of the words.
func (m *Matches) weigh(worth []float64) {
	slices.SortFunc(worth, func(a, b float64) int { return cmp.Compare(b, a) })
	all := 0.0
	for i, w := range worth {
		if all += w; i < fullWords {
			m.Ideal += w
		}
	}
	if m.Ideal <= 0 {
		return
	}
	by := float32(1 / m.Ideal)
	for i := range m.Score {
		m.Score[i] *= by
	}
	for p := range m.Rare {
		m.Rare[p] = min(1, m.Rare[p]/all)
	}
}

func idf(df, n int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// A hit is how often a piece holds a word.
type hit struct {
	piece uint32
	tf    float32
}

// gatherers are used again, for what they hold is as large as the index.
var gatherers = sync.Pool{New: func() any { return &gatherer{} }}

// A gatherer collects the pieces of one word after the other.
type gatherer struct {
	view    *View
	average float64
	rare    int        // a word in at most so many notes is rare
	lang    words.Lang // of the query
	hits    []hit      // of the newest word
	tf      []float32  // by piece, zero between words
}

// rareLimit is in how many notes a rare word stands at most: in a small vault, one.
func (v *View) rareLimit() int {
	notes := 0
	for _, s := range v.segs {
		notes += len(s.notes) - s.deaths
	}
	return min(max(1, notes/20), rareNotes)
}

// isSmall reports a word that says nothing: one that is small in the query's language, or in any and
// stands in many pieces. A word that is small elsewhere and seldom here says something after all.
func (g *gatherer) isSmall(word string) bool {
	if !words.IsSmall(word) {
		return false
	}
	if words.IsSmallIn(g.lang, word) {
		return true
	}
	size := 0
	for _, s := range g.view.segs {
		if o, ok := s.find(partTerms, partTermEnds, keyWord+word); ok {
			size += len(s.entry(partPostings, partTermEnds, 1, o)) // a byte or more for each piece
		}
	}
	return size*20 > g.view.live
}

func (g *gatherer) addScores(score []float32, hits []hit, idf float64) {
	fixed, byLength, worth := float32(k1*(1-b)), float32(k1*b/g.average), float32(idf)
	for k, s := range g.view.segs {
		base, end := uint32(g.view.base[k]), uint32(g.view.base[k]+s.pieces())
		for len(hits) > 0 && hits[0].piece < end {
			h := hits[0]
			hits = hits[1:]
			score[h.piece] += worth * h.tf / (h.tf + fixed + byLength*s.length[h.piece-base])
		}
	}
}

// gather counts a word and those of its stem in all living pieces, segment by segment. literal
// are the pieces that hold the word itself, if few notes do. The hits are good until the next call.
func (g *gatherer) gather(word string) (hits []hit, literal []int) {
	g.hits = g.hits[:0]
	notes := 0
	var stems [len(words.Languages)]string
	for i, l := range words.Languages {
		stems[i] = string(l) + l.Stem(word)
	}
	for k, s := range g.view.segs {
		base, from := uint32(g.view.base[k]), len(g.hits)
		own, others := s.forms(word, stems[:])
		if own >= 0 {
			g.take(s, own, base)
			notes += s.countNotes(g.hits[from:], base, g.rare+1-notes)
			if notes <= g.rare {
				for _, h := range g.hits[from:] {
					literal = append(literal, int(h.piece))
				}
			}
		}
		if len(others) > 0 {
			g.addForms(s, others, base, from)
		}
	}
	if notes > g.rare || words.IsSmall(word) {
		literal = nil
	}
	return g.hits, literal
}

// take appends the living pieces of one term. It is where a search for frequent words spends its time,
// so it reads the postings itself.
func (g *gatherer) take(s *segment, ordinal int, base uint32) {
	data, alive, chunk := s.entry(partPostings, partTermEnds, 1, ordinal), s.alive, uint32(0)
	hits := slices.Grow(g.hits, min(len(data), s.live))
	for at := 0; at < len(data); {
		step := uint64(data[at])
		at++
		if step >= 0x80 {
			v, n := binary.Uvarint(data[at-1:])
			if n <= 0 {
				break
			}
			step, at = v, at-1+n
		}
		tf := uint64(weightText)
		if step&1 == 0 {
			v, n := binary.Uvarint(data[at:])
			if n <= 0 {
				break
			}
			tf, at = v, at+n
		}
		if chunk += uint32(step >> 1); int(chunk) >= len(alive) {
			break
		}
		if alive[chunk] {
			hits = append(hits, hit{base + chunk, float32(tf) / weightText})
		}
	}
	g.hits = hits
}

// countNotes counts the notes of hits, up to a limit.
func (s *segment) countNotes(hits []hit, base uint32, limit int) int {
	n, last := 0, uint32(math.MaxUint32)
	for _, h := range hits {
		if note := s.noteOf[h.piece-base]; note != last {
			last = note
			if n++; n >= limit {
				break
			}
		}
	}
	return n
}

// addForms adds other words of the stem to the hits of a segment, which begin at from.
func (g *gatherer) addForms(s *segment, others []form, base uint32, from int) {
	if len(g.tf) < g.view.pieces {
		g.tf = make([]float32, g.view.pieces+g.view.pieces/8)
	}
	for _, h := range g.hits[from:] {
		g.tf[h.piece] = h.tf
	}
	for _, f := range others {
		for p := s.postings(f.ordinal); ; {
			c, tf, ok := p.next()
			if !ok || int(c) >= len(s.alive) {
				break
			}
			if l := s.lang[c]; !s.alive[c] || l != f.lang && (l != words.Unknown || f.again) {
				continue
			}
			if g.tf[base+c] == 0 {
				g.hits = append(g.hits, hit{piece: base + c})
			}
			g.tf[base+c] += float32(tf) / weightText * variantTF
		}
	}
	for i := from; i < len(g.hits); i++ {
		h := &g.hits[i]
		h.tf, g.tf[h.piece] = g.tf[h.piece], 0
	}
}

// A form is another word of the same stem, in one language.
type form struct {
	ordinal int
	lang    words.Lang
	again   bool // the other language has it too: a piece of neither counts it once
}

// forms finds a word, -1 if it is not there, and the others of its stems, of which there is one for each
// language.
func (s *segment) forms(word string, stems []string) (own int, others []form) {
	own = -1
	if o, ok := s.find(partTerms, partTermEnds, keyWord+word); ok {
		own = o
	}
	for at, lang := range words.Languages {
		i, ok := s.find(partStems, partStemEnds, stems[at])
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
			again := slices.ContainsFunc(others, func(f form) bool { return f.ordinal == int(o) })
			others = append(others, form{int(o), lang, again})
		}
	}
	return own, others
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
