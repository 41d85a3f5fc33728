package strict

import (
	"fmt"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/quote"
)

// How much of a text is repeated in a prompt; the whole stands in the conversation anyway. In bytes.
const (
	mostAsked    = 8000
	mostSeen     = 4000
	mostResult   = 1000
	mostResults  = 12_000
	mostName     = 120
	mostCollapse = 160
)

// summariesOf says what came of each call, as data: briefly, without what could pass for markup.
func summariesOf(calls []rein.ToolCall, results []rein.Message) string {
	if len(calls) == 0 {
		return "No tool was called in this step."
	}
	var lines []string
	for i, call := range calls {
		what := results[i].Described().Text
		if results[i].FromPerson {
			what = "the person answered: " + what
		}
		lines = append(lines, fmt.Sprintf("- %s: %s. %s", kit.Line(call.Name, mostName), results[i].Status, kit.Line(what, mostResult)))
	}
	return quote.Untrusted("results of this step", kit.Short(strings.Join(lines, "\n"), mostResults))
}

// collapsed is what stays of an old observation.
func collapsed(text string) string { return kit.Line(text, mostCollapse) }
