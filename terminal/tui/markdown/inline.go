package markdown

import (
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"rein/terminal/tui/look"
)

// A span is text that one pen draws. A line end in it ends the row.
type span struct {
	text string
	pen  pen
}

// inline returns the text of a block.
func (d *drawer) inline(n ast.Node, k pen) []span {
	in := inliner{src: d.src}
	in.children(n, k)
	return in.spans
}

type inliner struct {
	src   []byte
	spans []span
}

func (in *inliner) add(text string, k pen) {
	if text == "" {
		return
	}
	if last := len(in.spans) - 1; last >= 0 && in.spans[last].pen == k {
		in.spans[last].text += text
		return
	}
	in.spans = append(in.spans, span{text, k})
}

func (in *inliner) children(n ast.Node, k pen) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		in.node(c, k)
	}
}

func (in *inliner) node(n ast.Node, k pen) {
	switch n := n.(type) {
	case *ast.Text:
		in.text(n, k)
	case *ast.CodeSpan:
		in.add(oneLine(in.raw(n)), k&^colours|fact)
	case *ast.Emphasis:
		in.children(n, k|bold)
	case *extension.Strikethrough: // the marks stay: without them the text would say the opposite
		in.add("~~", k|dim)
		in.children(n, k|dim)
		in.add("~~", k|dim)
	case *ast.Link:
		in.link(n, k)
	case *ast.Image:
		in.image(n, k)
	case *ast.AutoLink:
		in.add(look.SafeLine(string(n.Label(in.src))), k)
	case *ast.RawHTML:
		in.html(n, k)
	default:
		in.children(n, k)
	}
}

func (in *inliner) text(n *ast.Text, k pen) {
	if n.IsRaw() {
		in.add(string(n.Value(in.src)), k)
	} else {
		in.add(decoded(string(n.Value(in.src))), k)
	}
	switch {
	case n.HardLineBreak():
		in.add("\n", k)
	case n.SoftLineBreak():
		in.add(" ", k)
	}
}

// raw returns the text of a code span, in which nothing means anything.
func (in *inliner) raw(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(in.src))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
	}
	return b.String()
}

// link shows where a link leads, unless its text says so.
func (in *inliner) link(n *ast.Link, k pen) {
	text := in.within(n, k)
	address := decoded(string(n.Destination))
	if address != text && address != "mailto:"+text || len(n.Title) > 0 {
		in.address(address, n.Title, k)
	}
}

// within adds what is in a node, and returns its text.
func (in *inliner) within(n ast.Node, k pen) string {
	inner := inliner{src: in.src}
	inner.children(n, k)
	var text strings.Builder
	for _, s := range inner.spans {
		text.WriteString(s.text)
		in.add(s.text, s.pen)
	}
	return text.String()
}

func (in *inliner) address(address string, title []byte, k pen) {
	if len(title) > 0 {
		address = strings.TrimLeft(address+` "`+oneLine(decoded(string(title)))+`"`, " ")
	}
	if address != "" {
		in.add(" ", k)
		in.add("("+address+")", k&^colours|dim)
	}
}

// image is what stands in for a picture, or where the picture is.
func (in *inliner) image(n *ast.Image, k pen) {
	if in.within(n, k) == "" {
		in.add(decoded(string(n.Destination)), k|dim)
	}
}

func (in *inliner) html(n *ast.RawHTML, k pen) {
	for i := range n.Segments.Len() {
		s := n.Segments.At(i)
		in.add(oneLine(string(s.Value(in.src))), k|dim)
	}
}

func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// decoded returns a text with its escapes and entities as the characters that they stand for. An entity may stand for
// a character that has no business on a screen.
func decoded(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		switch end := entity(s[i:]); {
		case s[i] == '\\' && i+1 < len(s) && isPunctuation(s[i+1]):
			b.WriteByte(s[i+1])
			i += 2
		case end > 0:
			b.WriteString(look.SafeLine(html.UnescapeString(s[i : i+end])))
			i += end
		default:
			b.WriteByte(s[i])
			i++
		}
	}
	return b.String()
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
}

// entity returns how long the entity is that a text begins with.
func entity(s string) int {
	const longest = 34
	if s[0] != '&' {
		return 0
	}
	end := strings.IndexByte(s[:min(len(s), longest)], ';') + 1
	if end < 3 || strings.IndexFunc(s[1:end-1], func(r rune) bool { return r == '&' || r <= ' ' }) >= 0 {
		return 0
	}
	return end
}
