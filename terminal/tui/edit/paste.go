package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"rein/internal/units"
)

// A paste is a long text that stands in the input as a label.
type paste struct{ label, text string }

// What is longer is a paste of its own.
const (
	mostLines      = 8
	mostCharacters = 1000
	mostPastes     = 100 // whose labels are known
)

// Paste inserts a text. A long one becomes one character that can be deleted like any other: "[pasted 34 lines]".
func (i *Input) Paste(text string) {
	i.last, i.group = anything, i.group+1
	text = clean(text)
	if label := labelFor(text); label != "" {
		i.insert([]glyph{i.attach(label, text)})
	} else {
		i.insert(segment(text))
	}
	i.track()
}

// labelFor is what a long text is called; a short one needs no label.
func labelFor(text string) string {
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	characters := utf8.RuneCountInString(text)
	switch {
	case lines > mostLines:
		return "pasted " + units.Count(int64(lines), "line")
	case characters > mostCharacters:
		return "pasted " + units.Count(int64(characters), "character")
	}
	return ""
}

// attach keeps a paste under a label that no other one has.
func (i *Input) attach(label, text string) glyph {
	p := &paste{"[" + label + "]", text}
	for n := 2; i.pasteAt(p.label) != nil; n++ {
		p.label = fmt.Sprintf("[%s #%d]", label, n)
	}
	i.pastes = append(i.pastes, p)
	if len(i.pastes) > mostPastes {
		i.pastes = slices.Delete(i.pastes, 0, 1)
	}
	return p.glyph()
}

func (p *paste) glyph() glyph { return glyph{p.label, len(p.label), p} }

// pasteAt is the paste whose label a text begins with.
func (i *Input) pasteAt(text string) *paste {
	for _, p := range i.pastes {
		if strings.HasPrefix(text, p.label) {
			return p
		}
	}
	return nil
}

// linked takes a text apart in which labels stand for pastes.
func (i *Input) linked(text string) (glyphs []glyph) {
	for from := 0; ; {
		at := strings.Index(text[from:], "[pasted ")
		if at < 0 || len(i.pastes) == 0 {
			return append(glyphs, segment(text)...)
		}
		p := i.pasteAt(text[from+at:])
		if p == nil {
			from += at + 1
			continue
		}
		glyphs = append(append(glyphs, segment(text[:from+at])...), p.glyph())
		text, from = text[from+at+len(p.label):], 0
	}
}
