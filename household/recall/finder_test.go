package recall_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rein/household/memory"
	"rein/household/recall"
	"rein/vault/minilm"
)

var said = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func memories(texts ...string) (all []memory.Memory) {
	for i, text := range texts {
		all = append(all, memory.Memory{ID: string(rune('a' + i)), Text: text, Scope: memory.ForUser, At: said.AddDate(0, 0, -i)})
	}
	return all
}

// Memories are found by their words, also in another form, and by what they mean, in the order of the vault's ranking.
func TestSearch(t *testing.T) {
	t.Parallel()
	all := memories("The dog is afraid of thunder.", "Drives a red car to work.", "Loves baking bread on Sundays.", "Houdt niet van koriander.", "# `Bakes` *cakes* for [[birthdays]]")
	byWords, byBoth := &recall.Finder{}, &recall.Finder{Embedder: minilm.New()}
	for _, c := range []struct {
		find        *recall.Finder
		query, best string
	}{
		{byWords, "baked bread", "c"},
		{byWords, "koriander", "d"},
		{byWords, "cake", "e"},
		{byWords, "puppy scared of storms", ""},
		{byWords, " ", ""},
		{byBoth, "baked bread", "c"},
		{byBoth, "puppy scared of storms", "a"},
		{byBoth, "which vehicle does she own", "b"},
	} {
		hits, err := c.find.Search(t.Context(), all, c.query)
		best := ""
		if len(hits) > 0 {
			best = hits[0].ID
		}
		if err != nil || best != c.best {
			t.Errorf("%q finds %q, want %q (%v)", c.query, best, c.best, err)
		}
	}
	if hits, err := byBoth.Search(t.Context(), nil, "anything"); len(hits) > 0 || err != nil {
		t.Error(hits, err)
	}
}

// broken makes no vectors.
type broken struct{}

func (broken) Embed(context.Context, []string) ([][]float32, error) { return nil, errors.New("no") }

// Without vectors words find, and a memory that says the same in other words is not taken for another that it replaces.
func TestWithoutVectors(t *testing.T) {
	t.Parallel()
	find := &recall.Finder{Embedder: broken{}}
	all := memories("Works at the bakery.", "Likes tea in the morning.")
	if hits, err := find.Search(t.Context(), all, "bakeries"); err != nil || len(hits) != 1 {
		t.Error(hits, err)
	}
	for text, want := range map[string]int{"Likes no tea in the morning.": 1, "Is employed by a school.": 0} {
		if got := find.Replaced(t.Context(), all, memory.Memory{Text: text, Scope: memory.ForUser}); len(got) != want {
			t.Errorf("%q replaces %+v", text, got)
		}
	}
}
