package vault

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"rein"
	"rein/vault/index"
	"rein/vault/rank"
)

// Limits of a search.
const (
	DefaultK   = 20
	MaxK       = 100
	maxQueries = 8
	maxQuery   = 2000 // characters
	// DefaultLambda says what is moved back as a repetition, 1 being nothing.
	DefaultLambda = 0.5
	// DefaultShort is the length in characters below which pieces rank lower.
	DefaultShort = 160
	// nearEnough is the least cosine that makes a piece a hit if it has no word of the query.
	nearEnough = 0.15
	// poolSize is how many of the best are weighed exactly: always as many, so that the first hits do
	// not depend on how many are asked for.
	poolSize = MaxK + 60
	// settled is how many of the first hits are the best by score, whatever else deserves a place.
	settled = 10
)

// A Query is what to search for. All but Texts may be left zero.
type Query struct {
	Texts  []string
	K      *int // nil means DefaultK
	Filter index.Filter
	Lambda *float64 // nil means DefaultLambda
	Short  *int     // nil means DefaultShort
	// Explain adds to each hit why it is where it is; About asks it of notes by path, also those that
	// are not among the hits.
	Explain bool
	About   []string
	// For is who asks. Few searches are made at a time, and everyone gets their turn.
	For string
}

// Results is what a search found, the best first.
type Results struct {
	Hits    []Hit         `json:"data"`
	Notices []string      `json:"notices,omitempty"` // what the searcher should know: a limit, a lack
	Took    time.Duration `json:"-"`
	Terms   []index.Term  `json:"terms,omitempty"` // with Explain: the words of the queries
	About   []About       `json:"about,omitempty"`
}

// A Hit is a piece of a note.
type Hit struct {
	Path    string      `json:"path"`
	Section string      `json:"section,omitempty"`
	Score   float64     `json:"score"`
	Snippet string      `json:"snippet"`
	Title   string      `json:"title,omitempty"`
	Start   int         `json:"start"` // characters of the note
	End     int         `json:"end"`
	Hash    string      `json:"hash,omitempty"`  // of the piece as it was indexed
	Block   string      `json:"block,omitempty"` // "^id" of the block that the snippet is from: it can be read and cited as a section is
	File    bool        `json:"file,omitempty"`  // it is no note but another file, found by its name
	Why     *rank.Parts `json:"why,omitempty"`

	piece      int
	byte0, end int
	anchors    []index.Anchor // of a piece with several sections
}

// An About says where a note is in the order, or why it is not.
type About struct {
	Path  string      `json:"path"`
	Rank  int         `json:"rank,omitempty"` // of its best piece by score, from 1; 0 if it is not found
	Score float64     `json:"score,omitempty"`
	Why   *rank.Parts `json:"why,omitempty"`
	Says  string      `json:"says"`
}

// Search finds pieces of notes. Without an embedder that works it searches by words and says so; an
// error is for a query that is wrong or an index that cannot be used.
func (v *Vault) Search(ctx context.Context, q Query) (Results, error) {
	start := time.Now()
	s, err := v.prepare(&q)
	if err != nil {
		return Results{}, err
	}
	if err := v.waitWords(ctx); err != nil {
		return Results{}, err
	}
	vectors := v.queryVectors(ctx, s)
	if vectors != nil {
		v.makeNeeded(ctx, s)
	}
	s.notice(v.behind()...)
	done, err := v.turns.Take(ctx, q.For)
	if err != nil {
		return Results{}, err
	}
	defer done()
	if err := v.index.Look(func(view *index.View) error { return s.run(view, vectors) }); err != nil {
		return Results{}, err
	}
	v.addSnippets(s)
	v.addFiles(s)
	s.explain(v)
	s.results.Took = max(0, time.Since(start))
	return s.results, nil
}

// A search is one Search under way.
type search struct {
	Query
	k       int
	lambda  float64
	short   int
	pool    []rank.Candidate
	parts   map[int]rank.Parts
	rare    map[int]bool
	weights map[string]float64 // of the words of the queries, for snippets
	ranks   map[string]About
	results Results
}

func (s *search) notice(texts ...string) { s.results.Notices = append(s.results.Notices, texts...) }

// prepare checks a query and fills in what it leaves open.
func (v *Vault) prepare(q *Query) (*search, error) {
	s := &search{Query: *q, k: DefaultK, lambda: DefaultLambda, short: DefaultShort, parts: map[int]rank.Parts{}, rare: map[int]bool{}, weights: map[string]float64{}}
	s.Texts = nil
	for _, text := range q.Texts {
		text = strings.Join(strings.Fields(strings.ToValidUTF8(text, " ")), " ")
		if utf8.RuneCountInString(text) > maxQuery {
			text = string([]rune(text)[:maxQuery])
			s.notice(fmt.Sprintf("a query was cut at %d characters", maxQuery))
		}
		if text != "" && !slices.Contains(s.Texts, text) {
			s.Texts = append(s.Texts, text)
		}
	}
	switch {
	case len(s.Texts) == 0:
		return nil, rein.Errorf(rein.CodeInvalid, "queries: at least one that is not blank is needed")
	case q.K != nil && *q.K < 1:
		return nil, rein.Errorf(rein.CodeInvalid, "k is %d: it must be at least 1", *q.K)
	case q.Lambda != nil && !(*q.Lambda >= 0 && *q.Lambda <= 1):
		return nil, rein.Errorf(rein.CodeInvalid, "lambda is %v: it must be from 0 to 1", *q.Lambda)
	}
	if len(s.Texts) > maxQueries {
		s.notice(fmt.Sprintf("%d queries: the first %d were used", len(s.Texts), maxQueries))
		s.Texts = s.Texts[:maxQueries]
	}
	if q.K != nil {
		s.k = *q.K
	}
	if s.k > MaxK {
		s.notice(fmt.Sprintf("k %d is above the maximum: %d was used", s.k, MaxK))
		s.k = MaxK
	}
	if q.Lambda != nil {
		s.lambda = *q.Lambda
	}
	if q.Short != nil {
		s.short = max(0, *q.Short)
	}
	return s, nil
}

