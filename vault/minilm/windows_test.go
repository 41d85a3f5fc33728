package minilm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWindows(t *testing.T) {
	m := New()
	note := func(n int) string { return strings.TrimSpace(strings.Repeat("note ", n)) }
	tests := []struct {
		name  string
		text  string
		limit int
		want  []int // tokens of each window
	}{
		{"nothing", "", 0, nil},
		{"space", " \n ", 0, nil},
		{"one word", " note ", 0, []int{1}},
		{"just fits", note(254), 0, []int{254}},
		{"one too many", note(255), 0, []int{128, 127}},
		{"limit as large as can be", note(255), 100_000, []int{128, 127}},
		{"alike", note(600), 256, []int{200, 200, 200}},
		{"smaller limit", note(300), 152, []int{150, 150}},
		{"limit smaller than a word may be", note(204), 5, []int{102, 102}},
		{"a mark stays with its word", strings.TrimSpace(strings.Repeat("note. ", 130)), 256, []int{130, 130}},
		{"marks at the end of a line", note(127) + strings.Repeat("!", 5) + " " + note(126), 256, []int{132, 126}},
		{"no space", strings.Repeat("!", 300), 256, []int{166, 134}},
		{"negative limit", note(204), -1, []int{102, 102}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []int
			for _, w := range m.Windows(test.text, test.limit) {
				got = append(got, count(m.words(), test.text[w.Start:w.End]))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("tokens of windows (-want +got):\n%s", diff)
			}
		})
	}
}

// Windows of long words, marks and scripts keep their limit, and together have every token of the text.
func TestWindowsLoseNothing(t *testing.T) {
	v := newVocabulary(vocabularyText)
	for _, g := range readGolden(t) {
		checkWindows(t, v, strings.Repeat(g.Text+" ", 50), MaxTokens-2)
		checkWindows(t, v, strings.Repeat(g.Text, 50), minWindow-2)
	}
	checkWindows(t, v, strings.Repeat(strings.Repeat("zq", 50)+" ", 40), minWindow-2)
}

func count(v *vocabulary, text string) int {
	n := 0
	for range v.tokens(text) {
		n++
	}
	return n
}

func ids(v *vocabulary, text string) []int32 {
	var all []int32
	for token := range v.tokens(text) {
		all = append(all, token.ID)
	}
	return all
}

func checkWindows(t *testing.T, v *vocabulary, text string, room int) {
	t.Helper()
	var all []int32
	end := 0
	for _, w := range v.windows(text, room) {
		if w.Start < end || w.End <= w.Start || w.End > len(text) {
			t.Fatalf("%q: window %+v after %d", text, w, end)
		}
		inside := ids(v, text[w.Start:w.End])
		if len(inside) == 0 || len(inside) > room {
			t.Fatalf("%q: window %+v has %d tokens; at most %d fit", text, w, len(inside), room)
		}
		all = append(all, inside...)
		end = w.End
	}
	if diff := cmp.Diff(ids(v, text), all); diff != "" {
		t.Fatalf("%q: tokens of the windows (-want +got):\n%s", text, diff)
	}
}

// A question that is too long for one window is read at its beginning and at its end.
func TestBrief(t *testing.T) {
	m := New()
	many := strings.TrimSpace(strings.Repeat("note ", 600))
	for _, text := range []string{"", " ", "a question?", strings.TrimSpace(strings.Repeat("note ", 254))} {
		if got := m.Brief(text); got != text {
			t.Errorf("%.20q fits and becomes %.20q", text, got)
		}
	}
	for _, text := range []string{"first " + many + " last?", "first. " + strings.Repeat("!", 700) + " last?", "first " + strings.Repeat("x", 5000) + " " + many + " 日本語 last?"} {
		got := m.Brief(text)
		if n := count(m.words(), got); n > MaxTokens-2 || n < 100 {
			t.Errorf("%.20q: %d tokens are left; the model reads %d", text, n, MaxTokens-2)
		}
		if !strings.HasPrefix(got, "first") || !strings.HasSuffix(got, "last?") {
			t.Errorf("%.20q: the beginning or the end is missing: %.10q … %q", text, got, got[max(0, len(got)-10):])
		}
	}
}
