package vault

import (
	"context"
	"sync"
	"time"

	"rein/vault/index"
)

// queryTimeout bounds how long a search waits for the vectors of its queries.
const queryTimeout = 10 * time.Second

type searcherKey struct{}

// Searcher says for an Embedder whose search asks for vectors, as Query.For has it; empty: it is for the
// index, which is everyone's.
func Searcher(ctx context.Context) string {
	who, _ := ctx.Value(searcherKey{}).(string)
	return who
}

// queryVectors returns a vector for each query, or nil and a notice if there are none.
func (v *Vault) queryVectors(ctx context.Context, s *search) [][]float32 {
	if v.embedder == nil {
		s.notice("searched by words only: there is no embedder")
		return nil
	}
	vectors := make([][]float32, len(s.Texts))
	var ask []string
	parts := make([]int, len(s.Texts)) // of each text that has no vector yet
	for i, text := range s.Texts {
		if vectors[i] = v.asked.get(text); vectors[i] != nil {
			continue
		}
		windows := v.questionParts(text)
		ask, parts[i] = append(ask, windows...), len(windows)
	}
	if len(ask) == 0 {
		return vectors
	}
	made, err := v.embed(context.WithValue(ctx, searcherKey{}, s.For), ask, queryTimeout)
	if err != nil {
		s.notice("searched by words only: " + err.Error())
		return nil
	}
	for i, n := range parts {
		if n > 0 {
			vectors[i], made = index.Middle(made[:n]), made[n:]
			v.asked.put(s.Texts[i], vectors[i])
		}
	}
	return vectors
}

// questionParts returns what vectors are made of for a question.
func (v *Vault) questionParts(text string) []string {
	if v.brief != nil {
		return []string{v.brief(text)}
	}
	return v.windowsOf(text)
}

// queryVectors remembers vectors of queries: a model repeats itself, and a person pages on.
type queryVectors struct {
	mu   sync.Mutex
	made map[string][]float32
	old  []string
}

const rememberQueries = 256

func newQueryVectors() *queryVectors { return &queryVectors{made: map[string][]float32{}} }

func (q *queryVectors) get(text string) []float32 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.made[text]
}

func (q *queryVectors) put(text string, vector []float32) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, had := q.made[text]; had {
		return
	}
	q.made[text] = vector
	if q.old = append(q.old, text); len(q.old) > rememberQueries {
		delete(q.made, q.old[0])
		q.old = q.old[1:]
	}
}
