package dialect_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"rein/docs"
)

// TestDocumented wants every message of the three contracts in docs/dialects.md: the types that the code
// names, whichever side sends them.
//
// Covers: RAO-90 TREE-21/wire
func TestDocumented(t *testing.T) {
	found := 0
	for file, words := range map[string]*regexp.Regexp{
		"strict/message.go":  regexp.MustCompile(`(?m)^\t(?:type|agent)\w+ += "([a-z_]+)"`),
		"strict/request.go":  regexp.MustCompile(`(?m)^\t"([a-z_]+)": +func`),
		"explore/chunk.go":   regexp.MustCompile(`ChunkType = "([a-z-]+)"`),
		"explore/socket.go":  regexp.MustCompile(`(?m)^\tcase "([a-z-]+)":`),
		"assist/chunk.go":    regexp.MustCompile(`ChunkType = "([a-z_]+)"`),
		"explore/explore.go": regexp.MustCompile(`mux.Handle\("(/agent/[^"]+)"`),
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range words.FindAllStringSubmatch(string(text), -1) {
			if found++; !strings.Contains(docs.Dialects, m[1]) {
				t.Errorf("docs/dialects.md does not say %q, of %s", m[1], file)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d messages were found", found)
	}
}
