package summarise

import (
	"testing"
)

// Covers: NEU-11
func TestReadSummary(t *testing.T) {
	for reply, want := range map[string]string{
		`{"points": [" About\n tea. ", "And cake."]}`:       "About tea.\nAnd cake.",
		"Sure!\n```\n{\"points\":[\"About tea.\", 7]}\n```": "About tea.",
		`{"points": []}`:              "",
		`{"points": "About tea."}`:    "",
		`{"summary": " About tea. "}`: "About tea.",
		`{"summary": 7}`:              "",
		`{"gist": "About tea."}`:      "",
		"About tea.":                  "About tea.",
		`["About tea."]`:              "",
		"":                            "",
	} {
		if got := readSummary(reply); got != want {
			t.Errorf("%s: %q, want %q", reply, got, want)
		}
	}
}
