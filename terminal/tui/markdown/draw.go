package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"rein/terminal/tui/look"
)

// A drawer makes rows of blocks.
type drawer struct {
	theme look.Theme
	pens  *pens
	src   []byte
	state state // of the code that was drawn last
}

// A place is where a block is drawn.
type place struct {
	width  int
	marked bool // something stands before the first row: a bullet
	quoted bool // something stands before every row: the gutter of a quote
}

// narrow is how few cells a text needs before lists and quotes are no longer moved to the right.
const narrow = 8

// before reports whether something visible stands before a row.
func (p place) before(row int) bool { return p.quoted || p.marked && row == 0 }

// A pile is blocks with blank rows between them, where the text has blank lines.
type pile struct {
	rows         []string
	begun, blank bool
}

func (p *pile) add(rows []string, heading bool) {
	if len(rows) == 0 {
		return
	}
	if p.begun && (p.blank || heading) {
		p.rows = append(p.rows, "")
	}
	if len(p.rows) == 0 {
		p.rows = rows // nothing is copied at each level of what is nested
	} else {
		p.rows = append(p.rows, rows...)
	}
	p.begun, p.blank = true, false
}

func isHeading(n ast.Node) bool { return n.Kind() == ast.KindHeading }

// draw makes rows of the units of a window that have none yet, up to one of them.
func (m *Text) draw(w *window, until int) []string {
	d, p := &m.drawer, pile{begun: w.start.begun, blank: w.start.blank}
	d.src = w.src
	for i := w.done; i < until; i++ {
		u := w.units[i]
		p.blank = p.blank || blankBefore(w.src, u.pos)
		p.add(d.unit(w, i, place{width: m.width}), isHeading(u.node))
	}
	w.pending = p.blank
	if m.lead != "" {
		for i, row := range p.rows {
			p.rows[i] = m.lead + row
		}
	}
	return p.rows
}

func (d *drawer) unit(w *window, i int, p place) []string {
	u := w.units[i]
	continues := i == 0 && w.start.head != ""
	switch n := u.node.(type) {
	case *ast.ListItem:
		return d.item(n, u.number, p)
	case *ast.FencedCodeBlock:
		d.state = state{}
		if continues {
			d.state = w.start.code
		}
		return d.code(d.lines(n), string(n.Language(d.src)), p, continues)
	case *extension.Table:
		if continues && n.ChildCount() == 1 { // the rest of the table was no more rows
			return nil
		}
	}
	return d.block(u.node, p)
}

// blocks draws what is in a quote or an item.
func (d *drawer) blocks(parent ast.Node, p place) []string {
	all := pile{}
	for _, n := range children(parent) {
		all.blank = all.blank || blankBefore(d.src, position(n))
		all.add(d.block(n, p), isHeading(n))
		p.marked = p.marked && len(all.rows) == 0
	}
	return all.rows
}

func (d *drawer) block(n ast.Node, p place) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return d.flow(d.inline(n, bold), p)
	case *ast.Blockquote:
		return d.quote(n, p)
	case *ast.List:
		return d.list(n, p)
	case *ast.FencedCodeBlock:
		d.state = state{}
		return d.code(d.lines(n), string(n.Language(d.src)), p, false)
	case *ast.CodeBlock:
		d.state = state{}
		return d.code(d.lines(n), "", p, false)
	case *ast.HTMLBlock:
		return d.html(n, p)
	case *ast.ThematicBreak:
		return []string{d.paint(d.rule(min(p.width, narrow)), dim)}
	case *extension.Table:
		return d.table(n, p)
	case *ast.LinkReferenceDefinition:
		return nil
	}
	return d.flow(d.inline(n, 0), p)
}

// rule is a line, though not one that boxes are made of.
func (d *drawer) rule(cells int) string {
	if d.theme.Signs == look.Plain {
		return strings.Repeat("-", cells)
	}
	return strings.Repeat("–", cells)
}

// quote draws a quote behind a gutter that no voice has.
func (d *drawer) quote(n ast.Node, p place) []string {
	const gutter = "> "
	if p.width < narrow+len(gutter) {
		return d.blocks(n, p)
	}
	rows := d.blocks(n, place{width: p.width - len(gutter), quoted: true})
	before := d.paint(">", dim)
	for i, row := range rows {
		if row == "" {
			rows[i] = before
		} else {
			rows[i] = before + " " + row
		}
	}
	return rows
}

// html shows HTML as it is written.
func (d *drawer) html(n *ast.HTMLBlock, p place) []string {
	lines := d.lines(n)
	if n.HasClosure() {
		lines = append(lines, strings.TrimRight(string(n.ClosureLine.Value(d.src)), " \n"))
	}
	var rows []string
	for _, line := range trimmed(lines, true) {
		rows = append(rows, d.verbatim([]span{{text: line}}, p)...)
		p.marked = false
	}
	return rows
}

// lines returns the lines of a block that is not made of Markdown.
func (d *drawer) lines(n ast.Node) []string {
	segments := n.Lines()
	lines := make([]string, 0, segments.Len()+1)
	for i := range segments.Len() {
		s := segments.At(i)
		lines = append(lines, strings.TrimRight(string(s.Value(d.src)), " \n"))
	}
	return lines
}

// trimmed returns lines without blank ones at the end, and at the beginning.
func trimmed(lines []string, begin bool) []string {
	for begin && len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
