package markdown

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/look"
)

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func FuzzRows(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text, 40, true)
		f.Add(text, 7, false)
	}
	f.Fuzz(func(t *testing.T, text string, width int, nice bool) {
		width = width&127 + 1
		theme := look.New(nice)
		rows := New(theme).Rows(text, width)
		checkRows(t, rows, theme, width)
	})
}

// A text that grew has the rows of one that did not.
func FuzzGrowth(f *testing.F) {
	for i, text := range seeds(f) {
		f.Add(text, uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		checkGrowth(t, text, 40, rand.New(rand.NewPCG(seed, 1)), 40)
	})
}

// checkRows holds what rows promise, whatever the text was.
func checkRows(t *testing.T, rows []string, theme look.Theme, width int) {
	t.Helper()
	if len(rows) > 0 && (plain(rows[0]) == "" || plain(rows[len(rows)-1]) == "") {
		t.Errorf("there are blank rows at the ends: %.200q … %.200q", rows[0], rows[len(rows)-1])
	}
	for _, row := range rows {
		if n := look.Cells(row); n > width {
			t.Errorf("a row takes %d cells of %d: %q", n, width, row)
		}
		text := plain(row)
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.C) && !strings.ContainsRune("\u200c\u200d", r) }) {
			t.Errorf("a row has more than text and colours: %q", row)
		}
		if strings.Contains(row, "\x1b[") && !strings.Contains(row, "\x1b[m") {
			t.Errorf("a row leaves its colour to the next one: %q", row)
		}
		if begin := strings.TrimLeftFunc(text, unicode.IsSpace); theme.Signs == look.Nice && begins(begin, theme.Signs) {
			t.Errorf("a row begins like one of rein's own: %q", row)
		}
	}
}

func plain(row string) string { return colour.ReplaceAllString(row, "") }

// begins reports whether a row begins with a sign of rein. Those that are ASCII are ordinary characters.
func begins(text string, s look.Signs) bool {
	for _, sign := range signsOf(s) {
		if sign[0] >= utf8.RuneSelf && strings.HasPrefix(text, sign) {
			return true
		}
	}
	return strings.HasPrefix(text, "|")
}

func signsOf(s look.Signs) (all []string) {
	for _, field := range reflect.ValueOf(s).Fields() {
		all = append(all, field.String())
	}
	return all
}

// checkGrowth cuts a text at random places: a text that grew has the rows of one that did not.
func checkGrowth(t *testing.T, text string, width int, random *rand.Rand, cuts int) {
	t.Helper()
	theme := look.New(true)
	growing := New(theme)
	at := make([]int, cuts)
	for i := range at {
		at[i] = random.IntN(len(text) + 1)
	}
	slices.Sort(at)
	for _, end := range append(at, len(text)) {
		grown, fresh := growing.Rows(text[:end], width), New(theme).Rows(text[:end], width)
		if !slices.Equal(fresh, grown) {
			diff := cmp.Diff(fresh, grown)
			t.Fatalf("after %d bytes, and pieces up to %d (-fresh +grown):\n%s", end, growing.next.at, diff)
		}
	}
}

// seeds are texts that are hard to draw.
func seeds(t testing.TB) []string {
	t.Helper()
	showcase, err := os.ReadFile(filepath.Join("testdata", "showcase.md"))
	if err != nil {
		t.Fatal(err)
	}
	return []string{
		string(showcase), "", "\n\n", "#", "- ", "```", "```go\nx", "~~~\n│", "> ", ">>>>> x", "1. a\n1. b\n\n1. c\n\n   d\n- e\n* f",
		"a\n-", "a\n=\nb\n---\nc\n#\n#d", "| a |\n|---|\n| ✓ |\n| `a\\|b` |", "x\n| a |\n|-|\n", "[a]\n\n[a]: b\n'c\nd'\n[a]: e\n", "> [a]: b\n\n[a] ![a]",
		"<div>\nx\n\n</div>\n<!-- a\n\nb -->\n<script>\n\n*x*\n</script> y", "a\tb\n-\tc\n\t- d\n\n\te", "a\r\nb\rc\x00\x1b[2J\u202e\ufeff\u0301x\xff",
		"&#27;[2J&#x202e;&nbsp;│&lt;&#0;&#x1F600;", "日本語" + strings.Repeat("字", 50), "👩‍👩‍👧🇩🇪👍🏽e\u0301\u0300" + strings.Repeat("\u0301", 200),
		strings.Repeat("> ", 60) + "x", strings.Repeat("- ", 60) + "x", strings.Repeat("word ", 40) + strings.Repeat("x", 300),
		"| a" + strings.Repeat(" | a", 30) + "\n|-" + strings.Repeat("|-", 30) + "\n| ●" + strings.Repeat(" | b c d", 30),
		"\\✓ x\n\n**│** y\n\n`●` z\n\n[›](a) b\n\n\u00a0\u3000▸ c\n\n|\n\n｜\n\n├ d\n\n✔️ e\n\n…", "~~a~~ *b **c*** [d](<e f> \"g\") ![](h) <i@j.k> www.l.m",
		"```go\n`a\n/*\n" + strings.Repeat("x\n\n", 4000) + "```\nb", "| a | b |\n|---|---|\n" + strings.Repeat("| c | d |\n", 1200) + "\ne",
		strings.Repeat("x", 2*atOnce) + " y", strings.Repeat("- a\n  - b\n", 1500), "- a\n" + strings.Repeat("  b\n\n", 4000) + "c", strings.Repeat("語", atOnce), strings.Repeat("\n", 2*atOnce) + "x",
		"# " + strings.Repeat("a [b] ", 2000) + "\n\n[b]: c\n\n" + strings.Repeat("d\n\n", 3000) + "[b]: e",
	}
}
