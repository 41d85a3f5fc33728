package stage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/vault/stage"
)

func change(path, base, content string) stage.Change {
	c := stage.Change{Path: path, Base: []byte(base), Content: []byte(content), Hash: stage.Hash([]byte(content))}
	if base != "" {
		c.BaseHash = stage.Hash([]byte(base))
	}
	return c
}

// A diff names every note with what becomes of it, then shows the lines.
//
// Covers: HUM-34
func TestDiff(t *testing.T) {
	removed := stage.Reverse([]stage.Change{change("c.md", "", "gone\n")})[0]
	got := stage.Diff([]stage.Change{change("a.md", "one\ntwo\n", "one\n2\nthree"), change("new.md", "", "hello\n"), removed}, 10_000)
	want := `3 notes would be written (changes de9c7fb15b5b729d):
- a.md: +2 −1 lines, 11 bytes, SHA-256 ea3448bd6d1358d75cb903a97ecb473e
- new.md: new, 1 lines, 6 bytes, SHA-256 5891b5b522d5df086d0ff0b110fbd9d2
- c.md: removed

--- a.md
+++ a.md
@@ -1,2 +1,3 @@
 one
-two
+2
+three
\ No newline at end of file

--- (new note)
+++ new.md
@@ -0,0 +1,1 @@
+hello

--- c.md
+++ (removed)
@@ -1,1 +0,0 @@
-gone
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := stage.Diff(nil, 100); got != "Nothing is staged." {
		t.Errorf("%q", got)
	}
}

// Whoever agrees sees what is there: characters that hide or turn others around are spelled out,
// and a change that is not shown in full is still another change.
func TestDiffDoesNotDeceive(t *testing.T) {
	got := stage.Diff([]stage.Change{change("a.md", "x\r\n", "x\r\nsafe\u202E\x1b[2Jtext\r\u200b\r\n")}, 10_000)
	if !strings.Contains(got, `+safe\u202e\x1b[2Jtext\x0d\u200b`+"\r\n") {
		t.Errorf("%q", got)
	}
	long := strings.Repeat("line\n", 10_000)
	one := stage.Diff([]stage.Change{change("a.md", "", long+"a")}, 1000)
	other := stage.Diff([]stage.Change{change("a.md", "", long+"b")}, 1000)
	if one == other || len(one) > 2000 {
		t.Errorf("two changes look the same:\n%s", one)
	}
	if got := stage.Diff([]stage.Change{change("a.md", "", strings.Repeat("é", 10_000))}, 1000); len(got) > 2000 {
		t.Errorf("a long line has %d bytes", len(got))
	}
	if got := stage.Diff([]stage.Change{change("a.md", "\xff\xfe", "text")}, 1000); !strings.Contains(got, "it was not text") {
		t.Errorf("%q", got)
	}
}

// Who must agree is shown all of it, or so much that it is plainly too much.
func TestWholeLeavesNothingOut(t *testing.T) {
	long := strings.Repeat("a line of this note\n", 5000)
	changes := []stage.Change{change("a.md", "", long), change("b.md", "", "short\n"), change("c.md", "", long)}
	if got := stage.Whole(changes, 1<<20); strings.Count(got, "+a line") != 10_000 || !strings.Contains(got, "+short\n") || strings.Contains(got, "not shown") {
		t.Errorf("of 10,000 lines %d are shown", strings.Count(got, "+a line"))
	}
	if got := stage.Whole(changes, 50_000); len(got) < 50_000 || len(got) > 150_000 || strings.Count(got, "[… not shown]") != 2 {
		t.Errorf("%d bytes", len(got))
	}
	small := changes[1:2]
	if stage.Whole(small, 1000) != stage.Diff(small, 10_000) {
		t.Error("a short diff is another one")
	}
}
