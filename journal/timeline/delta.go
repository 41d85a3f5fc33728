package timeline

import (
	"strings"
	"unicode/utf8"

	"rein"
	"rein/internal/prose"
)

// maxOutput is the most that is kept of what a tool writes while it runs.
const maxOutput = 64 << 10

// piece takes a piece of text that is being written.
func (t *Timeline) piece(d rein.Delta) {
	o := t.open[d.Step]
	if o == nil || o.item == nil || d.Attempt < o.attempt {
		return
	}
	if d.Attempt > o.attempt {
		o.restart(d.Attempt)
	}
	text := withoutBytes(d, o.bytes)
	if text == "" {
		return
	}
	o.bytes = d.Offset + len(d.Text)
	switch item := o.item.(type) {
	case *Tool:
		if d.Output {
			item.Output = tail(item.Output+text, maxOutput)
			item.changed()
		}
	case *Model:
		if d.Output {
			return
		}
		if t.checksDrafts() {
			text = o.text.pass(text)
		}
		item.Text += text
		item.changed()
	}
}

// restart forgets the text of an earlier attempt.
func (o *open) restart(attempt int) {
	o.attempt, o.bytes = attempt, 0
	o.text.reset()
	switch item := o.item.(type) {
	case *Tool:
		item.Output = ""
	case *Model:
		item.Text = ""
	}
}

// withoutBytes cuts off the beginning of a piece that came before.
func withoutBytes(d rein.Delta, has int) string {
	switch known := has - d.Offset; {
	case known <= 0:
		return d.Text
	case known >= len(d.Text):
		return ""
	default:
		return d.Text[known:]
	}
}

// tail is the end of a text, from the beginning of a character on.
func tail(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	return text
}

// gated passes on a text while it is written, without what may be an object at its end.
type gated struct {
	gate *prose.Gate
	out  strings.Builder
}

func (g *gated) reset() { g.gate = nil }

func (g *gated) pass(text string) string {
	if g.gate == nil {
		g.gate = prose.Body(func(text string) { g.out.WriteString(text) })
	}
	g.out.Reset()
	g.gate.Write(text)
	return g.out.String()
}
