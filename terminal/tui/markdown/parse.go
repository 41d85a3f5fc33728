package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"rein/terminal/tui/look"
)

// dialect is what models write: CommonMark with tables, tasks, strikes and bare addresses. It may be used by many at once.
var dialect = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()

// safe returns a text that can be shown, with the same lines. Tabs become spaces as Markdown counts them.
func safe(s string) string { return look.Safe(untab(s)) }

func untab(s string) string {
	const stop = 4
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	column := 0
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		switch s[0] {
		case '\t':
			n := stop - column%stop
			b.WriteString(strings.Repeat(" ", n))
			column += n
		case '\n':
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteString(s[:size])
			column++
		}
		s = s[size:]
	}
	return b.String()
}

// refs are definitions of links by what they are called. The first one counts.
type refs map[string]parser.Reference

func (r refs) add(label string, ref parser.Reference) {
	if _, ok := r[label]; !ok {
		r[label] = ref
	}
}

func sameReference(a, b parser.Reference) bool {
	return bytes.Equal(a.Destination(), b.Destination()) && bytes.Equal(a.Title(), b.Title())
}

// scope is where links find their definitions: above the part of the text that is parsed, and in it. All others are
// known only when the whole text was parsed; then nothing in the part itself counts that is not among them.
type scope struct {
	parser.Context
	above, others refs
}

func (s *scope) Reference(label string) (parser.Reference, bool) {
	if r, ok := s.above[label]; ok {
		return r, true
	}
	if s.others != nil {
		r, ok := s.others[label]
		return r, ok
	}
	return s.Context.Reference(label)
}

func parse(src []byte, above, others refs) ast.Node {
	return dialect.Parse(text.NewReader(src), parser.WithContext(&scope{parser.NewContext(), above, others}))
}

// define adds the definitions in some of the units.
func (w *window) define(to refs, from, until int) {
	if !bytes.Contains(w.src, []byte("]:")) {
		return
	}
	for _, u := range w.units[from:until] {
		_ = ast.Walk(u.node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if d, ok := n.(*ast.LinkReferenceDefinition); ok && entering {
				to.add(util.ToLinkReference(d.Label), parser.NewReference(d.Label, d.Destination, d.Title))
			}
			if n.Type() != ast.TypeBlock || ast.IsParagraph(n) {
				return ast.WalkSkipChildren, nil
			}
			return ast.WalkContinue, nil
		})
	}
}
