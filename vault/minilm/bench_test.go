package minilm

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkEmbed is one text on one core, or on two with the fastest kernels.
func BenchmarkEmbed(b *testing.B) {
	for _, set := range []struct {
		name    string
		kernels kernels
		workers int
	}{{"fastest", fastest(), 1}, {"two", fastest(), 2}, {"portable", portable, 1}} {
		for _, tokens := range []int{8, 20, 64, 256} {
			b.Run(fmt.Sprintf("%s/tokens=%d", set.name, tokens), func(b *testing.B) {
				m := newModel(set.kernels, set.workers)
				texts := []string{strings.Repeat("note ", tokens-2)}
				for b.Loop() {
					if _, err := m.Embed(b.Context(), texts); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkTokens(b *testing.B) {
	v := newVocabulary(vocabularyText)
	text := strings.Repeat("Notes about running agents durably, with a log that is replayed. ", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range v.tokens(text) {
		}
	}
}

// BenchmarkLoad is what the first use of a model costs once.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		newVocabulary(vocabularyText)
		if _, err := readWeights(blob); err != nil {
			b.Fatal(err)
		}
	}
}
