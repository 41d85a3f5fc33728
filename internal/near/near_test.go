package near_test

import (
	"strings"
	"testing"

	"rein/internal/near"
)

func TestWord(t *testing.T) {
	words := []string{"runs", "show", "audit", "backup", "doctor"}
	for typed, want := range map[string]string{
		"shwo": "show", "run": "runs", "audti": "audit", "bakcup": "backup", "doctr": "doctor",
		"": "", "xyzzy": "", "q": "", strings.Repeat("show", 1000): "",
	} {
		if got := near.Word(typed, words); got != want {
			t.Errorf("%.20q: got %q, want %q", typed, got, want)
		}
	}
	if got := near.DidYouMean("shwo", words); got != `; did you mean "show"?` {
		t.Error(got)
	}
	if got := near.DidYouMean("xyzzy", words); got != "" {
		t.Error(got)
	}
}
