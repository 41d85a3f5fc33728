package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// No code recognises the words of a text, except where the list says why.
func TestSentences(t *testing.T) {
	wrong, err := CheckSentences(repository, Sentences)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}

// TestPlantedSentences shows that the check bites.
func TestPlantedSentences(t *testing.T) {
	const code = `package p

import "strings"

func f(err error) bool {
	switch err.Error() {
	case "not allowed here":
		return true
	}
	return strings.Contains(err.Error(), "too late") || err.Error() == "is closed" || strings.HasPrefix("a-b", "code_one")
}
`
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "p.go"), []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	wrong, err := CheckSentences(root, []Hand{{"gone.go", "nothing"}})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(wrong, "\n")
	for _, says := range []string{"p.go:7", "p.go:10", `"too late"`, `"is closed"`, "gone.go"} {
		if !strings.Contains(all, says) {
			t.Errorf("%q is not reported in:\n%s", says, all)
		}
	}
	if len(wrong) != 4 {
		t.Errorf("reported:\n%s", all)
	}
}
