package kit

import (
	"strings"
	"testing"
)

// Covers: RAO-4
func TestBaseName(t *testing.T) {
	for name, want := range map[string]string{
		"report.pdf": "report.pdf", "../../etc/passwd": "passwd", `C:\x\y.txt`: "y.txt", "": "file", "..": "file", "/": "file", ".env": "env",
		"a\x00b\nc\u202e.txt": "abc.txt", "<b>`$(x)`": "_b___(x)_", "naïve résumé.md": "naïve résumé.md", "\xff.txt": "_.txt",
		strings.Repeat("é", 100): strings.Repeat("é", 60), "a/ .x": "x",
	} {
		if got := BaseName(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
