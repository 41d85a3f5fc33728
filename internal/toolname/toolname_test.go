package toolname_test

import (
	"strings"
	"testing"

	"rein/internal/toolname"
)

func TestGood(t *testing.T) {
	for _, name := range []string{"a", "a.b", "a_b", "a__b", "_", "0", "a.b.c", "codebase.read_file", strings.Repeat("x", 64), strings.Repeat("x.", 31) + "xx"} {
		if !toolname.Good(name) {
			t.Errorf("%q is refused", name)
		}
	}
	for _, name := range []string{
		"", ".", "a.", ".a", "a..b", "A", "a-b", "a b", "a\n", "a.b\n", "a/b", "é", "а", "a\x00",
		strings.Repeat("x", 65), strings.Repeat("x.", 32) + "x",
	} {
		if toolname.Good(name) {
			t.Errorf("%q is allowed", name)
		}
	}
}

// Any two good names differ for the provider too.
func FuzzWire(f *testing.F) {
	for _, pair := range [][2]string{{"a.b", "a_b"}, {"a.b", "a__b"}, {"a.b.c", "a.b_c"}, {"a", "b"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if !toolname.Good(a) || !toolname.Good(b) {
			return
		}
		if (toolname.Wire(a) == toolname.Wire(b)) != (a == b) {
			t.Errorf("%q and %q are %q and %q", a, b, toolname.Wire(a), toolname.Wire(b))
		}
		if strings.Contains(toolname.Wire(a), ".") || len(toolname.Wire(a)) != len(a) {
			t.Errorf("%q is %q", a, toolname.Wire(a))
		}
		if !strings.Contains(a, ".") && toolname.Wire(a) != a {
			t.Errorf("%q changed to %q", a, toolname.Wire(a))
		}
	})
}
