package answer

import (
	"strings"

	"rein"
)

// A Draft is an answer of the flow answer while it is written, as people may see it: a citation that
// nothing in the run supports never looks like one, not even for a moment.
type Draft struct {
	task  rein.Task
	found evidence
}

// NewDraft begins the draft of a run with this task.
func NewDraft(task rein.Task) *Draft { return &Draft{task: task} }

// Observe takes what a tool returned in the run.
func (d *Draft) Observe(call rein.ToolCall, result rein.ToolResult) { d.found.observe(call, result) }

// maxDraft is how much of a reply is looked at again with every piece of it; the rest comes at its end.
const maxDraft = 200_000

// Shown returns what can be shown of a reply of which this much is written. What may still become a
// citation, or the control block that ends some replies, is held back.
func (d *Draft) Shown(written string) string {
	written = written[:min(len(written), maxDraft)]
	return strings.TrimRight(d.checked(written[:settled(written)]), " \t\r\n")
}

// Whole is the reply as the run ends with it.
func (d *Draft) Whole(reply string) string {
	return strings.TrimSpace(d.checked(strings.TrimSpace(withoutControl(reply))))
}

func (d *Draft) checked(text string) string {
	return d.found.marked(d.task, strings.TrimLeft(text, " \t\r\n"), func(mention, citation) {})
}

// settled is how much of a text reads the same whatever is written next: up to a bracket, or code, that
// may still be closed in the same paragraph.
func settled(text string) int {
	for i := 0; i < len(text); {
		if mayControl(text, i) {
			return i
		}
		switch c := text[i]; c {
		case '`', '~':
			end := skipCode(text, i)
			if end == i+repeats(text[i:], c) && !over(text, i, "\n\n") {
				return i
			}
			i = max(end, i+1)
		case '\\', '!':
			if i+1 == len(text) {
				return i
			}
			if c == '\\' {
				i++
			}
			i++
		case '[':
			if !decided(text, i) && i > 0 && text[i-1] == '!' {
				return i - 1
			} else if !decided(text, i) {
				return i
			}
			i++
		default:
			i++
		}
	}
	return len(text)
}

// mostControl is how long a control block is at most.
const mostControl = 400

// mayControl reports whether the end of the text may be the beginning of a control block.
func mayControl(text string, at int) bool {
	return len(text)-at < mostControl && (text[at] == '{' || strings.HasPrefix(text[at:], "```")) && beginsLine(text, at)
}

// over reports whether what begins here has met its end, or is too long to be it.
func over(text string, at int, end string) bool {
	return strings.Contains(text[at:], end) || len(text)-at >= maxSpan
}

// decided reports whether it is known what the bracket that opens here is.
func decided(text string, at int) bool {
	if over(text, at, "\n") {
		return true
	}
	end := matching(text, at, '[', ']')
	switch {
	case end < 0:
		return len(text)-at >= maxCitation
	case end == len(text):
		return false // a link goes on behind it
	case text[end] == '(':
		return matching(text, end, '(', ')') > 0 || len(text)-end >= maxCitation
	}
	return true
}
