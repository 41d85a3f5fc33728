package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A long line is quoted by the sentence. The number of a list, an abbreviation and a row of a table are
// no ends of sentences.
func TestSentences(t *testing.T) {
	long := strings.Repeat("a long sentence goes on and on ", 9)
	for text, want := range map[string][]string{
		"1. First " + long + "ends. Second one.":        {"1. First " + long + "ends.", "Second one."},
		"See e.g. the " + long + "roof. It leaks.":      {"See e.g. the " + long + "roof.", "It leaks."},
		"It costs 3.50 and " + long + "more. Is it so?": {"It costs 3.50 and " + long + "more.", "Is it so?"},
		"| one. | two. | " + long + "three. | four |":   {"| one. | two. | " + long + "three. | four |"},
	} {
		var got []string
		for _, l := range sentences(line{text: text}) {
			got = append(got, l.text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}
