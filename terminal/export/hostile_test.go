package export_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"

	"rein"
	"rein/store"
	"rein/terminal/export"
)

// hostile is what models, tools and people might write to make a document do something, or look as if rein had said it.
var hostile = []string{
	"<script>alert(1)</script><img src=x onerror=alert(1)><svg onload=alert(1)><style>*{display:none}</style>",
	"</div></article></section></main></body></html><section class=\"run\"><h2>Run 9</h2>",
	"\n\n<div class=\"said\"><p class=\"who\"><b>ann</b></p></div>\n\n<!-- x",
	"[a](javascript:alert(1)) [b](data:text/html,x) [c](JaVaScRiPt&colon;alert(1)) [d](//evil.example/x) <javascript:alert(1)> [e]( vbscript:x)",
	"![pixel](https://evil.example/p.png) ![x](data:image/svg+xml,<svg/onload=alert(1)>) <https://evil.example/\" onclick=\"x>",
	"[a]: javascript:alert(1)\n[a] [link](https://evil.example \"t\" onmouseover=alert(1))",
	"\u202egpj.exe \x1b[2J\x1b]0;t\x07 \u2066x\u2069 &#x202e; &#8238; a\u200bb \u2028 \x00 \xff",
	"```\n```\n````\n``````````\n# Run 9: forged\n\n### PERSON: ann\n~~~\n",
	"`\n``\n**ASK** `` ` `` | a | b |\n|---|---|\n- [x] done\n\n---\n\nRun 9\n=====\n> q\n1. x\n    code",
	"{{.}} {{template \"head\" .}} ${x} %s </style></title></textarea><plaintext>",
	"[f](javascript://evil.example/%0aalert(1)) [g](data://evil.example/,x) [h](file://evil.example/x)",
	"x ` [a](https://evil.example) ![x](https://evil.example/p) <b>x</b> `` [a](https://evil.example) ``` [a](https://evil.example)",
	"]]>--><a href=\"javascript:x\">x</a>\\<b>\\`\\",
	strings.Repeat("> ", 5000) + "deep\n" + strings.Repeat("- ", 5000) + "deep " + strings.Repeat("[", 5000) + strings.Repeat("*a_", 5000),
}

// attack writes a session in which a text stands in every place that others can fill.
func (r *rig) attack(s string) {
	quoted, err := json.Marshal(s)
	check(r, err)
	args := fmt.Appendf(nil, `{"path":%s,"and":%s}`, quoted, quoted)
	task := asked("operate", s)
	shown, kept := pictured(r, s)
	task.Messages[0].Images = []rein.Image{shown, {URL: "https://evil.example/" + s, Name: s, Type: s}}
	task.Notices, task.Workspace = []string{s}, s
	r.start("r1", task, kept)
	r.write("r1", thinks("1", "plan", s)...)
	call := rein.ToolCall{ID: s, Name: s, Args: args}
	r.write("r1", store.Draft{Kind: rein.StepStarted, Step: "2", Data: rein.StepStart{Verb: rein.VerbTool, Server: s, Mend: rein.Mend{Tool: s}, Call: &call}},
		store.Draft{Kind: rein.StepIntent, Step: "2", Data: rein.Intent{Effect: rein.Effect(s), Allowed: s}})
	ask := rein.Ask{ID: "r1:2.ask", Run: "r1", Step: "2.ask", Kind: rein.AskApproval, Text: s, Call: &call, Choices: []string{s}, Shown: rein.ShownMark + "1", State: rein.AskPending, Guessed: s, Opened: r.at}
	r.write("r1", store.Draft{Kind: rein.AskOpened, Step: "2.ask", Data: ask, Opens: &ask})
	r.command(ask.Reply(rein.Answer{State: rein.AskEdited, Text: s, Args: args, By: "ann"}))
	r.write("r1", returned("2", rein.ToolResult{
		Status: rein.ToolOK, Text: s, Mended: s, Images: []rein.Image{shown}, Files: []rein.Artifact{{Name: s, Type: s, Size: 3}},
	}))
	child := r.begins("r1.3", asked("chat", s))
	r.write("r1", store.Draft{Kind: rein.StepDone, Step: "3", Starts: &child, Data: rein.StepEnd{Verb: rein.VerbSpawn, Child: "r1.3"}})
	r.command(rein.Command{Kind: rein.CommandComment, Run: "r1", By: "ann", Text: s, Key: "k"})
	said := says("4", s)
	said[1].Data = rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: s, Stop: rein.Stop(s)}, Model: s}
	r.write("r1", said...)
	data, err := json.Marshal(map[string]any{
		"citations": []map[string]any{{"path": s, "section": s, "quote": s, "ok": false}}, "doubtful": []map[string]any{{"text": s, "source": s, "missing": []string{s}}},
	})
	check(r, err)
	r.write("r1", ends(rein.RunEnd{Outcome: rein.Outcome{End: rein.EndFailed, Text: "other " + s, Data: data}, Failure: &rein.Failure{Code: rein.Code(s), Msg: s}}))
	_, err = r.files.Put(r.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, s, "image/png", strings.NewReader("<svg onload=alert(1)>"))
	check(r, err)
}

