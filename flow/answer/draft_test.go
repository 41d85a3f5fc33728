package answer_test

import (
	"strings"
	"testing"

	"rein"
	"rein/flow/answer"
)

// However an answer is cut into pieces, what is shown of it only grows into what the run ends with, and
// what nothing supports never looks like a citation.
//
// Covers: HUM-62 HUM-10
func TestDraftOnlyGrows(t *testing.T) {
	d := answer.NewDraft(rein.Task{})
	d.Observe(rein.ToolCall{Name: "read_file"}, rein.ToolResult{Status: rein.ToolOK, Text: "A rein guides.", Data: []byte(`{"path":"horse.md"}`), Evidence: rein.EvidenceFile})
	for _, text := range []string{
		"It guides [horse.md]. It flies [ghost.md].\n",
		"\n\n It guides [horse.md#Use; ghost.md], see ![[ghost]] and [[horse|the horse]].",
		"A [link](https://example.org) and [one](ghost.md) and [two](horse.md).",
		"Code `[ghost.md]` and `open [ghost.md]\n\nand ``x [ghost.md]`` [ghost.md][ghost.md].",
		"```\n[ghost.md]\n```\n[ghost.md] \\[ghost.md] [not closed ghost.md\n[closed] !",
		"A tick ` and [ghost.md]\nin the same paragraph, never closed.",
		"It guides [horse.md].\n\n{\"confidence\":\"high\",\"enough\":true}",
		"It guides.\n\n```json\n{\"confidence\":\"high\"}\n```",
		"{\"a\": 1} is no control block [ghost.md].",
		strings.Repeat("[", 700) + "[ghost.md]",
	} {
		whole := d.Whole(text)
		for at := range len(text) + 1 {
			shown := d.Shown(text[:at])
			if !strings.HasPrefix(whole, shown) {
				t.Fatalf("after %q\nis shown %q\nof %q", text[:at], shown, whole)
			}
		}
	}
	if shown := d.Shown("It guides [horse.md], and more"); shown != "It guides [horse.md], and more" {
		t.Errorf("%q is held back", shown)
	}
}
