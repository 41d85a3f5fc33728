package markdown

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/look"
)

func TestRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"nothing", " \n\n\t\n", ""},
		{"blank lines at the ends", "\n\n  \na\n\n\n", "a"},
		{"a blank line is a blank row, and a heading has one above it", "a\n\n\n\nb\n# c\nd", "a||b||c|d"},
		{"a list follows its introduction", "a:\n- b\n- c\n\nd", "a:|• b|• c||d"},
		{"numbers count on", "3. a\n3. b\n\n9. c", "3. a|4. b||5. c"},
		{"numbers with brackets", "1) a\n2) b", "1) a|2) b"},
		{"lists in lists", "- a\n  1. b\n     - c", "• a|  1. b|     • c"},
		{"an item without text", "-\n- a", "•|• a"},
		{"tasks", "- [ ] a\n- [X] b\n- [y] c", "[ ] a|[x] b|• [y] c"},
		{"tabs", "-\ta\n\t- b\n\n\tc", "• a|  • b||  c"},
		{"code in a list", "- a\n\n  ```\n  b\n\n   c\n  ```", "• a||    b||     c"},
		{"code with a deep indent", "```\na\n" + strings.Repeat(" ", 99) + "b\n```", "  a|" + strings.Repeat(" ", 2+28/2) + "b"},
		{"code without an end", "a\n\n```\nb\n# c", "a||  b|  # c"},
		{"code keeps what it is", "`a\\.b &lt; *c*` \\* &lt;", "a\\.b &lt; *c* * <"},
		{"a link", "[a](b) [c](c) [d@e.f](mailto:d@e.f) <g@h.i> [j](k \"l\") []()", "a (b) c d@e.f g@h.i j (k \"l\")"},
		{"a link that lies", "[https://good.example](https://bad.example)", "https://good.example|(https://bad.example)"},
		{"addresses keep their signs", "https://a.b/_c_/__d", "https://a.b/_c_/__d"},
		{"an image", "a ![b *c*](d.png), ![](e.png)", "a b c, e.png"},
		{"HTML", "<div class=\"a\">\n b\n</div>\n\n<!-- c -->\n\na<br>b <!-- d --> <script>e</script>", "<div class=\"a\">| b|</div>||<!-- c -->||a<br>b <!-- d -->|<script>e</script>"},
		{"HTML with an end", "<script>\na\n\n*b*\n</script>\nc", "<script>|a||*b*|</script>|c"},
		{"entities are characters, which are made safe", "&#27;[2J&#x202e;a&#0;&amp;amp; &#10; &no; &", "\\x1b[2J\\u202ea\ufffd&amp; \\n &no; &"},
		{"control characters", "a\x1b[31mb\x07\u202ec\u200b", "a\\x1b[31mb\\x07\\u202ec\\u200b"},
		{"a struck text keeps its marks", "~~no~~ yes", "~~no~~ yes"},
		{"a quote", "> a\n>\n> > b\nc\n> - d", "> a|>|> > b c|> • d"},
		{"a rule", "a\n\n***\nb", "a||––––––––|b"},
		{"definitions are not shown", "[a]: b\n\nc [a]\n\n[d]: e", "c a (b)"},
		{"wide characters are divided anywhere", "日本語のテキストは幅が広い文字である。", "日本語のテキストは幅が広い文字|である。"},
		{"emoji stay whole", strings.Repeat("👩‍👩‍👧", 16), strings.Repeat("👩‍👩‍👧", 15) + "|👩‍👩‍👧"},
		{"words that are too long", "a " + strings.Repeat("x", 35) + " b", "a|" + strings.Repeat("x", 30) + "|xxxxx b"},
		{"marks have something to stand on", "\u0301a *\u0301*", "◌\u0301a ◌\u0301"},
		{"a table", "| a | b |\n|:-:|--:|\n| c d e | f |\n| g | 123 |", "  a      b|–––––  –––|c d e    f|  g    123"},
		{"a table that is too wide", "| a | b |\n|---|---|\n| one two three four five | six seven eight nine ten |", "a               b|––––––––––––––  ––––––––––––––|one two three   six seven|four five       eight nine ten"},
		{"a table with too many columns", "|a|b|c|d|e|\n|-|-|-|-|-|\n|fffffffff|ggggggggg|hhhhhhhhh||jjjjjjjjjj|\n|1|2|3|4|5|", "a: fffffffff|b: ggggggggg|c: hhhhhhhhh|d:|e: jjjjjjjjjj||a: 1|b: 2|c: 3|d: 4|e: 5"},
		{"bars in tables", "| a |\n|---|\n| `b\\|c` \\| d |", "a|–––––––|b|c | d"},
	} {
		rows := New(look.New(true)).Rows(c.text, 30)
		checkRows(t, rows, look.New(true), 30)
		if diff := cmp.Diff(c.want, plain(strings.Join(rows, "|"))); diff != "" {
			t.Errorf("%s: %q (-want +got):\n%s", c.name, c.text, diff)
		}
	}
}

