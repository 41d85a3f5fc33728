package pick_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/pick"
)

// What somebody most likely means comes first; what does not match is not there.
func TestMatchRanks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query string
		want  []string // of these, in this order
		not   []string
	}{
		{"model", []string{"model", "models", "Set the model", "my own delay"}, []string{"mode", "ledom"}},
		{"fl", []string{"flow", "Fix the flaky test", "rifle", "Find a hole"}, []string{"lf", ""}},
		{"gs", []string{"git status", "logs", "gossip"}, nil},
		{"pg", []string{"park.go", "engine/park.go", "upgrade", "stopping"}, nil},
		{"park", []string{"park.go", "engine/park.go", "engine/spark.go", "plan a risky one"}, nil},
		{"egp", []string{"engine/guard/park.go", "engine/park.go", "eagle pass"}, []string{"park/engine.go"}},
		{"ff", []string{"FindFile", "offer"}, nil},
		{"eclair", []string{"éclair", "Les Éclairs"}, []string{"claire"}},
		{"ÉCLAIR", []string{"ECLAIR"}, []string{"éclair", "eclair"}},
		{"éclair", []string{"Eclair"}, nil},
		{"cafe", []string{"cafe\u0301"}, nil},
		{"cafe\u0301", []string{"café"}, nil},
		{"Fix", []string{"Fix", "The Fix"}, []string{"fix", "suffix"}},
		{"fix", []string{"Fix", "suffix"}, nil},
		{"test flaky", []string{"Fix the flaky test"}, []string{"flaky", "test"}},
		{"日本", []string{"日本語", "日々本"}, []string{"本日"}},
		{"  ", []string{"anything"}, nil},
	} {
		last := 1 << 30
		for _, text := range c.want {
			score, _, ok := pick.Match(c.query, text)
			if !ok || score >= last {
				t.Errorf("%q in %q: %v, %d points, after %d for what stands before it", c.query, text, ok, score, last)
			}
			last = score
		}
		for _, text := range c.not {
			if score, at, ok := pick.Match(c.query, text); ok {
				t.Errorf("%q is found in %q, %d points, at %v", c.query, text, score, at)
			}
		}
	}
}

// The bytes that Match returns are those of the letters that were found, where they are worth most.
func TestMatchMarks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		want        []int
	}{
		{"fl", "Fix the flaky test", []int{8, 9}},
		{"te", "Fix the test", []int{8, 9}},
		{"es", "é is", []int{0, 4}},
		{"pg", "engine/park.go", []int{7, 12}},
		{"go park", "engine/park.go", []int{7, 8, 9, 10, 12, 13}},
		{"k", "日k", []int{3}},
		{"a a", "banana", []int{1}},
		{"", "x", nil},
	} {
		_, at, ok := pick.Match(c.query, c.text)
		if diff := cmp.Diff(c.want, at); !ok || diff != "" {
			t.Errorf("%q in %q: %v, -want +got:\n%s", c.query, c.text, ok, diff)
		}
	}
}

// The search by places finds what trying all ways to place the letters finds.
func TestMatchIsBest(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(19, 1))
	for range 4000 {
		text, query := letters(r, "ab/_Aé", 1+r.IntN(10)), letters(r, "ab", 1+r.IntN(4))
		score, at, ok := pick.Match(query, text)
		best, found := tried(query, text)
		if ok != found || ok && score != best {
			t.Fatalf("%q in %q: %v with %d points at %v; trying all ways: %v with %d", query, text, ok, score, at, found, best)
		}
		if got := spelled(text, at); ok && got != query {
			t.Fatalf("%q in %q is marked at %v, which is %q", query, text, at, got)
		}
	}
}

func letters(r *rand.Rand, of string, n int) string {
	var b strings.Builder
	from := []rune(of)
	for range n {
		b.WriteRune(from[r.IntN(len(from))])
	}
	return b.String()
}

// spelled is what stands at places of a text, in small letters.
func spelled(text string, at []int) string {
	var b strings.Builder
	for i, r := range text {
		if slices.Contains(at, i) {
			b.WriteRune(r)
		}
	}
	return strings.ReplaceAll(strings.ToLower(b.String()), "é", "e")
}

// tried scores all ways to place the letters of a query, as the package's comments say it.
func tried(query, text string) (best int, ok bool) {
	runes := []rune(text)
	best = -1 << 30
	var place func(i, from int, at []int)
	place = func(i, from int, at []int) {
		if i == len(query) {
			best, ok = max(best, worth(runes, at)), true
			return
		}
		for j := from; j < len(runes); j++ {
			if strings.ToLower(string(runes[j])) == query[i:i+1] {
				place(i+1, j+1, append(slices.Clone(at), j))
			}
		}
	}
	place(0, 0, nil)
	return best, ok
}

func worth(text []rune, at []int) (points int) {
	unbroken := true
	for i, j := range at {
		own := 0
		switch {
		case j == 0:
			own = 14
		case text[j-1] == '/':
			own = 12
		case text[j-1] == '_' && text[j] != '_':
			own = 10
		case text[j] == 'A' && text[j-1] != 'A':
			own = 8
		}
		switch {
		case i == 0 || at[i-1] < j-1:
			points += 16 + own
		default:
			points += 16 + max(8, own)
		}
		if i > 0 && at[i-1] < j-1 {
			points -= 4 + (j - at[i-1] - 2)
			unbroken = false
		}
	}
	if unbroken {
		points += 4
		if at[0] == 0 {
			points += 12
			if len(at) == len(text) {
				points += 24
			}
		}
	}
	return points
}

func FuzzMatch(f *testing.F) {
	f.Add("fl te", "Fix the flaky test")
	f.Add("é\u0301\xff", "\xffe\u0301日本")
	f.Fuzz(func(t *testing.T, query, text string) {
		_, at, ok := pick.Match(query, text)
		if !ok && at != nil {
			t.Errorf("%v without a match", at)
		}
		for i, n := range at {
			if n < 0 || n >= len(text) || i > 0 && at[i-1] >= n {
				t.Fatalf("%q in %q: %v", query, text, at)
			}
		}
	})
}
