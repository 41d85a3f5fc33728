package parse

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// commonMark is safe for use by many at once.
var commonMark = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(parser.DefaultInlineParsers()...),
	parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
)

// readTree takes headings, code and Markdown links from the tree of the text.
func (n *Note) readTree(source []byte, body int) {
	t := &tree{note: n, body: source[body:], base: body}
	_ = ast.Walk(commonMark.Parse(text.NewReader(t.body)), t.visit)
}

type tree struct {
	note *Note
	body []byte
	base int
}

func (t *tree) visit(node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch v := node.(type) {
	case *ast.Heading:
		t.heading(v)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		t.lines(&t.note.Code, node)
		return ast.WalkSkipChildren, nil
	case *ast.HTMLBlock:
		t.lines(&t.note.Boiler, node)
		return ast.WalkSkipChildren, nil
	case *ast.CodeSpan:
		for c := node.FirstChild(); c != nil; c = c.NextSibling() {
			if leaf, ok := c.(*ast.Text); ok {
				t.note.Code = append(t.note.Code, t.span(leaf.Segment))
			}
		}
		return ast.WalkSkipChildren, nil
	case *ast.Link:
		t.link(v.Destination, node, false)
	case *ast.Image:
		t.link(v.Destination, node, true)
	}
	return ast.WalkContinue, nil
}

func (t *tree) span(s text.Segment) Span { return Span{t.base + s.Start, t.base + s.Stop} }

func (t *tree) lines(to *[]Span, node ast.Node) {
	lines := node.Lines()
	for i := range lines.Len() {
		*to = append(*to, t.span(lines.At(i)))
	}
}

// heading knows where the words of a heading stand; its line begins before and may have a line of
// dashes below.
func (t *tree) heading(h *ast.Heading) {
	lines := h.Lines()
	if lines.Len() == 0 { // "#" alone: it names nothing
		return
	}
	first, last := lines.At(0), lines.At(lines.Len()-1)
	start := bytes.LastIndexByte(t.body[:first.Start], '\n') + 1
	end := lineEnd(t.body, max(last.Start, last.Stop-1))
	if lines.Len() > 1 || !bytes.HasPrefix(bytes.TrimLeft(t.body[start:], " \t>-+*0123456789.)"), []byte("#")) {
		end = lineEnd(t.body, end) // the underline
	}
	name := headingText(plainText(h, t.body))
	if name == "" {
		return
	}
	t.note.Headings = append(t.note.Headings, Heading{Level: h.Level, Text: name, Start: t.base + start, Body: t.base + end})
}

func (t *tree) link(destination []byte, node ast.Node, embed bool) {
	target, section, _ := strings.Cut(string(destination), "#")
	at := t.base
	if first, ok := node.FirstChild().(*ast.Text); ok {
		at += first.Segment.Start
	}
	t.note.addLink(Link{Target: unescapePath(target), Section: unescapePath(section), Label: headingText(plainText(node, t.body)), Embed: embed, At: at})
}

// plainText joins the words of a node and leaves out its marks.
func plainText(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch leaf := n.(type) {
		case *ast.Text:
			b.Write(leaf.Segment.Value(source))
			if leaf.SoftLineBreak() || leaf.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(leaf.Value)
		case *ast.AutoLink:
			b.Write(leaf.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// lineEnd returns where the line after the one of a byte begins.
func lineEnd(text []byte, at int) int {
	if at >= len(text) {
		return len(text)
	}
	if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}
