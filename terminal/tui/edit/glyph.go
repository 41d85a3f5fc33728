package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A glyph is what people take for one character, or a paste that counts as one.
type glyph struct {
	text  string
	cells int
	paste *paste // nil: the text is all of it
}

const tab = 4 // cells, wherever it stands

// segment takes a clean text apart.
func segment(text string) []glyph {
	glyphs := make([]glyph, 0, len(text))
	for text != "" {
		g := first(text)
		glyphs = append(glyphs, g)
		text = text[len(g.text):]
	}
	return glyphs
}

func first(text string) glyph {
	if text[0] < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf) {
		return glyph{text: text[:1], cells: cellsOf(text[0])}
	}
	character, cells := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	if c := character[0]; len(character) == 1 {
		cells = cellsOf(c)
	}
	return glyph{text: character, cells: cells}
}

func cellsOf(c byte) int {
	switch c {
	case '\n':
		return 0
	case '\t':
		return tab
	}
	return 1
}

func (g glyph) isNewline() bool { return g.text == "\n" }

func (g glyph) isSpace() bool {
	r, _ := utf8.DecodeRuneInString(g.text)
	return unicode.IsSpace(r)
}

// isWord reports whether a glyph belongs to a word, at the ends of which Alt-B and Alt-F stop.
func (g glyph) isWord() bool {
	r, _ := utf8.DecodeRuneInString(g.text)
	return g.paste != nil || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// join returns what two glyphs are side by side, and whether that is something else: an accent joins its letter.
func join(a, b glyph) (joined []glyph, changed bool) {
	if a.paste != nil || b.paste != nil || isASCII(a) && isASCII(b) {
		return nil, false
	}
	joined = segment(a.text + b.text)
	return joined, len(joined) != 2 || joined[0].text != a.text
}

func isASCII(g glyph) bool { return len(g.text) == 1 }

func textOf(glyphs []glyph) string {
	var b strings.Builder
	for _, g := range glyphs {
		b.WriteString(g.text)
	}
	return b.String()
}

func size(glyphs []glyph) (bytes int) {
	for _, g := range glyphs {
		bytes += len(g.text)
	}
	return bytes
}
