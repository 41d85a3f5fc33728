package rank

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Covers: HUM-53/notes
func TestDiversify(t *testing.T) {
	// Texts by letter: the same letter is the same text, neighbours are alike.
	texts := "aaabbc"
	list := []Candidate{{0, .9}, {1, .8}, {2, .7}, {3, .6}, {4, .5}, {5, .4}}
	alike := func(a, b int) float64 {
		if texts[a] == texts[b] {
			return 1
		}
		return 0.3
	}
	tests := []struct {
		name   string
		lambda float64
		k      int
		want   []int
	}{
		{"1 is the order of scores", 1, 6, []int{0, 1, 2, 3, 4, 5}},
		{"0 repeats no text before the others are used up", 0, 6, []int{0, 3, 5, 1, 2, 4}},
		{"a half keeps the order of what is no repetition", 0.5, 4, []int{0, 3, 5, 1}},
		{"more than there are", 0.5, 99, []int{0, 3, 5, 1, 2, 4}},
		{"none", 0.5, 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Diversify(list, tt.lambda, tt.k, alike)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := Diversify(nil, 0.5, 3, alike); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}

// Between 0 and 1 lambda says how alike is too much; whatever is less alike keeps its place.
//
// Covers: HUM-53/notes
func TestLambdaOnlyMovesNearRepetitions(t *testing.T) {
	list := []Candidate{{0, .9}, {1, .8}, {2, .3}}
	for _, tt := range []struct {
		lambda, alike float64
		want          []int
	}{
		{0, 0.5, []int{0, 1, 2}},
		{0, 0.7, []int{0, 2, 1}},
		{0.5, 0.7, []int{0, 1, 2}},
		{0.5, 0.85, []int{0, 2, 1}},
		{0.9, 0.9, []int{0, 1, 2}},
		{0.9, 1, []int{0, 2, 1}},
		{1, 1, []int{0, 1, 2}},
	} {
		alike := func(a, b int) float64 {
			if a+b == 1 {
				return tt.alike
			}
			return 0.4
		}
		if got := Diversify(list, tt.lambda, 3, alike); !slices.Equal(got, tt.want) {
			t.Errorf("lambda %v, alike %v: %v, want %v", tt.lambda, tt.alike, got, tt.want)
		}
	}
}

// Covers: HUM-54/notes
func TestShortPiecesLoseAndStay(t *testing.T) {
	for _, tt := range []struct {
		size, threshold int
		want            float64
	}{{0, 160, 1. / 3}, {80, 160, 2. / 3}, {160, 160, 0}, {5, 0, 0}} {
		if got := Shortness(tt.size, tt.threshold); got != tt.want {
			t.Errorf("Shortness(%d, %d) = %v, want %v", tt.size, tt.threshold, got, tt.want)
		}
	}
	long, short := Parts{Words: 0.5}, Parts{Words: 0.5, Short: Shortness(20, 160)}
	if short.Score() >= long.Score() || short.Score() <= 0 {
		t.Errorf("short %v, long %v", short.Score(), long.Score())
	}
}

func TestScore(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    Parts
		want float64
	}{
		{"words alone", Parts{Words: 0.5}, 0.5},
		{"without a vector words do not say how near it is for ever", Parts{Words: 1.5}, 1},
		{"both", Parts{Words: 0.5, Vector: 0.5, Vectors: true}, 0.5},
		{"an opposite vector does not hurt", Parts{Words: 0.5, Vector: -0.5, Vectors: true}, 0.25},
		{"a name is not shortened", Parts{Words: 0.5, Short: 0.5, Name: 1}, 1.25},
	} {
		if got := tt.p.Score(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestTopIsTheBeginningOfTheWholeOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		scores := make([]float32, r.IntN(60))
		var all []Candidate
		for i := range scores {
			if scores[i] = float32(r.IntN(12) - 2); scores[i] >= 0 {
				all = append(all, Candidate{i, float64(scores[i])})
			}
		}
		n := r.IntN(70)
		got := Top(n, scores)
		ByScore(all)
		if want := all[:min(n, len(all))]; !slices.Equal(got, want) {
			t.Fatalf("Top(%d) = %v, want %v", n, got, want)
		}
	}
}
