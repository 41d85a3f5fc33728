// Package textdiff shows people what would change in a file: a unified diff in which everything can be seen. It is
// pure.
package textdiff

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"rein/internal/visible"
)

// A Diff is the difference of two texts.
type Diff struct {
	Text           string // unified, with the two names above it
	Added, Removed int    // lines
}

// New compares two texts. Characters that are not seen, or that turn others around, are written as their numbers.
func New(from, to string, before, after []byte) Diff {
	from, to = visible.Line(from), visible.Line(to)
	if !utf8.Valid(before) {
		return Diff{Text: fmt.Sprintf("--- %s\n(it was not text)\n", from)}
	}
	out := diff.Diff("old", before, "new", after)
	_, out, _ = bytes.Cut(out, []byte("+++ new\n"))
	var d Diff
	for line := range bytes.Lines(out) {
		switch line[0] {
		case '+':
			d.Added++
		case '-':
			d.Removed++
		}
	}
	d.Text = fmt.Sprintf("--- %s\n+++ %s\n%s", from, to, spelled(string(out)))
	return d
}

// Clip cuts whole lines of a diff, and says how many.
func Clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := strings.LastIndexByte(text[:limit], '\n') + 1
	if end == 0 { // one long line
		end = limit
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		return text[:end] + fmt.Sprintf("\n[… %d more bytes are not shown]\n", len(text)-end)
	}
	return text[:end] + fmt.Sprintf("[… %d more lines are not shown]\n", strings.Count(text[end:], "\n"))
}

// spelled writes out what could deceive a reader. The end of a line with CR LF stays.
func spelled(text string) string {
	lines := strings.Split(text, "\r\n")
	for i := range lines {
		lines[i] = visible.Lines(lines[i])
	}
	return strings.Join(lines, "\r\n")
}
