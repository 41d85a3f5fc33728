package markdown

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"rein/terminal/tui/look"
)

// A cluster is what stands in one cell, or in two: a character with the marks on it, or an emoji.
type cluster struct {
	text  string
	cells int
}

// first returns the first cluster of a text, and how many bytes of the text it is.
func first(s string) (cluster, int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return cluster{s[:1], 1}, 1
	}
	const longest = 64 // bytes: more marks than that would reach far into other rows
	text, _ := ansi.FirstGraphemeCluster(s[:min(len(s), 2*longest)], ansi.GraphemeWidth)
	for len(text) > longest {
		_, last := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-last]
	}
	c := cluster{text, look.Cells(text)}
	if c.cells == 0 { // a mark, and nothing below it: it would stand on what is before the row
		c.text = "◌" + text
		c.cells = look.Cells(c.text)
	}
	return c, len(text)
}
