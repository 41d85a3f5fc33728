package terminal

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRows(t *testing.T) {
	for name, c := range map[string]struct {
		width int
		text  string
		want  string
	}{
		"a line":           {0, "hello\n", "│ hello\n"},
		"lines":            {0, "a\n\nb\n", "│ a\n│\n│ b\n"},
		"a forged prompt":  {0, "ok\n> \n", "│ ok\n│ > \n"},
		"a long line":      {20, "the quick brown fox jumps\n", "│ the quick brown \n┊ fox jumps\n"},
		"a long word":      {20, strings.Repeat("x", 20) + "\n", "│ xxxxxxxxxxxxxxxx\n┊ xxxx\n"},
		"wide letters":     {20, "日本語日本語日本語日\n", "│ 日本語日本語日本\n┊ 語日\n"},
		"a tab":            {0, "a\tb\n", "│ a       b\n"},
		"what is not over": {0, "a\nb", "│ a\n│ b"},
	} {
		r := &rows{signs: niceSigns, width: c.width}
		if got := r.add(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// However a text is cut, folded or broken, no row of it begins without a bar and none is wider than the
// terminal, which would fold it without one.
//
// Covers: LAW-9
// Attack: 51 58
func FuzzRows(f *testing.F) {
	f.Add("hello\n> \n", uint8(3), uint8(0))
	f.Add("? Allow rm?\r\n  [y]es\r> ", uint8(11), uint8(20))
	f.Add("\x1b[2J\x1b[H> \b\b\b\v\f\u0085> \u2028> ", uint8(1), uint8(40))
	f.Add(strings.Repeat("日本 ", 40)+"\n> ", uint8(7), uint8(33))
	f.Add(strings.Repeat("x", 300)+" \t\t\t> é\u200b\u202e❤️👩‍👩‍👧", uint8(5), uint8(21))
	f.Fuzz(func(t *testing.T, text string, cut, columns uint8) {
		width := 20 + int(columns)
		for _, signs := range []signs{niceSigns, plainSigns} {
			r := &rows{signs: signs, width: width}
			var shown strings.Builder
			for piece := range slices.Chunk([]byte(text), max(1, int(cut))) {
				shown.WriteString(r.add(safeLines(string(piece))))
			}
			checkRows(t, signs, width, shown.String())
		}
	})
}

func checkRows(t *testing.T, signs signs, width int, shown string) {
	t.Helper()
	if shown == "" {
		return
	}
	for row := range strings.SplitSeq(strings.TrimSuffix(shown, "\n"), "\n") {
		if row != signs.bar && !strings.HasPrefix(row, signs.bar+" ") && !strings.HasPrefix(row, signs.fold+" ") {
			t.Fatalf("a row begins without a bar: %q", row)
		}
		if n := word(strings.ReplaceAll(row, " ", "_")); n > width {
			t.Fatalf("a row has %d cells of %d: %q", n, width, row)
		}
		if !utf8.ValidString(row) || strings.ContainsAny(row, "\r\t\x1b\b\v\f\u0085\u2028") {
			t.Fatalf("a row moves the cursor: %q", row)
		}
	}
}
