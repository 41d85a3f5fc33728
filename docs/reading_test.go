package docs_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The guide for people who want to change rein has a picture of the loop, of summaries and of the limiter, and says for
// each part which files to read first. The files are there.
//
// Covers: SD-80
func TestReading(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("internal/reading.md")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, part := range strings.Split(string(page), "\n## ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		parts[title] = text
	}
	for title, needs := range map[string]struct {
		picture bool
		file    string
	}{
		"The loop": {true, "flow/kit/loop.go"},
		"The conversation, and how it gets shorter": {true, "engine/model_compact.go"},
		"The limiter":  {true, "engine/work/pace/pace.go"},
		"Providers":    {false, "model/openai/openai.go"},
		"The terminal": {true, "terminal/tui/model.go"},
	} {
		text := parts[title]
		if needs.picture != strings.Contains(text, "```mermaid\n") {
			t.Errorf("%s: picture should be %v", title, needs.picture)
		}
		var files []string
		for _, to := range link.FindAllStringSubmatch(text, -1) {
			file := filepath.Join("internal", to[1])
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %v", title, err)
			}
			files = append(files, filepath.ToSlash(filepath.Clean(filepath.Join("docs", file))))
		}
		if !slices.Contains(files, needs.file) {
			t.Errorf("%s does not name %s, but %q", title, needs.file, files)
		}
	}
}