// No row of a text begins with a sign of rein, wherever in the text it stands.
func TestSignsAtTheBeginning(t *testing.T) {
	t.Parallel()
	for _, sign := range append(signsOf(look.Nice), "|", "｜", "❘", "├", "╭", "▶", "✔️", "❯", "⬤", "▎") {
		if sign[0] < utf8.RuneSelf && sign != "|" {
			continue
		}
		for _, place := range []string{
			"%s a", "\u00a0\u3000%s a", "**%s** a", "`%s` a", "[%s](b)", "\\%s a", "# %s a", "1234567 %s a", "12345\\\n%s a", "```\n%s a\n   %s b\n```", "    %s a",
			"<div>\n%s a\n</div>", "<!--\n%s a\n-->", "| | |\n|-|-|\n| a | b |\n| | %s a |", "- a\n\n  %s a", "- a\n  %s a", "![%s](a)", "~~~\n\n%s", "字字字字%s", "| a |\n|---|\n| %s |",
		} {
			text := strings.ReplaceAll(place, "%s", sign)
			for width := 1; width < 14; width++ {
				checkRows(t, New(look.New(true)).Rows(text, width), look.New(true), width)
			}
		}
	}
}

// What is drawn instead of a sign can still be read, and drawings keep their columns.
func TestSignsAreReplaced(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"│ a │": "¦ a │", "✓ a ✓": "(✓) a ✓", "● a": "(●) a", "… a": "(…) a", "› a": "(›) a", "└ a": "` a", "┌ a": ". a", "─ a": "- a", "┼ a": "+ a", "├── a": "¦── a",
		"- ✓ a": "• ✓ a", "> │ a": "> │ a", "+ a": "• a", "\\* a": "* a", "✅ a": "✅ a",
		"- │\n  │ a": "• │ │ a",
	} {
		if got := strings.Join(New(look.New(true)).Rows(text, 40), "|"); plain(got) != want {
			t.Errorf("%q is drawn as %q, not %q", text, plain(got), want)
		}
	}
	for _, text := range []string{"| a", "│ a", "✓ a", "v a", "+a", "> a", "* a"} { // the signs of ASCII are characters like others
		want := strings.Replace(text, "* ", "- ", 1)
		if got := strings.Join(New(look.New(false)).Rows(text, 40), "|"); plain(got) != want {
			t.Errorf("%q is drawn as %q, not %q", text, plain(got), want)
		}
	}
}

// Whatever is nested how deeply, repeated how often and as long as nothing else: it is drawn, and soon.
//
// Plain: it is about amounts.
func TestTooMuchToDraw(t *testing.T) {
	t.Parallel()
	const n = 1 << 20 // bytes, of what grows with the text only
	stairs := func(marker string) string {
		var b strings.Builder
		for i := range 300 {
			b.WriteString(strings.Repeat(" ", i*len(marker)) + marker + "x\n")
		}
		return b.String()
	}
	theme := look.New(true)
	for name, text := range map[string]string{
		"quotes": strings.Repeat("> ", 5000) + "x", "many quotes": strings.Repeat(strings.Repeat(">", 300)+" x\n\n", 20), "lists in a line": strings.Repeat("- ", 5000) + "x", "lists": stairs("- "), "numbers": stairs("1. "),
		"brackets": strings.Repeat("[", 20_000), "links": strings.Repeat("[a](", 5000), "images": strings.Repeat("![", 10_000), "emphasis": strings.Repeat("*a **b ", 3000), "marks": "a" + strings.Repeat("\u0301", 20_000),
		"columns": strings.Repeat("|a", 5000) + "|\n" + strings.Repeat("|-", 5000) + "|\n" + strings.Repeat("|b", 5000), "a word": strings.Repeat("x", n), "characters": strings.Repeat("語", n/3), "lines": strings.Repeat("\n", n), "spaces": strings.Repeat(" ", n) + "x",
		"paragraphs": strings.Repeat("Some *words*.\n\n", n/15), "code": "```go\n" + strings.Repeat("\"`'/*\n", n/6), "definitions": strings.Repeat("[a]: b\n", n/7) + "\n[a]",
	} {
		for _, width := range []int{80, 3} {
			if width == 3 && len(text) > n/8 {
				continue
			}
			began := time.Now()
			rows := New(theme).Rows(text, width)
			if took := time.Since(began); took > 20*time.Second { // a busy machine needs one, and what explodes never ends
				t.Errorf("%s of %d bytes at %d took %v", name, len(text), width, took)
			}
			for len(rows) > 2000 || len(rows) > 0 && rows[len(rows)-1] == "" {
				rows = rows[:min(len(rows)-1, 2000)]
			}
			checkRows(t, rows, theme, width)
			if name != "lines" && len(rows) == 0 {
				t.Errorf("%s: nothing is drawn", name)
			}
		}
	}
}

