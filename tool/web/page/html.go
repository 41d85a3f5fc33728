package page

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// leastMain is how much text the main part of a page must have to stand for the page.
const leastMain = 200

// readHTML makes text of a page. One that is nested too deeply for the parser is read without its structure.
func readHTML(text string, at *url.URL) Page {
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return readText(bare(text), "text/html")
	}
	p := Page{Type: "text/html", Title: titleOf(root)}
	w := &writer{base: baseOf(root, at)}
	w.node(mainOf(root))
	if len(strings.TrimSpace(w.b.String())) == 0 { // there is nothing but menus
		w = &writer{base: w.base, all: true}
		w.node(root)
	}
	p.Text, p.Cut = strings.TrimSpace(w.b.String()), w.full()
	return p
}

// bare is the text of a page without its tags.
func bare(text string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(text))
	skip := ""
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			switch {
			case kind == html.EndTagToken && string(name) == skip:
				skip = ""
			case kind == html.StartTagToken && skip == "" && (string(name) == "script" || string(name) == "style"):
				skip = string(name)
			}
			b.WriteByte(' ')
		case html.TextToken:
			if skip == "" {
				b.WriteString(string(z.Text()))
			}
		}
		if b.Len() > maxText {
			return b.String()
		}
	}
}

// Plain is a piece of HTML as one line of text.
func Plain(text string) string { return collapse(bare(text)) }

// collapse puts one space where there is any amount of white space.
func collapse(text string) string { return strings.Join(strings.Fields(text), " ") }

// find returns the first element below a node that fits.
func find(n *html.Node, fits func(*html.Node) bool) *html.Node {
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && fits(c) {
			return c
		}
	}
	return nil
}

func isElement(a atom.Atom) func(*html.Node) bool {
	return func(n *html.Node) bool { return n.DataAtom == a && n.Namespace == "" }
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func titleOf(root *html.Node) string {
	if n := find(root, isElement(atom.Title)); n != nil {
		if title := collapse(textOf(n)); title != "" {
			return title
		}
	}
	if n := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Meta && attr(n, "property") == "og:title" }); n != nil {
		return collapse(attr(n, "content"))
	}
	return ""
}

// baseOf is what links are relative to. A page can say so.
func baseOf(root *html.Node, at *url.URL) *url.URL {
	if n := find(root, func(n *html.Node) bool { return n.DataAtom == atom.Base && attr(n, "href") != "" }); n != nil && at != nil {
		if base, err := at.Parse(strings.TrimSpace(attr(n, "href"))); err == nil {
			return base
		}
	}
	return at
}

// mainOf is the part of a page that it is about, if the page says so.
func mainOf(root *html.Node) *html.Node {
	var main, article *html.Node
	articles := 0
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case main == nil && (n.DataAtom == atom.Main || attr(n, "role") == "main"):
			main = n
		case n.DataAtom == atom.Article:
			articles++
			article = n
		}
	}
	if main == nil && articles == 1 {
		main = article
	}
	if main != nil && !isHidden(main) && len(collapse(textOf(main))) >= leastMain {
		return main
	}
	return root
}

// dropped are elements that are not text, and menus lists those that are not what a page is about.
var (
	dropped = []atom.Atom{
		atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Math, atom.Iframe, atom.Object, atom.Embed, atom.Canvas,
		atom.Video, atom.Audio, atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Datalist, atom.Dialog, atom.Head,
	}
	menus = []atom.Atom{atom.Nav, atom.Footer, atom.Aside}
)

// isDropped reports whether an element and what is below it are left out.
func isDropped(n *html.Node, all bool) bool {
	return n.Type == html.ElementNode && (slices.Contains(dropped, n.DataAtom) || !all && slices.Contains(menus, n.DataAtom) || isHidden(n))
}

// isHidden reports whether people do not see an element: what they do not see a model should not read either.
func isHidden(n *html.Node) bool {
	if has(n, "hidden") || attr(n, "aria-hidden") == "true" {
		return true
	}
	style := strings.ToLower(strings.Join(strings.Fields(attr(n, "style")), ""))
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// textOf is all text below a node.
func textOf(n *html.Node) string {
	var b strings.Builder
	collect(&b, n)
	return b.String()
}

func collect(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode || isDropped(c, true):
		case c.DataAtom == atom.Img:
			b.WriteString(" " + attr(c, "alt") + " ")
		default:
			collect(b, c)
			if isBlock(c) || c.DataAtom == atom.Br {
				b.WriteByte(' ')
			}
		}
	}
}
