package markdown

import (
	"bytes"
	"maps"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
)

// atOnce is how many bytes are parsed at once. A block that is longer is drawn in parts, so that drawing it while it
// grows does not take longer and longer.
const atOnce = 8 << 10

// A piece is a part of the text that has been drawn and will not change.
type piece struct {
	start    start
	end      int
	read     int // where the line below has ended: it may make a table or a heading of what is above it
	units    int // that it is made of
	rows     []string
	brackets bool // may have links whose addresses are defined elsewhere
}

// A start is where a piece begins, and what has to be known of the text before it.
type start struct {
	at     int    // byte of the text
	begun  bool   // there are rows above
	blank  bool   // there is a blank line above
	inList bool   // it continues a list
	number int    // of the next item of that list
	head   string // lines to read again: the fence of the code that continues, or the header of the table
	code   state  // of the code that continues
}

// grow draws what has been added to the text.
func (m *Text) grow() {
	before, found, windows := m.last, refs{}, 1
	m.last = nil
	for ; m.beyond(); windows++ {
		m.advance(found)
	}
	w := m.parse(m.next, len(m.text))
	if i := w.lastRestart(); i > 0 {
		m.keep(w, i, found)
	}
	m.last = refs{}
	w.define(m.last, w.done, len(w.units))
	for label, r := range m.last {
		found.add(label, r)
	}
	if !maps.EqualFunc(found, before, sameReference) || windows > 1 && len(found) > 0 {
		m.redraw()
	}
	m.rows = append(m.rows[:m.kept], m.draw(w, len(w.units))...)
}

// beyond reports whether there is more text than is parsed at once.
func (m *Text) beyond() bool { return len(m.text)-m.next.at > m.atOnce }

// advance keeps the next blocks of a text that is too long to be parsed at once.
func (m *Text) advance(found refs) {
	at := m.next.at
	if end := strings.LastIndexByte(m.text[at:at+m.atOnce], '\n') + 1; end > 0 {
		w := m.parse(m.next, at+end)
		if i := w.lastRestart(); i > 0 {
			m.keep(w, i, found)
			return
		}
	}
	w := m.parse(m.next, at+cut(m.text[at:at+m.atOnce]))
	m.keep(w, len(w.units), found)
}

// cut returns where a block that is too long is divided: after a line, else after a word, else anywhere.
func cut(s string) int {
	if i := strings.LastIndexByte(s, '\n') + 1; i > 0 {
		if j := len(strings.TrimRight(s[:i], " \t\r\n")); j > 0 { // blank lines belong to the part that follows
			return j + strings.IndexByte(s[j:], '\n') + 1
		}
		return i
	}
	if i := strings.LastIndexByte(s, ' ') + 1; i > 0 {
		return i
	}
	end := len(s)
	for end > 1 && end > len(s)-utf8.UTFMax && !utf8.RuneStart(s[end-1]) {
		end--
	}
	if end > 1 {
		end-- // the character that begins here may not be whole
	}
	return end
}

// keep draws the units before one for the last time.
func (m *Text) keep(w *window, until int, found refs) {
	p := piece{start: w.start, units: until - w.done, rows: m.draw(w, until)}
	next := m.after(w, until, len(p.rows) > 0)
	p.end, p.read = next.at, next.at
	if until < len(w.units) {
		p.read = m.nextLine(p.end)
	}
	p.brackets = strings.Contains(p.start.head+m.text[p.start.at:p.end], "[")
	defined := refs{}
	w.define(defined, w.done, until)
	for label, r := range defined {
		m.known.add(label, r)
		found.add(label, r)
	}
	m.pieces = append(m.pieces, p)
	m.rows = append(m.rows[:m.kept], p.rows...)
	m.kept = len(m.rows)
	m.next, w.start, w.done = next, next, until
}

// after is where the text continues after some units of a window.
func (m *Text) after(w *window, until int, drawn bool) start {
	next := start{begun: w.start.begun || drawn, blank: w.pending}
	if until == len(w.units) {
		next.at = w.end
		next.head = w.open()
		if next.head != "" {
			next.code = m.drawer.state
		}
		return next
	}
	u := w.units[until]
	next.at = w.offset(u.pos)
	next.blank = next.blank || blankBefore(w.src, u.pos)
	if u.index > 0 {
		next.inList, next.number = true, u.number
	}
	return next
}

// open returns the line that begins the code at the end of a window, if it has no end yet, or the header of the
// table.
func (w *window) open() string {
	const longest = 1024 // a longer one is not worth reading again and again
	if len(w.units) == 0 {
		return ""
	}
	head := ""
	switch n := w.units[len(w.units)-1].node.(type) {
	case *ast.FencedCodeBlock:
		if l := n.Lines(); l.Len() > 0 && l.At(l.Len()-1).Stop == len(w.src) {
			head = lineAt(w.src, n.Pos())
		}
	case *extension.Table:
		head = lineAt(w.src, n.FirstChild().Pos())
		head += lineAt(w.src, n.FirstChild().Pos()+len(head))
	}
	if len(head) > longest {
		return ""
	}
	return head
}

func lineAt(src []byte, pos int) string {
	if i := bytes.IndexByte(src[pos:], '\n'); i >= 0 {
		return string(src[pos : pos+i+1])
	}
	return ""
}

// redraw draws the pieces again that may have links, because a definition has changed.
func (m *Text) redraw() {
	m.rows = m.rows[:len(m.above)]
	for i := range m.pieces {
		p := &m.pieces[i]
		if p.brackets {
			w := m.parse(p.start, p.read)
			p.rows = m.draw(w, min(p.units, len(w.units)))
		}
		m.rows = append(m.rows, p.rows...)
	}
	m.kept = len(m.rows)
}

// nextLine returns where the line that begins at a byte has ended.
func (m *Text) nextLine(at int) int {
	if i := strings.IndexByte(m.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return at
}