// Code and tables that are too long to be drawn at once stay what they are.
func TestLongBlocksContinue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, line string
		lines      int
	}{
		"code":                     {"```go\n/*\n" + strings.Repeat("- x\n\n", 4000) + "*/\n```", "␛[2m- x␛[m", 4000},
		"a table":                  {"| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 2000), "c  d", 2000},
		"a table with a late link": {"| [a] | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 2000) + "\n[a]: z", "␛[1m[a]␛[m  ␛[1mb␛[m", 0},
	} {
		n := 0
		for _, row := range New(look.New(true)).Rows(c.text, 40) {
			if strings.TrimSpace(strings.ReplaceAll(row, "\x1b", "␛")) == c.line {
				n++
			}
		}
		if n != c.lines {
			t.Errorf("%s: %d rows, not %d, are %q", name, n, c.lines, c.line)
		}
	}
}

// What ends where a part ends does not continue.
func TestLongBlocksEnd(t *testing.T) {
	t.Parallel()
	for _, block := range []string{"| a | b |\n|---|---|\n| c | d |\n", "```\na long line of code\n```\n", "- a long item of a list\n"} {
		text := block + "\nMore.\n\nAnd more.\n"
		m := New(look.New(true))
		m.atOnce = len(block) + 1
		if diff := cmp.Diff(New(look.New(true)).Rows(text, 40), m.Rows(text, 40)); diff != "" {
			t.Errorf("%q is drawn another way (-whole +in parts):\n%s", block, diff)
		}
	}
}

func TestColoursOfCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, code, want string }{
		{"go", "return \"a\\\"b\" // c", "‹return› ˝\"a\\\"b\"˝ ~// c~"},
		{"go", "x := `a\nif` + 12", "x := ˝`a˝|˝if`˝ + °12°"},
		{"c", "/* a\nif */ if", "~/* a~|~if */~ ‹if›"},
		{"python", "def f(): '''a\nif''' # b", "‹def› f(): ˝'''a˝|˝if'''˝ ~# b~"},
		{"sh", "if don't # x#y\na#b", "‹if› don't ~# x#y~|a#b"},
		{"sql", "SELECT a FROM b -- c", "‹SELECT› a ‹FROM› b ~-- c~"},
		{"rust", "fn f<'a>(x: &'a str)", "‹fn› f<'a>(x: &'a str)"},
		{"json", "{\"a\": true, \"b\": 1.5}", "{˝\"a\"˝: ‹true›, ˝\"b\"˝: °1.5°}"},
		{"Diff", "@@ -1 +1 @@\n-a\n+b\n c", "°@@ -1 +1 @@°|-a-|˝+b˝| c"},
		{"nosuch", "if \"a\" // b", "if \"a\" // b"},
		{"", "if \"a\" // b", "if \"a\" // b"},
	} {
		d := drawer{theme: look.New(true), pens: newPens(look.New(true))}
		marks := map[pen]string{0: "|", fact: "°|°", keyword: "‹|›", literal: "˝|˝", added: "˝|˝", removed: "-|-", dim: "~|~"}
		var lines []string
		for line := range strings.SplitSeq(c.code, "\n") {
			text := ""
			for _, s := range d.coloured(languages()[strings.ToLower(c.language)], line) {
				before, after, _ := strings.Cut(marks[s.pen], "|")
				text += before + s.text + after
			}
			lines = append(lines, text)
		}
		want := strings.ReplaceAll(c.want, "-a-", "-"+"-a"+"-")
		if got := strings.Join(lines, "|"); got != want {
			t.Errorf("%s: %q, not %q", c.language, got, want)
		}
	}
}
