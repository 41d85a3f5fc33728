// Package recall finds memories by words and vectors, chooses those that a prompt needs most, and does for people what they
// ask about their own: it lists, adds, changes, forgets and exports.
package recall

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"rein/household/memory"
	"rein/internal/digest"
	"rein/vault/chunk"
	"rein/vault/index"
	"rein/vault/rank"
)

// An Embedder makes vectors of texts. It should be one that sends them nowhere.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A Finder finds memories with the ranking of vaults. Its indexes are in memory alone: what was forgotten is on no disk
// because of it. The zero value finds by words. It is safe for use by many at once.
type Finder struct {
	Embedder Embedder // nil: by words alone

	mu      sync.Mutex
	vectors map[string][]float32 // by the digest of the text
	indexes map[string]*index.Held
	oldest  []string // of indexes
}

const (
	maxIndexes  = 64
	maxVectors  = 20_000
	embedTime   = 2 * time.Second // what has no vector by then is found by its words
	nearEnough  = 0.3             // the least cosine that makes a memory without a word of the query a hit: they are short, and much is a little alike
	maxQuery    = 2000            // bytes
	maxEmbedded = 64              // texts at a time
)

// A Hit is a memory that was found.
type Hit struct {
	memory.Memory
	Score float64    `json:"score"`
	Why   rank.Parts `json:"-"`
}

// Search returns the memories that fit a query, the best first.
func (f *Finder) Search(ctx context.Context, all []memory.Memory, query string) ([]Hit, error) {
	parts, err := f.weigh(ctx, all, query)
	if err != nil {
		return nil, err
	}
	var ranked []rank.Candidate
	for i, p := range parts {
		if p.Words > 0 || p.Vectors && p.Vector >= nearEnough {
			ranked = append(ranked, rank.Candidate{Piece: i, Score: p.Score()})
		}
	}
	rank.ByScore(ranked)
	hits := make([]Hit, len(ranked))
	for i, c := range ranked {
		hits[i] = Hit{all[c.Piece], c.Score, parts[c.Piece]}
	}
	return hits, nil
}

// weigh returns the evidence that each memory has for a query.
func (f *Finder) weigh(ctx context.Context, all []memory.Memory, query string) ([]rank.Parts, error) {
	query = strings.ToValidUTF8(query[:min(len(query), maxQuery)], "")
	parts := make([]rank.Parts, len(all))
	if len(all) == 0 || strings.TrimSpace(query) == "" {
		return parts, nil
	}
	held, err := f.indexOf(all)
	if err != nil {
		return nil, err
	}
	held.Look(func(v *index.View) {
		found := v.Words(query)
		for i := range min(len(parts), v.Pieces()) {
			parts[i] = rank.Parts{Words: float64(found.Score[i]), Rare: rank.RareWord * found.Rare[i]}
		}
	})
	texts := make([]string, len(all))
	for i, m := range all {
		texts[i] = m.Text
	}
	near := f.Near(ctx, query, texts)
	for i := range parts {
		if near[i] != memory.Unknown {
			parts[i].Vectors, parts[i].Vector = true, near[i]
		}
	}
	return parts, nil
}

// indexOf returns an index of memories, each of which is one piece.
func (f *Finder) indexOf(all []memory.Memory) (*index.Held, error) {
	said := make([]string, 0, 2*len(all))
	for _, m := range all {
		said = append(said, m.About, m.Text)
	}
	key := digest.Listed(16, said...)
	f.mu.Lock()
	held := f.indexes[key]
	f.mu.Unlock()
	if held != nil {
		return held, nil
	}
	docs := make([]index.Doc, len(all))
	for i, m := range all {
		docs[i] = index.Read(strings.ReplaceAll(m.About, "/", " "), []byte(plain(m.Text)), chunk.Options{Most: 1})
	}
	held, err := index.Hold(docs)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.indexes == nil {
		f.indexes = map[string]*index.Held{}
	}
	if f.indexes[key] == nil {
		f.indexes[key], f.oldest = held, append(f.oldest, key)
	}
	if len(f.oldest) > maxIndexes {
		delete(f.indexes, f.oldest[0])
		f.oldest = f.oldest[1:]
	}
	return held, nil
}

// plain keeps a sentence from being read as Markdown, which would weigh its words otherwise.
func plain(text string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("`#<>[]*_|~-=+", c) {
			return ' '
		}
		return c
	}, text)
}

// Near says how near in meaning each text is to another one, from -1 to 1, or memory.Unknown where no vector could be made
// in time.
func (f *Finder) Near(ctx context.Context, text string, others []string) []float64 {
	near := make([]float64, len(others))
	vectors := f.vectorsOf(ctx, append([]string{text}, others...))
	for i := range near {
		near[i] = memory.Unknown
		if a, b := vectors[0], vectors[i+1]; a != nil && b != nil {
			near[i] = index.Cosine(a, b)
		}
	}
	return near
}

// vectorsOf returns a vector of each text, nil where there is none.
func (f *Finder) vectorsOf(ctx context.Context, texts []string) [][]float32 {
	made := make([][]float32, len(texts))
	if f.Embedder == nil {
		return made
	}
	var missing []string
	keys := make([]string, len(texts))
	f.mu.Lock()
	for i, text := range texts {
		keys[i] = digest.Listed(16, text)
		if made[i] = f.vectors[keys[i]]; made[i] == nil && !slices.Contains(missing, text) {
			missing = append(missing, text)
		}
	}
	f.mu.Unlock()
	f.embed(ctx, missing)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, key := range keys {
		if made[i] == nil {
			made[i] = f.vectors[key]
		}
	}
	return made
}

// embed makes vectors in batches for as long as there is time. A caller whose turn it is not finds them the next time.
func (f *Finder) embed(ctx context.Context, texts []string) {
	ctx, cancel := context.WithTimeout(ctx, embedTime)
	defer cancel()
	for batch := range slices.Chunk(texts, maxEmbedded) {
		vectors, err := f.Embedder.Embed(ctx, batch)
		if err != nil || len(vectors) != len(batch) {
			return
		}
		f.mu.Lock()
		if f.vectors == nil || len(f.vectors) > maxVectors {
			f.vectors = map[string][]float32{}
		}
		for i, v := range vectors {
			f.vectors[digest.Listed(16, batch[i])] = v
		}
		f.mu.Unlock()
	}
}