// run scores all pieces for each query and picks.
func (s *search) run(view *index.View, vectors [][]float32) error {
	if view.Live() == 0 {
		return nil
	}
	allowed := view.Allowed(s.Filter)
	if dim := view.Dim(); dim > 0 && vectors != nil && len(vectors[0]) != dim {
		s.notice(fmt.Sprintf("searched by words only: the query's vector has %d numbers and those of the notes %d", len(vectors[0]), dim))
		vectors = nil
	}
	for i, text := range s.Texts {
		var vector []float32
		if vectors != nil {
			vector = vectors[i]
		}
		if err := s.one(view, text, vector, allowed); err != nil {
			return err
		}
	}
	s.merge()
	s.pick(view)
	return nil
}

// merge makes one list of what all queries found, each piece once with its best score.
func (s *search) merge() {
	s.pool = s.pool[:0]
	for piece, p := range s.parts {
		s.pool = append(s.pool, rank.Candidate{Piece: piece, Score: p.Score()})
	}
	rank.ByScore(s.pool)
}

// one adds what one query finds: the best by all evidence, weighed exactly, and whatever holds a rare
// word of it.
func (s *search) one(view *index.View, text string, vector []float32, allowed []bool) error {
	o, err := newOne(view, text, vector)
	if err != nil {
		return err
	}
	scores := o.scores(view, allowed, s.short)
	best := rank.Top(poolSize, scores)
	for _, t := range o.words.Terms {
		s.weights[t.Text] = snippetWeight(t)
	}
	for _, piece := range slices.Sorted(maps.Keys(o.words.Rare)) {
		if allowed[piece] {
			s.rare[piece] = true
			best = append(best, rank.Candidate{Piece: piece})
		}
	}
	exact, err := o.exact(best)
	if err != nil {
		return err
	}
	for i, c := range best {
		p, _ := o.parts(c.Piece)
		p.Short = rank.Shortness(view.Size(c.Piece), s.short)
		if p.Vectors {
			p.Vector = float64(exact[i])
		}
		p.Query = text
		if had, ok := s.parts[c.Piece]; !ok || p.Score() > had.Score() {
			s.parts[c.Piece] = p
		}
	}
	if s.Explain || len(s.About) > 0 {
		s.results.Terms = append(s.results.Terms, o.words.Terms...)
		s.rankAbout(view, scores, o)
	}
	return nil
}

// pick takes K of the pool, then gives places to notes with a rare word.
func (s *search) pick(view *index.View) {
	found := make([]index.Found, len(s.pool))
	for i, c := range s.pool {
		found[i] = view.Piece(c.Piece)
	}
	// Texts that repeat each other do so in the same words. Vectors say what texts are about, and of
	// what is about one thing each may say another.
	alike := func(a, b int) float64 {
		if found[a].Hash == found[b].Hash {
			return 1
		}
		return min(0.999, index.Alike(found[a].Print, found[b].Print))
	}
	picked := s.rescue(rank.Diversify(s.pool, s.lambda, s.k, alike), found)
	for _, i := range picked {
		p := s.parts[s.pool[i].Piece]
		f := found[i]
		hit := Hit{
			Path: f.Note.Path, Title: f.Note.Title, Section: f.Section, Score: finite(s.pool[i].Score), Start: f.RuneStart, End: f.RuneEnd,
			Hash: fmt.Sprintf("%x", f.Hash[:]), piece: s.pool[i].Piece, byte0: f.Start, end: f.End, anchors: f.Anchors(),
		}
		if s.Explain {
			hit.Why = &p
		}
		s.results.Hits = append(s.results.Hits, hit)
	}
}

func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// rescue puts the best piece of each note with a rare word of a query in the place of the last ones
// without. The first hits keep their places, and so do half of the others.
func (s *search) rescue(picked []int, found []index.Found) []int {
	have := map[string]bool{}
	for _, i := range picked {
		have[found[i].Note.Path] = true
	}
	var add []int
	for i, c := range s.pool { // the best first
		if path := found[i].Note.Path; s.rare[c.Piece] && !have[path] && len(add) < (s.k-settled)/2 {
			have[path] = true
			add = append(add, i)
			p := s.parts[c.Piece]
			p.Rescue = true
			s.parts[c.Piece] = p
		}
	}
	over := len(picked) + len(add) - s.k
	for at := len(picked) - 1; at >= settled && over > 0; at-- {
		if !s.rare[s.pool[picked[at]].Piece] {
			picked = slices.Delete(picked, at, at+1)
			over--
		}
	}
	picked = append(picked, add...)
	return picked[:min(len(picked), s.k)]
}
