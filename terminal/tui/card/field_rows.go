package card

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rein/terminal/tui/look"
)

// row draws a field of one line, with the cursor in sight.
func (f *field) row(t look.Theme, cells int) string {
	at, rest := f.cursor()
	room := cells - max(1, look.Cells(at))
	before := f.before
	if over := look.Cells(before) - room; over > 0 {
		before = t.Signs.More + behind(before, over+1)
	}
	return t.Cut(before+t.Chosen(at)+rest, cells)
}

// behind is what is left of a text without at least so many cells of its beginning.
func behind(s string, cells int) string {
	for cells > 0 && s != "" {
		cluster, wide := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s, cells = s[len(cluster):], cells-wide
	}
	return s
}

// cursor is the character under the cursor, and what follows it on its line.
func (f *field) cursor() (at, rest string) {
	line, _, _ := strings.Cut(f.after, "\n")
	n := firstCluster(line)
	if n == 0 {
		return " ", ""
	}
	return line[:n], line[n:]
}

// rows draws as many rows of a field as there is room for, around the cursor.
func (f *field) rows(t look.Theme, cells, most int) (rows []string) {
	start := f.lineStart()
	at, rest := f.cursor()
	above := look.Break(lastLines(f.before[:start], most), cells)
	line := f.before[start:] + at + rest
	here := look.Break(line, cells)
	row, column := place(here, len(f.before)-start)
	here[row] = here[row][:column] + t.Chosen(at) + here[row][column+len(at):]
	if start > 0 {
		rows = above[:len(above)-1] // behind the last line's end there is nothing
	}
	row += len(rows)
	rows = append(rows, here...)
	if end := f.lineEnd() - len(f.before); end < len(f.after) {
		rows = append(rows, look.Break(firstLines(f.after[end+1:], most), cells)...)
	}
	top := max(0, min(row-most/2, len(rows)-most))
	return rows[top:min(len(rows), top+most)]
}

// place finds the row and the byte in it at which so many bytes of the whole line are before.
func place(rows []string, at int) (row, column int) {
	for row < len(rows)-1 && at >= len(rows[row]) {
		at -= len(rows[row])
		row++
	}
	return row, at
}

func lastLines(s string, n int) string {
	at := len(s)
	for range n + 1 {
		if at = strings.LastIndexByte(s[:at], '\n'); at < 0 {
			return s
		}
	}
	return s[at+1:]
}

func firstLines(s string, n int) string {
	at := 0
	for range n {
		next := strings.IndexByte(s[at:], '\n')
		if next < 0 {
			return s
		}
		at += next + 1
	}
	return s[:at-1]
}
