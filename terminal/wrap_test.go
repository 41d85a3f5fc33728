package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		width int
		want  string
	}{
		"it fits":             {"one two", 7, "one two"},
		"no width":            {strings.Repeat("word ", 90), 0, strings.Repeat("word ", 90)},
		"words":               {"one two three four", 10, "one two\n  three\n  four"},
		"a line that is deep": {"  one two three", 10, "  one two\n    three"},
		"two lines":           {"one two three\nfour", 9, "one two\n  three\nfour"},
		"a command":           {"then type `rein show r1` to see it", 20, "then type\n  `rein show r1` to\n  see it"},
		"a long command":      {"see `rein answer r1:4.ask --yes`.", 12, "see\n  `rein answer r1:4.ask --yes`."},
		"a command that fits": {"then `rein show r1 --all`", 20, "then\n`rein show r1 --all`"},
		"an open quote":       {"it says `what and never closes it", 16, "it says `what\n  and never\n  closes it"},
		"a path":              {"in /home/ann/a/very/long/path it is", 12, "in\n  /home/ann/a/very/long/path\n  it is"},
		"wide letters":        {"日本語日本語日本語", 9, "日本語\n  日本語\n  日本語"},
		"marks":               {"e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301", 7, "e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301"},
		"colours":             {"\x1b[2mone two\x1b[0m", 7, "\x1b[2mone two\x1b[0m"},
		"a column":            {"name     a value that is long", 20, "name     a value\n  that is long"},
	} {
		if got := Wrap(c.text, c.width, 2); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"hello", 5, "hello"},
		{"hello there", 8, "hello t…"},
		{"hello there", 7, "hello…"},
		{"日本語", 6, "日本語"},
		{"日本語日", 6, "日本…"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
		{"a\x1b[31m\nb", 20, `a\x1b[31m b`},
		{"hello", 0, "…"},
	} {
		if got := Cut(c.text, c.cells); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

// Whatever a text holds, no row of it is wider than the terminal but for one word of ASCII or one command, and nothing of
// it is lost.
func FuzzWrap(f *testing.F) {
	f.Add("one two `three four` 日本語 e\u0301", uint8(11))
	f.Add("  `a\n b`  c", uint8(3))
	f.Fuzz(func(t *testing.T, text string, columns uint8) {
		text, width := safeLines(text), 6+int(columns)
		got := Wrap(text, width, 2)
		squeeze := strings.NewReplacer(" ", "", "\n", "", "\t", "")
		if squeeze.Replace(got) != squeeze.Replace(text) || !utf8.ValidString(got) {
			t.Fatalf("%q became %q", text, got)
		}
		for row := range strings.SplitSeq(got, "\n") {
			words := strings.TrimSpace(row)
			if Cells(row) > width && !strings.Contains(words, "`") && strings.ContainsAny(words, " ") {
				t.Errorf("%d cells of %d: %q", Cells(row), width, row)
			}
		}
	})
}
