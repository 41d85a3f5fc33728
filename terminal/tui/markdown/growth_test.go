package markdown

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/look"
)

// The texts that people really read here, written bit by bit.
//
// Plain: it repeats one thing many times.
func TestGrowthOfRealTexts(t *testing.T) {
	t.Parallel()
	for _, name := range realTexts(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(len(b)), 1))
		for _, width := range []int{78, 20 + random.IntN(30)} {
			checkGrowth(t, string(b), width, random, 4)
		}
	}
}

func realTexts(t testing.TB) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"docs/*.md", "examples/vault/*.md", "examples/vault/*/*.md", "README.md"} {
		names, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(pattern)))
		if err != nil || len(names) == 0 {
			t.Fatalf("nothing is called %s: %v", pattern, err)
		}
		all = append(all, names...)
	}
	return all
}

// tokens are what Markdown is made of: texts of them are full of blocks that begin, continue and end.
var tokens = append(strings.Split("a¦b c¦word ¦\n¦\n¦\n¦\n\n¦\n\n¦- ¦  ¦    ¦\t¦1. ¦2) ¦* ¦> ¦>¦#¦# ¦=¦===\n¦---\n¦```¦~~~¦```go\n¦`¦*¦**¦[a]¦[a]: b¦[A]:¦\"t\"¦\n't'¦(c)¦!¦\\¦&amp;¦&#27;¦"+
	"<div>¦</div>¦<!--¦-->¦<b>¦<script>¦[ ] ¦[x] ¦·¦ ¦--\n¦.¦:¦◌¦│¦✓¦語¦|¦| a | b |\n¦|---|---|\n¦|-|\n", "¦"), "¦")

// Whatever a text is, and wherever it has to be divided: when it grows, its rows are those of a new Text.
//
// Plain: it repeats one thing many times.
func TestGrowthOfRandomTexts(t *testing.T) {
	t.Parallel()
	const texts, length, width = 100, 100, 30
	theme := look.New(true)
	for seed := range uint64(texts) {
		random := rand.New(rand.NewPCG(seed, 1))
		atOnce := 1 << 20 // the new Text reads all at once
		if seed%2 == 0 {
			atOnce = 20 + random.IntN(200)
		}
		growing, text := New(theme), ""
		growing.atOnce = atOnce
		for range length {
			text += tokens[random.IntN(len(tokens))]
			if random.IntN(3) == 0 {
				text += "\n"
			}
			fresh := New(theme)
			fresh.atOnce = atOnce
			want, got := fresh.Rows(text, width), growing.Rows(text, width)
			checkRows(t, got, theme, width)
			if !slices.Equal(want, got) || t.Failed() {
				t.Fatalf("text %d, %d at once: %q, pieces up to %d (-fresh +grown):\n%s", seed, atOnce, text, growing.next.at, cmp.Diff(want, got))
			}
		}
	}
}

// Texts that were once drawn wrong. Markdown is not always what one thinks.
func TestGrowthOfOddTexts(t *testing.T) {
	t.Parallel()
	const much = 1 << 20
	theme := look.New(true)
	for _, c := range []struct {
		what, text string
		atOnce     int
	}{
		{"an indented header of a table may still become a paragraph", "word\n\n  --\n-:(c)---\n", 18},
		{"a table above a heading that is made of the paragraph above the table", "\n'\n\\\n-|\n-\n", much},
		{"that it is a table is decided by the line below", "x [b]\n\na [b]\n    |-|\n|> \n---\n\ne\n\n[b]: f\n", much},
		{"a mark of a quote in a paragraph is not a blank line", "b\n    >\na\n|-|x\n", much},
		{"a paragraph becomes a heading", " \"t\"\\!\n   ===\n|---|---|\n✓-->b c\n't'```go\n==== \n", 48},
		{"a definition below what is read at once", "&amp;[a]\t[a]\n\n[a]:-a\n", 20},
		{"blank lines at the end of code that continues", "```\na\nb\nc\nd\n\n\n\n  ", 10},
		{"a definition that is not whole at the end of what is read at once", "[a]\n\nb\n\n[a]: c\n'd'\n\ne\n", 17},
		{"a comment in code that continues", "```go\n/* a\nb\nc\nd\ne\nf\n*/ if\n", 14},
	} {
		growing := New(theme)
		growing.atOnce = c.atOnce
		for end := range len(c.text) + 1 {
			fresh := New(theme)
			fresh.atOnce = c.atOnce
			want, got := fresh.Rows(c.text[:end], 30), growing.Rows(c.text[:end], 30)
			if !slices.Equal(want, got) {
				t.Errorf("%s: %q, pieces up to %d (-fresh +grown):\n%s", c.what, c.text[:end], growing.next.at, cmp.Diff(want, got))
				break
			}
		}
	}
}

