// Package markdown draws Markdown as rows, cheaply while the text grows. What it draws is meant for people: it cannot
// steer the terminal, is never wider than it may be, and never looks like a row of rein's own.
package markdown

import (
	"strings"

	"rein/terminal/tui/look"
)

// A Text is one text and the rows that were drawn of it. It is not for several goroutines.
//
// A text that only grows is not drawn again from its beginning. Markdown is read line by line, and a block that was
// followed by another one never changes, except that its links may get their addresses later. So the rows of such
// blocks are kept, and only what comes after them is read again. The rows are always those that the whole text would
// have in a new Text.
type Text struct {
	drawer drawer
	atOnce int
	width  int
	text   string
	pieces []piece // what will not change, in order
	next   start   // where the rest begins
	rows   []string
	kept   int      // how many of the rows belong to the pieces
	above  []string // rows that stand above the text
	lead   string   // what every row of the text begins with

	known refs // definitions of links in the pieces
	last  refs // and in what comes after them

	read int // bytes that were parsed, for tests: this is the work
}

// New returns a text that has nothing in it.
func New(t look.Theme) *Text {
	return &Text{drawer: drawer{theme: t, pens: newPens(t)}, atOnce: atOnce}
}

// Behind sets what the rows of the text begin with, and the rows above them. Both are drawn with the text, so that what
// stays as it is costs nothing.
func (m *Text) Behind(lead string, above ...string) *Text {
	m.lead, m.above = lead, above
	m.forget(0)
	return m
}

// Rows returns the text as rows of at most that many cells, without what they begin with. They are valid until the next call, and not to be changed.
func (m *Text) Rows(text string, width int) []string {
	if width < 1 {
		return nil
	}
	if width != m.width || !strings.HasPrefix(text, m.text) {
		m.forget(width)
	}
	if text == m.text {
		return m.rows
	}
	m.text = text
	m.grow()
	return m.rows
}

func (m *Text) forget(width int) {
	*m = Text{
		drawer: m.drawer, atOnce: m.atOnce, width: width, rows: append(m.rows[:0], m.above...), kept: len(m.above), above: m.above, lead: m.lead,
		known: refs{}, read: m.read,
	}
}
