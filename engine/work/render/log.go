package render

import (
	"fmt"
	"strings"

	"rein"
	"rein/internal/quote"
)

// asLog writes all calls and results as one numbered log in a user message, where the last of them
// was; what the assistant said is kept.
func asLog(parts []part) []rein.Message {
	last, entries := -1, []string{"Observations so far:"}
	var images []rein.Image
	for i, p := range parts {
		images = append(images, p.images()...)
		for _, e := range p.done {
			last = i
			entries = append(entries, fmt.Sprintf("%d. %s", len(entries), observation(e)))
		}
	}
	var out []rein.Message
	for i, p := range parts {
		switch {
		case p.orphan:
			out = append(out, p.note())
		case len(p.done) == 0:
			out = append(out, p.Message)
		case strings.TrimSpace(p.Text) != "":
			out = append(out, rein.Message{Role: rein.Assistant, Text: p.Text})
		}
		if i == last {
			out = append(out, rein.Message{Role: rein.User, Text: strings.Join(entries, "\n"), Images: images})
		}
	}
	return out
}

// observation is one entry: what was called, how it went, and the quoted result.
func observation(e exchange) string {
	name := strings.Join(strings.Fields(e.call.Name), " ")
	text := e.quoted()
	if e.result.FromPerson {
		text = quote.Block(quote.ResultTag, [][2]string{{"from", "person"}}, e.result.Text)
	}
	head := fmt.Sprintf("%s %s → %s", name, line(asRaw(e.call)), e.status())
	if e.result.Note != "" {
		head += " (" + e.result.Note + ")"
	}
	return quote.Escape(head) + "\n" + text
}
