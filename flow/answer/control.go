package answer

import (
	"encoding/json"
	"slices"
	"strings"

	"rein/internal/lenient"
)

// control is what the model says of itself at the end of a decision.
type control struct {
	Confidence string // low, medium or high
	Enough     bool
}

// readControl reads the control block that trails a text. Where there is none, or where it says
// nothing that we know, confidence is medium and what was found is enough.
func readControl(text string) control {
	c := control{Confidence: "medium", Enough: true}
	block, _, ok := findControl(text)
	if !ok {
		return c
	}
	if said, ok := block["confidence"].(string); ok {
		said = strings.ToLower(strings.TrimSpace(said))
		if slices.Contains([]string{"low", "medium", "high"}, said) {
			c.Confidence = said
		}
	}
	if enough, ok := block["enough"].(bool); ok {
		c.Enough = enough
	}
	return c
}

// withoutControl returns a text without the control block at its end, should a model have added one
// where it was asked not to.
func withoutControl(text string) string {
	_, start, ok := findControl(text)
	if !ok {
		return text
	}
	return strings.TrimRight(text[:start], " \t\r\n")
}

// findControl finds the control block and where it starts. It ends the text, and an object with
// other keys than a control block's is not one.
func findControl(text string) (block map[string]any, start int, ok bool) {
	found, err := lenient.Last(text)
	if err != nil || strings.TrimSpace(text[found.End:]) != "" || json.Unmarshal(found.JSON, &block) != nil {
		return nil, 0, false
	}
	known := 0
	for _, key := range []string{"confidence", "enough"} {
		if _, has := block[key]; has {
			known++
		}
	}
	return block, found.Start, known > 0 && known == len(block)
}
