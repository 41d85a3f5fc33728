package look

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rein/internal/visible"
)

// tab is how wide a tab is drawn: what it would be depends on where the terminal believes to be.
const tab = 4

// Safe returns what others wrote in a form that a terminal can be given: what cannot be seen, and what would steer the
// terminal, is spelled out. Lines stay lines.
func Safe(s string) string {
	return strings.ReplaceAll(visible.Lines(s), "\t", strings.Repeat(" ", tab))
}

// SafeLine is Safe for a text that has to stay on one row.
func SafeLine(s string) string {
	return strings.ReplaceAll(visible.Line(s), "\t", " ")
}

// Cells is how many cells a text takes, without its colours.
func Cells(s string) int { return ansi.StringWidth(s) }

// Cut returns the beginning of a row that fits, with a sign where something is missing.
func (t Theme) Cut(s string, cells int) string {
	if cells <= 0 {
		return ""
	}
	return ansi.Truncate(s, cells, t.Signs.More)
}

// Fold breaks a text into rows that fit, between words where it can.
func Fold(s string, cells int) []string {
	if cells < 1 {
		cells = 1
	}
	return strings.Split(ansi.Wrap(s, cells, " "), "\n")
}

// Spread puts one text at the left and one at the right of a row. The left one is cut if both do not fit.
func (t Theme) Spread(left, right string, cells int) string {
	room := cells - Cells(right)
	if right != "" {
		room--
	}
	if room < 8 { // the right one is what can be missed
		return Pad(t.Cut(left, cells), cells)
	}
	if right == "" {
		return t.Cut(left, room)
	}
	return Pad(t.Cut(left, room), room+1) + right
}

// Pad fills a row with spaces.
func Pad(s string, cells int) string {
	if n := cells - Cells(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Plainly returns a row without its colours.
func Plainly(s string) string { return ansi.Strip(s) }

// Left fills a text with spaces before it, so that it ends at the right of a column.
func Left(s string, cells int) string {
	if n := cells - Cells(s); n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}