// A text of ten thousand bits costs ten times what one of a thousand does: what is drawn stays drawn.
//
// Plain: it is about amounts.
func TestGrowingIsLinear(t *testing.T) {
	t.Parallel()
	real, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"a page": string(real), "paragraphs": strings.Repeat("Some *words* in a paragraph.\n\n", 1<<11), "a list": strings.Repeat("- an item\n  - and one in it\n", 1<<11),
		"a line": strings.Repeat("word ", 1<<14), "code": "```go\n" + strings.Repeat("x := `y` // z\n", 1<<12), "a table": "| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 1<<13),
		"a quote": strings.Repeat("> said somebody\n", 1<<12), "blank lines": strings.Repeat("\n", 1<<16),
	} {
		const deltas, factor = 10_000, 8 // of five bytes
		small, large := work(text, deltas/factor, 1<<10), work(text, deltas, 1<<10)
		if large > 2*factor*small { // with the square it would be 64 times as much
			t.Errorf("%s: %d bits make it read %d bytes, an eighth of them %d", name, deltas, large, small)
		}
	}
}

// work is how many bytes are parsed while a text grows by so many bits of five bytes.
func work(text string, deltas, atOnce int) int {
	const size = 5
	m := New(look.New(true))
	m.atOnce = atOnce
	for i := range deltas {
		m.Rows(text[:min(size*(i+1), len(text))], 76)
	}
	return m.read
}

// A definition at the end of a text gives links above it their addresses, also where they have been drawn.
func TestDefinitionsComeLater(t *testing.T) {
	const above = "See [the page][p].\n\n> And [p].\n\nNo more.\n\n"
	m := New(look.New(true))
	for text, want := range map[string]string{
		above:                                  "See [the page][p].",
		above + "[p]: http://a":                "See the page (http://a).",
		above + "[p]: http://a.b\n[p]: late\n": "See the page (http://a.b).",
	} {
		_ = m.Rows(above, 60)
		if got := plain(m.Rows(text, 60)[0]); got != want {
			t.Errorf("%q begins with %q, not %q", text, got, want)
		}
	}
}

// What was drawn is of no use for another width or another text.
func TestAnotherText(t *testing.T) {
	m := New(look.New(true))
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"one two\n\nthree\n\nfour", 20, "one two||three||four"},
		{"one two\n\nthree\n\nfour", 4, "one|two||thre|e||four"},
		{"one two\n\nthree\n\n", 4, "one|two||thre|e"},
		{"1\n\n2", 4, "1||2"},
		{"", 4, ""},
		{"x", 0, ""},
	} {
		if got := strings.Join(m.Rows(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q at %d: %q, not %q", c.text, c.width, got, c.want)
		}
	}
}

// BenchmarkGrowth is a page that comes in bits of five bytes.
func BenchmarkGrowth(b *testing.B) {
	page, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		work(string(page), len(page)/5, atOnce)
	}
}

// BenchmarkWhole is the same page at once.
func BenchmarkWhole(b *testing.B) {
	page, err := os.ReadFile("../../../docs/cli.md")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		New(look.New(true)).Rows(string(page), 76)
	}
}
