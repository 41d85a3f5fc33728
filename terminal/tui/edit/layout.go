package edit

import (
	"math"
	"sort"
)

// page is how the text is broken into rows.
type page struct {
	width   int
	rows    []row
	madeFor int // the width for which they were made
	top     int // the first row in view
}

// A row is a part of the text. The position behind it belongs to it only if a line ends there.
type row struct{ from, to int }

const (
	prompt      = 2 // cells before each row
	promptWidth = 6 // the least width with a prompt
)

func (p *page) prompt() int {
	if p.width < promptWidth {
		return 0
	}
	return prompt
}

// room is how many cells of a row are for text. The last one is for the cursor behind it.
func (p *page) room() int { return max(1, p.width-p.prompt()-1) }

// rowsOf returns the rows of the text; there is at least one. They are made again from the row before a change, into
// which a word may move up.
func (i *Input) rowsOf() []row {
	p := &i.page
	if p.madeFor != p.width {
		i.same, p.madeFor = 0, p.width
	}
	if i.same > len(i.glyphs) {
		return p.rows
	}
	keep, from := sort.Search(len(p.rows), func(n int) bool { return p.rows[n].from > i.same })-2, 0
	if keep > 0 {
		from = p.rows[keep].from
	}
	p.rows = i.broken(p.rows[:max(0, keep)], from)
	i.same = math.MaxInt
	return p.rows
}

// broken appends the rows of the text from a position on. It breaks between words where it can.
func (i *Input) broken(rows []row, from int) []row {
	room, cells, mayEnd := i.page.room(), 0, from
	for at := from; at < len(i.glyphs); at++ {
		g, own := i.glyphs[at], i.cells(at)
		switch {
		case g.isNewline():
			rows = append(rows, row{from, at})
			from, cells, mayEnd = at+1, 0, at+1
			continue
		case cells+own <= room:
		case g.text == " ": // it hangs over the edge
			rows = append(rows, row{from, at + 1})
			from, cells, mayEnd = at+1, 0, at+1
			continue
		case mayEnd > from && own < 2: // the word goes down
			rows = append(rows, row{from, mayEnd})
			from, cells = mayEnd, i.sum(mayEnd, at)
		default:
			rows = append(rows, row{from, at})
			from, cells = at, 0
		}
		cells += own
		if own > 1 || g.isSpace() {
			mayEnd = at + 1
		}
	}
	return append(rows, row{from, len(i.glyphs)})
}

// cells is how many cells a glyph takes. The "!" of a line of shell stands in place of the prompt.
func (i *Input) cells(at int) int {
	if at == 0 && i.isShell() && i.page.prompt() > 0 {
		return 0
	}
	return min(i.glyphs[at].cells, i.page.room())
}

func (i *Input) sum(from, to int) (cells int) {
	for at := from; at < to; at++ {
		cells += i.cells(at)
	}
	return cells
}

// place is the row and the cell of the position.
func (i *Input) place() (row, cell int) {
	rows := i.rowsOf()
	row = sort.Search(len(rows), func(n int) bool { return rows[n].from > i.pos }) - 1
	return row, i.sum(rows[row].from, i.pos)
}

// rowEnd is the last position in a row.
func (i *Input) rowEnd(n int) int {
	rows := i.rowsOf()
	if n+1 < len(rows) && rows[n+1].from == rows[n].to {
		return rows[n].to - 1
	}
	return rows[n].to
}

// vertical moves up or down, and through what was sent before at the first and the last row.
func (i *Input) vertical(up, again bool) {
	rows := i.rowsOf()
	n, cell := i.place()
	if !again {
		i.goal = cell
	}
	switch {
	case up && n == 0:
		i.recall(true)
	case up:
		i.toCell(n - 1)
	case n == len(rows)-1:
		i.recall(false)
	default:
		i.toCell(n + 1)
	}
}

// toCell goes to the cell of a row that is aimed at.
func (i *Input) toCell(n int) {
	last := i.rowEnd(n)
	pos, cells := i.rowsOf()[n].from, 0
	for pos < last && cells+i.cells(pos) <= i.goal {
		cells += i.cells(pos)
		pos++
	}
	i.pos = pos
}
