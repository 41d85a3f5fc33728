package edit

import (
	"strings"
	"unicode"
)

// enter sends the text, or begins a new line behind a backslash.
func (i *Input) enter() Event {
	e := Event{Taken: true}
	if i.pos > 0 && i.glyphs[i.pos-1].text == `\` && i.pos == i.end(i.pos) {
		from := i.pos - 1
		if i.isShell() {
			from = i.pos // there the backslash means something
		}
		i.apart(func() { i.replace(from, i.pos, segment("\n")) })
		return e
	}
	sent := i.sent()
	if strings.TrimSpace(sent.Text) == "" {
		return e
	}
	i.remember(i.Text(), true)
	i.load(nil)
	e.Send = &sent
	return e
}

func (i *Input) sent() Sent {
	if i.isShell() {
		return Sent{Text: strings.TrimSpace(i.whole()[1:]), Shell: true}
	}
	sent := Sent{Text: strings.TrimRightFunc(i.Text(), unicode.IsSpace)}
	for _, g := range i.glyphs {
		if g.paste != nil {
			sent.Pastes = append(sent.Pastes, g.paste.text)
		}
	}
	return sent
}

// whole is the text with pastes in their places.
func (i *Input) whole() string {
	var b strings.Builder
	for _, g := range i.glyphs {
		if g.paste != nil {
			b.WriteString(g.paste.text)
			continue
		}
		b.WriteString(g.text)
	}
	return b.String()
}
