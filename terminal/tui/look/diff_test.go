package look_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/look"
)

func stripped(rows []string) string { return ansi.Strip(strings.Join(rows, "\n")) }

// Lines of diffs have their sign apart, what stands between diffs stays text, and the head of a hunk says how many lines
// belong to it: a line that looks like the next file is none.
func TestDiff(t *testing.T) {
	theme := look.New(true)
	rows := theme.Diff("- \"a.go\": +2 −1 lines\n\n--- a.go\n+++ a.go\n@@ -1,3 +1,4 @@\n one\n-two\n+++ b.go\n+\tzwei, which is a long line\x1b[2J\n \n\\ No newline at end of file\n--- (new file)\n+++ c.go\n@@ -0,0 +1 @@\n+x\nthe end\n", 24)
	want := `- "a.go": +2 −1 lines

a.go
@@ -1,3 +1,4 @@
  one
- two
+ ++ b.go
+     zwei, which is a 
┊ long line\x1b[2J
  
\ No newline at end of 
file
--- (new file)
+++ c.go
@@ -0,0 +1 @@
+ x
the end`
	if diff := cmp.Diff(want, stripped(rows)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for row, paint := range map[string]func(string) string{"+ x": theme.Good, "- two": theme.Bad, "  one": theme.Dim} {
		found := false
		for _, got := range rows {
			found = found || got == paint(row)
		}
		if !found {
			t.Errorf("%q is not coloured", row)
		}
	}
	if got := stripped(theme.Diff("--- a\n+++ a\n@@ -1,9 +1,9 @@\n+x", 20)); got != "a\n@@ -1,9 +1,9 @@\n+ x" {
		t.Errorf("a diff that is cut: %q", got)
	}
}

// Nothing is lost where a text is broken, and no row is too wide.
func TestBreak(t *testing.T) {
	for _, text := range []string{"", " ", "two words", strings.Repeat("word ", 40), strings.Repeat("x", 90), strings.Repeat("公園 ", 30) + "e\u0301\u0302 👨‍👩‍👧", "rm -rf /" + strings.Repeat(" ", 70) + "home", "a\n\n  b"} {
		for cells := 2; cells < 50; cells++ {
			rows := look.Break(text, cells)
			if got := strings.Join(rows, ""); got != strings.ReplaceAll(text, "\n", "") {
				t.Fatalf("%q in %d: %q", text, cells, rows)
			}
			for i, row := range rows {
				if look.Cells(row) > cells {
					t.Fatalf("%q is wider than %d", row, cells)
				}
				if text == "two words" && cells >= 5 && cells < 9 && i == 0 && row != "two " {
					t.Errorf("in %d: %q", cells, rows)
				}
			}
		}
	}
	if got := strings.Join(look.Break("a\n\n  b", 10), "|"); got != "a||  b" {
		t.Errorf("%q", got)
	}
}

// A line across a box is as wide as the box, whatever its label is.
func TestDivide(t *testing.T) {
	theme, same := look.New(true), func(s string) string { return s }
	for label, want := range map[string]string{"": "├──────────┤", "keys": "├ keys ────┤", "all that can be said": "├ all t… ──┤"} {
		if got := theme.Divide(label, 12, same); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