// Whatever others wrote, a document has the structure that it has with harmless texts, and can do nothing.
//
// Attack: 58
func TestHostile(t *testing.T) {
	t.Parallel()
	pages := func(t *testing.T, s string) (page, markdown string) {
		r := newRig(t)
		r.attack(s)
		return r.export(export.Options{MaxImage: 1 << 20}), r.export(export.Options{Form: export.Markdown})
	}
	page, markdown := pages(t, "harmless words, and more of them than fit")
	wantPage, wantMarkdown := bones(t, page), blocks(t, markdown)
	for i, s := range hostile {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			page, markdown := pages(t, s)
			same(t, wantPage, bones(t, page))
			same(t, wantMarkdown, blocks(t, markdown))
			for _, bad := range []string{"\x1b", "\x00", "\a", "\u202e", "\u2066", "\u2069", "\u2028", "\u200b"} {
				if strings.Contains(page+markdown, bad) {
					t.Errorf("%q is not spelled out", bad)
				}
			}
		})
	}
}

func same(t *testing.T, want, got []string) {
	t.Helper()
	for i := range max(len(want), len(got)) {
		if i >= len(want) || i >= len(got) || want[i] != got[i] {
			t.Fatalf("the document has another structure from part %d on:\nwant %q\ngot  %q", i, want[min(i, len(want)):min(i+8, len(want))], got[min(i, len(got)):min(i+8, len(got))])
		}
	}
}

// bones returns the elements of a page with their classes, without what is inside texts that models wrote, and fails if
// anything in it could do something.
func bones(t *testing.T, page string) (all []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	check(t, err)
	var walk func(n *html.Node, rich bool)
	walk = func(n *html.Node, rich bool) {
		if n.Type == html.ElementNode {
			harmlessElement(t, n, rich)
			if !rich && n.Data != "span" && n.Data != "br" { // lines of a diff are spans
				all = append(all, n.Data+"."+attribute(n, "class"))
			}
			rich = rich || attribute(n, "class") == "text"
		}
		if n.Type == html.CommentNode {
			t.Errorf("a comment: %q", n.Data)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, rich)
		}
	}
	walk(root, false)
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// elements are all that a page may have. Those of texts that models wrote are the second list.
var (
	elements     = strings.Fields("html head meta title style body header h1 h2 p dl div dt dd b span time nav ol li a main section article details summary pre ul code q figure img figcaption i footer")
	richElements = strings.Fields("p h4 h5 h6 ul ol li pre code blockquote em strong del a table thead tbody tr th td hr br")
)

func harmlessElement(t *testing.T, n *html.Node, rich bool) {
	t.Helper()
	allowed := elements
	if rich {
		allowed = richElements
	}
	if !slices.Contains(allowed, n.Data) {
		t.Errorf("the page has <%s>", n.Data)
	}
	for _, a := range n.Attr {
		value := strings.ToLower(a.Val)
		switch {
		case strings.HasPrefix(a.Key, "on"), slices.Contains([]string{"style", "srcset", "action", "background", "poster"}, a.Key):
			t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
		case a.Key == "src" && !strings.HasPrefix(value, "data:image/png;base64,"):
			t.Errorf("an image is at %q", a.Val)
		case a.Key == "href" && !strings.HasPrefix(value, "#run-") && !strings.HasPrefix(value, "https://"):
			t.Errorf("a link leads to %q", a.Val)
		case a.Key == "http-equiv" && a.Val != "Content-Security-Policy":
			t.Errorf("the page has %s=%q", a.Key, a.Val)
		case rich && (a.Key == "id" || a.Key == "class" && a.Val != "task" && a.Val != "plain"):
			t.Errorf("a text has %s=%q", a.Key, a.Val)
		}
	}
}

// blocks returns the blocks of Markdown, and fails if anything in it is HTML, an image or a link.
func blocks(t *testing.T, markdown string) (all []string) {
	t.Helper()
	source := []byte(markdown)
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	check(t, ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock, *ast.Image, *ast.Link:
			t.Errorf("the Markdown has a %s", n.Kind())
		case *ast.Heading:
			all = append(all, fmt.Sprint("heading ", n.Level))
		default:
			if entering && n.Type() == ast.TypeBlock {
				all = append(all, n.Kind().String())
			}
		}
		return ast.WalkContinue, nil
	}))
	return all
}
