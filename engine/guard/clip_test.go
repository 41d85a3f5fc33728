package guard_test

import (
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"rein/engine/guard"
)

// Covers: LAW-9 TAB-B9
func TestClipResult(t *testing.T) {
	lines := strings.Repeat("0123456789012345678\n", 700)
	got, was := guard.ClipResult(lines, 200, "7.2")
	want := strings.Repeat("0123456789012345678\n", 3)[:59] +
		"\n[… 13,881 bytes left out; read_result {\"handle\":\"7.2\"} reads them …]\n" +
		strings.Repeat("0123456789012345678\n", 3)
	if got != want || !was {
		t.Errorf("got %q %v,\nwant %q", got, was, want)
	}
	if got, was := guard.ClipResult("short", 5, "h"); got != "short" || was {
		t.Errorf("what fits became %q %v", got, was)
	}
	if got, was := guard.ClipResult("a long line without end", 10, "h"); got != "a long lin" || !was {
		t.Errorf("without room for words: %q %v", got, was)
	}
	if got, _ := guard.ClipResult(lines, 100, ""); strings.Contains(got, "read_result") {
		t.Errorf("%q names a handle that is not there", got)
	}
}

var told = regexp.MustCompile(`\n\[… ([0-9,]+) bytes left out[^\n]*\]\n`)

// What is left and what is said to be left out are the whole, and no character is cut.
func TestClippingLosesNothingUntold(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		var b strings.Builder
		for range r.IntN(300) {
			b.WriteString([]string{"a", "é", "日", "👍", "\n", "word "}[r.IntN(6)])
		}
		text, n := b.String(), r.IntN(400)
		got, was := guard.ClipResult(text, n, []string{"", "h\"1"}[r.IntN(2)])
		if len(got) > n || !utf8.ValidString(got) || was != (len(text) > n) || (!was && got != text) {
			t.Fatalf("%q to %d gives %q %v", text, n, got, was)
		}
		at := told.FindStringSubmatchIndex(got)
		if !was || at == nil {
			continue
		}
		head, tail := got[:at[0]], got[at[1]:]
		out, _ := strconv.Atoi(strings.ReplaceAll(got[at[2]:at[3]], ",", ""))
		if !strings.HasPrefix(text, head) || !strings.HasSuffix(text, tail) || len(head)+out+len(tail) != len(text) {
			t.Fatalf("%q to %d gives %q", text, n, got)
		}
		if clip := guard.Clip(text, n); len(clip) > n || !utf8.ValidString(clip) {
			t.Fatalf("%q to %d gives %q", text, n, clip)
		}
	}
}
