package markdown

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"rein/terminal/tui/look"
)

// A grid is a table: its cells by row and column, of which the first row is the header.
type grid struct {
	cells  [][][]span
	align  []extension.Alignment
	widths []int
}

const between = "  " // columns

// table draws a table in columns if they have room, else as one record below the other.
func (d *drawer) table(n *extension.Table, p place) []string {
	g := grid{align: n.Alignments}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		k := bold
		if len(g.cells) > 0 {
			k = 0
		}
		g.cells = append(g.cells, d.tableRow(row, k))
	}
	if g.widths = fit(d.natural(g.cells), p.width); g.widths == nil {
		return d.records(g, p)
	}
	rows := d.columns(g, 0, p, 0)
	rules := make([]string, len(g.widths))
	for i, width := range g.widths {
		rules[i] = d.rule(width)
	}
	rows = append(rows, d.paint(strings.Join(rules, between), dim))
	for i := 1; i < len(g.cells); i++ {
		rows = append(rows, d.columns(g, i, p, len(rows))...)
	}
	return rows
}

func (d *drawer) tableRow(row ast.Node, k pen) [][]span {
	var cells [][]span
	for c := row.FirstChild(); c != nil; c = c.NextSibling() {
		cells = append(cells, d.inline(c, k))
	}
	return cells
}

// natural returns how wide the columns want to be.
func (d *drawer) natural(rows [][][]span) []int {
	const endless = 1 << 20
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		seen := false // a sign that begins a row takes more room
		for i, cell := range row {
			for _, text := range d.filled(cell, endless, func(int) bool { return seen }) {
				widths[i] = max(widths[i], look.Cells(text))
				seen = true
			}
		}
	}
	for i := range widths {
		widths[i] = max(widths[i], 1)
	}
	return widths
}

// fit returns widths of columns that fit into a row: those that want more than their share get less. It returns nil if
// that leaves too little for words.
func fit(natural []int, width int) []int {
	room := width - len(between)*(len(natural)-1)
	most := slices.Max(natural)
	if sum(natural, most) > room {
		low := 0
		for most-low > 1 { // the widest share that fits
			if mid := (low + most) / 2; sum(natural, mid) <= room {
				low = mid
			} else {
				most = mid
			}
		}
		if most = low; most < narrow {
			return nil
		}
	}
	widths := make([]int, len(natural))
	for i, n := range natural {
		widths[i] = min(n, most)
	}
	return widths
}

func sum(widths []int, most int) int {
	n := 0
	for _, w := range widths {
		n += min(w, most)
	}
	return n
}

// columns draws one row of a table, whose cells may have more than one row on the screen.
func (d *drawer) columns(g grid, row int, p place, at int) []string {
	var rows []string
	left := 0
	for i, width := range g.widths {
		before := func(k int) bool { return p.before(at+k) || k < len(rows) && strings.TrimSpace(rows[k]) != "" }
		for k, text := range d.filled(g.cells[row][i], width, before) {
			if k == len(rows) {
				rows = append(rows, "")
			}
			rows[k] = look.Pad(rows[k], left+indentation(g.align[i], width-look.Cells(text))) + text
		}
		left += width + len(between)
	}
	return rows
}

func indentation(a extension.Alignment, room int) int {
	switch a {
	case extension.AlignRight:
		return room
	case extension.AlignCenter:
		return room / 2
	}
	return 0
}

// records draws each row of a table as lines of a header and a cell.
func (d *drawer) records(g grid, p place) []string {
	body := g.cells[1:]
	if len(body) == 0 {
		body = [][][]span{make([][]span, len(g.cells[0]))}
	}
	all := pile{}
	for _, cells := range body {
		var rows []string
		for i, cell := range cells {
			line := cell
			if header := g.cells[0][i]; len(header) > 0 {
				line = slices.Concat(header, []span{{": ", bold}}, cell)
			}
			rows = append(rows, d.flow(line, p)...)
			p.marked = p.marked && len(rows) == 0
		}
		all.blank = true
		all.add(rows, false)
	}
	return all.rows
}
