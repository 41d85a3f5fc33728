package textdiff_test

import (
	"strings"
	"testing"

	"rein/internal/textdiff"
)

func TestNew(t *testing.T) {
	d := textdiff.New("a\x1b", "b", []byte("1\n2\r\n3"), []byte("1\n\u202e2\r\n4\n"))
	want := "--- a\\x1b\n+++ b\n@@ -1,3 +1,3 @@\n 1\n-2\r\n-3\n\\ No newline at end of file\n+\\u202e2\r\n+4\n"
	if d.Text != want || d.Added != 2 || d.Removed != 2 {
		t.Errorf("%+v\nwant %q", d, want)
	}
	if d := textdiff.New("a", "a", []byte("\xff"), []byte("x")); !strings.Contains(d.Text, "it was not text") {
		t.Errorf("%+v", d)
	}
	if d := textdiff.New("a", "b", []byte("same\n"), []byte("same\n")); d.Text != "--- a\n+++ b\n" {
		t.Errorf("%+v", d)
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"a\nb\n", 10, "a\nb\n"},
		{"a\nb\nc\n", 3, "a\n[… 2 more lines are not shown]\n"},
		{"ää", 3, "ä\n[… 2 more bytes are not shown]\n"},
	} {
		if got := textdiff.Clip(c.text, c.limit); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
