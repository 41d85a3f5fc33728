package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"rein/internal/visible"
)

// Cells is how many cells a text takes on a terminal, without its colours. Wide characters take two, and marks that are
// combined with the character before them none.
func Cells(s string) int { return ansi.StringWidth(s) }

// Cut returns a text of others on one line that takes at most so many cells, with a sign at its end if it is cut.
func Cut(s string, cells int) string {
	const marks = 4 // that a character may have on it, and that take no cell
	s = visible.Short(s, marks*max(cells, 0))
	if Cells(s) <= cells {
		return s
	}
	return strings.TrimRight(ansi.Truncate(strings.TrimSuffix(s, "…"), cells-1, ""), " ") + "…"
}

// Wrap folds the lines of a text at their spaces into rows of at most width cells; rows that continue a line are indented by
// so much more than the line. What stands in backquotes is a command that somebody may copy, and stays on one row; so does
// a name without spaces, such as a path: the terminal folds it where its row ends.
func Wrap(text string, width, more int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if Cells(line) > width {
			lines[i] = wrapLine(line, width, more)
		}
	}
	return strings.Join(lines, "\n")
}

func wrapLine(line string, width, more int) string {
	words := strings.TrimLeft(line, " ")
	lead := len(line) - len(words)
	indent := strings.Repeat(" ", min(lead+more, width/2))
	var b strings.Builder
	b.WriteString(line[:lead])
	column, gap, begun := lead, 0, false
	for _, part := range parts(words) {
		if part == "" { // there is more than one space
			gap++
			continue
		}
		size := Cells(part)
		switch {
		case begun && column+gap+size <= width:
			b.WriteString(strings.Repeat(" ", gap))
			column += gap
		case begun:
			column = len(indent)
			if strings.HasPrefix(part, "`") && size <= width {
				column = min(column, width-size) // a command that just fits is not folded for its indentation
			}
			b.WriteString("\n" + indent[:column])
		}
		if column+size > width && !isASCII(part) {
			rows := strings.Split(ansi.Hardwrap(part, width-len(indent), true), "\n")
			b.WriteString(strings.Join(rows, "\n"+indent))
			column = len(indent) + Cells(rows[len(rows)-1])
		} else {
			b.WriteString(part)
			column += size
		}
		gap, begun = 1, true
	}
	return b.String()
}

// parts are the words of a line; a command in backquotes is one of them.
func parts(line string) (all []string) {
	open := false
	for word := range strings.SplitSeq(line, " ") {
		odd := strings.Count(word, "`")%2 == 1
		if open {
			all[len(all)-1] += " " + word
		} else {
			all = append(all, word)
		}
		open = open != odd
	}
	if open { // nothing closes the last one
		return strings.Split(line, " ")
	}
	return all
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
