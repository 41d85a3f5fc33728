package page

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A writer makes lines of the elements of a page.
type writer struct {
	b     strings.Builder
	base  *url.URL
	all   bool   // menus too
	lines int    // to begin before the next word
	space bool   // to write before it
	quote int    // how many quotations it is in
	lists []int  // the lists it is in: the number of the next entry, or 0 if they are not numbered
	mark  string // what stands before the next word, such as "- "
}

func (w *writer) full() bool { return w.b.Len() > maxText }

// begin has the next word stand on a line of its own, with so many line ends before it.
func (w *writer) begin(lines int) {
	w.lines, w.space = max(w.lines, lines), false
}

// put writes words as they are.
func (w *writer) put(words string) {
	if words == "" || w.full() {
		return
	}
	switch {
	case w.b.Len() == 0 || w.lines > 0:
		if w.b.Len() > 0 {
			w.b.WriteString(strings.Repeat("\n", w.lines))
		}
		w.b.WriteString(strings.Repeat("> ", w.quote) + strings.Repeat("  ", max(len(w.lists)-1, 0)) + w.mark)
		w.mark = ""
	case w.space:
		w.b.WriteByte(' ')
	}
	w.lines, w.space = 0, false
	w.b.WriteString(words)
}

// words writes text that flows.
func (w *writer) words(text string) {
	flat := collapse(text)
	if flat == "" {
		w.space = w.space || text != ""
		return
	}
	w.space = w.space || strings.TrimLeft(text, " \t\r\n\f\u00a0") != text
	w.put(flat)
	w.space = strings.TrimRight(text, " \t\r\n\f\u00a0") != text
}

// node writes what is below a node.
func (w *writer) node(n *html.Node) {
	for c := n.FirstChild; c != nil && !w.full(); c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			w.words(c.Data)
		case c.Type == html.ElementNode && !isDropped(c, w.all):
			w.element(c)
		}
	}
}

// paragraphs are the elements with an empty line before and after them, and blocks those that begin a line.
var (
	paragraphs = []atom.Atom{atom.P, atom.Section, atom.Article, atom.Main, atom.Table, atom.Figure, atom.Details, atom.Fieldset, atom.Dl, atom.Hr, atom.Address}
	blocks     = []atom.Atom{atom.Div, atom.Header, atom.Li, atom.Dt, atom.Dd, atom.Tr, atom.Figcaption, atom.Summary, atom.Caption, atom.Form, atom.Legend, atom.Center, atom.Nav, atom.Footer, atom.Aside, atom.Hgroup}
	headings   = []atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}
)

func isBlock(n *html.Node) bool {
	own := []atom.Atom{atom.Ul, atom.Ol, atom.Pre, atom.Blockquote}
	return slices.Contains(paragraphs, n.DataAtom) || slices.Contains(blocks, n.DataAtom) || slices.Contains(headings, n.DataAtom) || slices.Contains(own, n.DataAtom)
}

func (w *writer) element(n *html.Node) {
	switch a := n.DataAtom; {
	case a == atom.Br:
		w.begin(1)
	case a == atom.A:
		w.link(n)
	case a == atom.Img:
		if alt := collapse(attr(n, "alt")); alt != "" {
			w.words(" [image: " + alt + "] ")
		}
	case a == atom.Pre:
		w.code(n)
	case a == atom.Code || a == atom.Kbd || a == atom.Samp:
		if text := collapse(textOf(n)); text != "" {
			w.inline(textOf(n), "`"+text+"`")
		}
	case a == atom.Ul || a == atom.Ol:
		w.list(n)
	case a == atom.Li:
		w.entry(n)
	case a == atom.Blockquote:
		w.begin(2)
		w.quote++
		w.node(n)
		w.quote--
		w.begin(2)
	case a == atom.Tr:
		w.row(n)
	case slices.Contains(headings, a):
		w.heading(n)
	default:
		w.plain(n)
	}
}

// plain writes an element that is nothing but a part of the text.
func (w *writer) plain(n *html.Node) {
	lines := 1
	switch {
	case slices.Contains(paragraphs, n.DataAtom):
		lines = 2
	case !slices.Contains(blocks, n.DataAtom):
		w.node(n) // it is in a line
		return
	}
	w.begin(lines)
	w.node(n)
	w.begin(lines)
}

func (w *writer) heading(n *html.Node) {
	w.begin(2)
	if text := collapse(textOf(n)); text != "" {
		w.put(strings.Repeat("#", slices.Index(headings, n.DataAtom)+1) + " " + text)
	}
	w.begin(2)
}

// link writes a link with where it leads to, if that is a page of the web.
func (w *writer) link(n *html.Node) {
	text, to := collapse(textOf(n)), w.target(n)
	switch {
	case text == "":
	case to == "":
		w.node(n)
	case text == to:
		w.words(" " + to + " ")
	default:
		w.inline(textOf(n), "["+strings.NewReplacer("[", "(", "]", ")").Replace(text)+"]("+to+")")
	}
}

// inline writes words in place of a text, with the space that was around it.
func (w *writer) inline(text, words string) {
	w.space = w.space || strings.TrimLeft(text, " \t\r\n") != text
	w.put(words)
	w.space = strings.TrimRight(text, " \t\r\n") != text
}

// target is where a link leads to; empty: nowhere that can be fetched, or to a place on the same page.
func (w *writer) target(n *html.Node) string {
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" || href[0] == '#' || w.base == nil {
		return ""
	}
	to, err := w.base.Parse(href)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || to.User != nil {
		return ""
	}
	return strings.NewReplacer("(", "%28", ")", "%29", " ", "%20").Replace(to.String())
}

// code writes text whose lines matter.
func (w *writer) code(n *html.Node) {
	text := strings.Trim(strings.ReplaceAll(rawText(n), "\r\n", "\n"), "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	fence := "```"
	for strings.Contains(text, fence) && len(fence) < 10 {
		fence += "`"
	}
	w.begin(2)
	w.put(fence + "\n" + text[:min(len(text), maxText)] + "\n" + fence)
	w.begin(2)
}

// rawText is the text below a node with its line breaks.
func rawText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (w *writer) list(n *html.Node) {
	next, lines := 0, 2
	if n.DataAtom == atom.Ol {
		next = 1
	}
	if len(w.lists) > 0 {
		lines = 1
	}
	w.begin(lines)
	w.lists = append(w.lists, next)
	w.node(n)
	w.lists = w.lists[:len(w.lists)-1]
	w.begin(lines)
}

func (w *writer) entry(n *html.Node) {
	w.begin(1)
	w.mark = "- "
	if last := len(w.lists) - 1; last >= 0 && w.lists[last] > 0 {
		w.mark = fmt.Sprintf("%d. ", w.lists[last])
		w.lists[last]++
	}
	w.node(n)
	w.mark = ""
	w.begin(1)
}

// row writes the cells of a table on one line, if they are short; else one after the other, as where a page is
// laid out by a table.
func (w *writer) row(n *html.Node) {
	var cells []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode || c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		if find(c, isBlock) != nil {
			w.stack(n)
			return
		}
		cell := &writer{base: w.base, all: w.all}
		cell.node(c)
		cells = append(cells, collapse(cell.b.String()))
	}
	if strings.Join(cells, "") == "" {
		return
	}
	w.begin(1)
	w.put(strings.Join(cells, " | "))
	w.begin(1)
}

// stack writes each cell on lines of its own.
func (w *writer) stack(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.begin(1)
		if c.Type == html.ElementNode && !isDropped(c, w.all) {
			w.node(c)
		}
	}
	w.begin(1)
}
