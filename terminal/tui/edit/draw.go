package edit

import (
	"strings"

	"rein/terminal/tui/look"
)

// Rows draws the input: as many rows as it has, but no more than most, among them the one with the cursor, which is at
// x, y.
func (i *Input) Rows(width, most int) (drawn []string, x, y int) {
	p := &i.page
	p.width, most = max(2, width), max(1, most)
	rows := i.rowsOf()
	row, cell := i.place()
	p.top = max(0, min(p.top, row, len(rows)-most))
	p.top = max(p.top, row-most+1)
	last := min(len(rows), p.top+most) - 1
	for n := p.top; n <= last; n++ {
		hidden := n == p.top && n > 0 || n == last && n < len(rows)-1
		drawn = append(drawn, i.theme.Cut(i.sign(n, hidden)+i.row(rows[n]), width))
	}
	drawn[0] = i.beside(drawn[0], width)
	x = p.prompt() + cell
	if i.pos == 0 && i.isShell() {
		x = 0
	}
	return drawn, max(0, min(x, width-1)), row - p.top
}

// sign is what stands before a row: who speaks, or that rows are hidden above or below.
func (i *Input) sign(n int, hidden bool) string {
	switch {
	case i.page.prompt() == 0:
		return ""
	case n == i.page.top && i.isShell(): // nobody should overlook it
		return i.theme.Waits("!") + " "
	case hidden:
		return i.theme.Dim(i.theme.Signs.More) + " "
	case n > 0:
		return "  "
	}
	return i.theme.Accent(i.theme.Signs.Person) + " "
}

// row draws a part of the text.
func (i *Input) row(r row) string {
	if i.IsEmpty() {
		return i.theme.Dim(i.theme.Cut(i.placeholder, i.page.room()))
	}
	var b strings.Builder
	for at := r.from; at < r.to; at++ {
		cells := i.cells(at)
		switch g := i.glyphs[at]; {
		case g.paste != nil:
			b.WriteString(i.theme.Fact(i.theme.Cut(g.text, cells)))
		case g.text == "\t":
			b.WriteString(strings.Repeat(" ", cells))
		case cells < g.cells && cells == 0: // the sign before the row
		case cells < g.cells:
			b.WriteString(i.theme.Cut(g.text, cells))
		default:
			b.WriteString(g.text)
		}
	}
	return b.String()
}

// beside says at the right what a line of shell is, if there is room.
func (i *Input) beside(row string, width int) string {
	const word = "shell"
	gap := width - look.Cells(row) - len(word)
	if !i.isShell() || gap < 2 {
		return row
	}
	return row + strings.Repeat(" ", gap) + i.theme.Dim(word)
}
