package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"
)

// A window is a part of the text that was parsed.
type window struct {
	start   start
	end     int    // byte of the whole text
	raw     string // the part as it was written
	src     []byte // and as it is shown, which has the same lines
	head    int    // how many lines of src are not of raw
	units   []unit
	done    int  // units that belong to a piece
	pending bool // a blank line stood above what had no rows
}

// A unit is a block of a document, or an item of a list that is one.
type unit struct {
	node   ast.Node
	pos    int // byte of src
	index  int // of an item
	list   *ast.List
	number int
}

// parse reads a part of the text.
func (m *Text) parse(from start, end int) *window {
	w := &window{start: from, end: end, raw: m.text[from.at:end], head: strings.Count(from.head, "\n")}
	w.src = []byte(from.head + safe(w.raw))
	m.read += len(w.src)
	doc := parse(w.src, m.known, m.last)
	for _, n := range children(doc) {
		if list, ok := n.(*ast.List); ok {
			w.items(list)
		} else {
			w.units = append(w.units, unit{node: n, pos: position(n)})
		}
	}
	return w
}

func (w *window) items(list *ast.List) {
	number := list.Start
	if len(w.units) == 0 && w.start.inList {
		number = w.start.number
	}
	index := 0
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		w.units = append(w.units, unit{node: n, pos: position(n), index: index, list: list, number: number + index})
		index++
	}
}

// children returns the blocks in another one in the order of the text. The parser puts a table before the paragraph
// above it, if a line below makes a heading of that.
func children(parent ast.Node) []ast.Node {
	var blocks []ast.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		blocks = append(blocks, n)
	}
	slices.SortStableFunc(blocks, func(a, b ast.Node) int { return position(a) - position(b) })
	return blocks
}

// position is where a block begins.
func position(n ast.Node) int {
	if t, ok := n.(*extension.Table); ok {
		n = t.FirstChild() // the table itself claims the lines of text above it
	}
	return n.Pos()
}

// lastRestart returns the last unit at which the text can be read as if nothing came before it; 0 is none.
func (w *window) lastRestart() int {
	for i := len(w.units) - 1; i > 0; i-- {
		if w.restarts(w.units[i]) {
			return i
		}
	}
	return 0
}

// restarts reports whether a unit begins with a line that will not change, is not indented, and makes it clear that
// what was above has ended. A paragraph, and what is made of the lines of one, only does so after a blank line.
func (w *window) restarts(u unit) bool {
	if u.pos <= 0 || w.src[u.pos-1] != '\n' || w.src[u.pos] == ' ' || bytes.IndexByte(w.src[u.pos:], '\n') < 0 {
		return false
	}
	switch n := u.node.(type) {
	case *ast.ListItem, *ast.Blockquote, *ast.FencedCodeBlock, *ast.ThematicBreak:
		return true
	case *ast.Heading:
		if !isUnderlined(n) {
			return true
		}
	}
	return len(bytes.Trim(lineAbove(w.src, u.pos), " ")) == 0
}

// isUnderlined reports whether a heading is a paragraph with a line below it.
func isUnderlined(h *ast.Heading) bool {
	lines := h.Lines()
	return lines.Len() > 0 && lines.At(0).Start == h.Pos()
}

// offset returns which byte of the text a line of src begins at.
func (w *window) offset(pos int) int {
	at := 0
	for range bytes.Count(w.src[:pos], []byte("\n")) - w.head {
		at += strings.IndexByte(w.raw[at:], '\n') + 1
	}
	return w.start.at + at
}

// blankBefore reports whether the line above the one of a byte is blank, be it in a quote.
func blankBefore(src []byte, pos int) bool {
	above := lineAbove(src, pos)
	return above != nil && len(bytes.Trim(above, " >")) == 0
}

// lineAbove returns the line above the one of a byte, or nil if there is none.
func lineAbove(src []byte, pos int) []byte {
	end := bytes.LastIndexByte(src[:max(pos, 0)], '\n')
	if end < 0 {
		return nil
	}
	return src[bytes.LastIndexByte(src[:end], '\n')+1 : end]
}
