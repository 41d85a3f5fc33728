package export

import (
	"bytes"
	"html/template"
	"net/url"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"rein/internal/visible"
)

// maxRich is how long a text may be that is read as Markdown. A longer one is shown as it is.
const maxRich = 128 << 10

// rich renders what a model wrote as HTML that can do nothing: HTML in it is text, images are named and not fetched, and
// only addresses that a person can open without harm are links. Characters that cannot be seen are spelled out, also those
// that were written as entities.
func rich(text string) template.HTML {
	var b bytes.Buffer
	if len(text) > maxRich || costly(text) || markdown.Convert([]byte(visible.Lines(text)), &b) != nil {
		return template.HTML(`<p class="plain">` + template.HTMLEscapeString(visible.Lines(text)) + `</p>`)
	}
	return template.HTML(visible.Lines(b.String())) // what goldmark adds can be seen
}

// What takes long to read as Markdown, and nobody writes who wants to be read: quotes and lists in each other, and marks of
// emphasis in one paragraph. Both take time with their square.
const (
	maxNested = 64
	maxMarks  = 4000
)

// costly reports whether a text has more of that in a line or a paragraph.
func costly(text string) bool {
	marks := 0
	for line := range strings.Lines(text) {
		if nested(line) {
			return true
		}
		if strings.TrimSpace(line) == "" {
			marks = 0
		}
		if marks += runs(line); marks > maxMarks {
			return true
		}
	}
	return false
}

// nested reports whether a line may open more quotes and lists in each other.
func nested(line string) bool {
	rest := strings.TrimLeft(line, " \t>-*+.)0123456789")
	opening := line[:len(line)-len(rest)]
	marks := 0
	for _, sign := range []string{">", "- ", "* ", "+ ", ". ", ") "} {
		marks += strings.Count(opening, sign)
	}
	isRule := strings.Trim(line, "- \t\r\n") == "" || strings.Trim(line, "* \t\r\n") == ""
	return marks > maxNested && !isRule
}

// runs counts where marks of emphasis begin.
func runs(line string) (n int) {
	before := ' '
	for _, r := range line {
		if (r == '*' || r == '_' || r == '~') && r != before {
			n++
		}
		before = r
	}
	return n
}

// markdown is what models write: CommonMark with tables, tasks, strikes and bare addresses. It may be used by many at once.
var markdown = goldmark.New(
	goldmark.WithExtensions(
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough, extension.TaskList, extension.Linkify,
	),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(harmless{}, 0))),
)

// harmless renders the kinds of nodes that could do something.
type harmless struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (harmless) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, htmlBlock)
	r.Register(ast.KindRawHTML, rawHTML)
	r.Register(ast.KindImage, noImage)
	r.Register(ast.KindLink, link)
	r.Register(ast.KindAutoLink, autoLink)
	r.Register(ast.KindHeading, heading)
	r.Register(ast.KindFencedCodeBlock, codeBlock)
	r.Register(ast.KindCodeBlock, codeBlock)
	r.Register(ast.KindListItem, listItem)
	r.Register(east.KindTaskCheckBox, checkBox)
}

// htmlBlock shows HTML as the text that it is.
func htmlBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	block := n.(*ast.HTMLBlock)
	var b strings.Builder
	b.Write(block.Lines().Value(source))
	if block.HasClosure() {
		b.Write(block.ClosureLine.Value(source))
	}
	_, err := w.WriteString("<pre><code>" + template.HTMLEscapeString(b.String()) + "</code></pre>\n")
	return ast.WalkContinue, err
}

func rawHTML(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	_, err := w.WriteString(template.HTMLEscapeString(string(n.(*ast.RawHTML).Segments.Value(source))))
	return ast.WalkSkipChildren, err
}

// noImage names an image. Its description follows as text.
func noImage(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, err := w.WriteString("[image: ")
		return ast.WalkContinue, err
	}
	_, err := w.WriteString(" <code>" + template.HTMLEscapeString(string(n.(*ast.Image).Destination)) + "</code>]")
	return ast.WalkContinue, err
}

// link is one only to an address that a page can name without harm; of another the address is shown.
func link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	to := string(n.(*ast.Link).Destination)
	_, err := w.WriteString(opened(to, entering))
	return ast.WalkContinue, err
}

func opened(to string, entering bool) string {
	address, ok := openable(to)
	switch {
	case ok && entering:
		return `<a href="` + template.HTMLEscapeString(address) + `" title="` + template.HTMLEscapeString(address) + `" rel="noopener noreferrer nofollow">`
	case ok:
		return "</a>"
	case entering:
		return ""
	}
	return " <code>" + template.HTMLEscapeString(to) + "</code>"
}

// openable returns an address as it can be opened: one of http, https or mailto.
func openable(to string) (string, bool) {
	u, err := url.Parse(to)
	if err != nil || strings.ContainsAny(to, " \t\n\r\\") {
		return "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.String(), u.Host != ""
	case "mailto":
		return u.String(), u.Opaque != ""
	}
	return "", false
}

func autoLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	auto := n.(*ast.AutoLink)
	to := string(auto.URL(source))
	if auto.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(to), "mailto:") {
		to = "mailto:" + to
	}
	text := template.HTMLEscapeString(string(auto.Label(source)))
	if _, ok := openable(to); ok {
		text = opened(to, true) + text + opened(to, false)
	}
	_, err := w.WriteString(text)
	return ast.WalkContinue, err
}

// heading keeps the headings of a model below those of the page.
func heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := string(rune('0' + min(6, n.(*ast.Heading).Level+3)))
	if entering {
		_, err := w.WriteString("<h" + level + ">")
		return ast.WalkContinue, err
	}
	_, err := w.WriteString("</h" + level + ">\n")
	return ast.WalkContinue, err
}

func codeBlock(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString("<pre><code>" + template.HTMLEscapeString(string(n.Lines().Value(source))) + "</code></pre>\n")
	return ast.WalkContinue, err
}

// listItem is one with a box in place of its mark, if it is a task.
func listItem(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag := "<li>"
	if !entering {
		tag = "</li>\n"
	} else if text := n.FirstChild(); text != nil && text.FirstChild() != nil && text.FirstChild().Kind() == east.KindTaskCheckBox {
		tag = `<li class="task">`
	}
	_, err := w.WriteString(tag)
	return ast.WalkContinue, err
}

func checkBox(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	sign := "☐ "
	if n.(*east.TaskCheckBox).IsChecked {
		sign = "☑ "
	}
	_, err := w.WriteString(sign)
	return ast.WalkContinue, err
}
