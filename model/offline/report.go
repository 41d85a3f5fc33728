package offline

import (
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// outline is where a prompt repeats what the model meant to answer.
const outline = "<untrusted source=\"outline\">"

// reported quotes what calls gave, as a flow puts it before whoever writes the reply; "" if it puts nothing there.
func reported(t *turn) string {
	for _, m := range slices.Backward(t.Messages) {
		if m.Role != rein.Developer {
			continue
		}
		var bodies []string
		found, _, _ := strings.Cut(m.Text, outline) // what it meant to say is no result
		for _, block := range quote.Blocks(found, quote.UntrustedTag) {
			if body := clip(strings.TrimSpace(block.Content), maxBlock); body != "" {
				bodies = append(bodies, quote.Escape(clean(body)))
			}
		}
		if bodies == nil {
			return ""
		}
		return strings.Join(append([]string{say(t.lang, "brief"), say(t.lang, "reported")}, bodies...), "\n\n")
	}
	return ""
}
