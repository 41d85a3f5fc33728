package terminal

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Attack: 58
func TestSafe(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain, Grüße, 日本語, 👩‍👩‍👧", "plain, Grüße, 日本語, 👩‍👩‍👧"},
		{"\x1b[2J", `\x1b[2J`},
		{"a\rb\x00\x7f", `a\x0db\x00\x7f`},
		{"\u009b1m", `\u009b1m`},
		{"\u202eabc\u2066", `\u202eabc\u2066`},
		{"a\xffb\uFFFD", `a\xffb` + "\uFFFD"},
		{"one\ntwo\tthree", `one\ntwo\tthree`},
		{"\U000e0041", `\U000e0041`},
	} {
		if got := safe(c.text); got != c.want {
			t.Errorf("safe(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if got := safeLines("one\r\ntwo\tthree\rfour\xff"); got != "one\ntwo\tthree\\x0dfour\\xff" {
		t.Errorf("safeLines: %q", got)
	}
}

// FuzzSafe shows that no text gets a control or format character through, in words or in JSON,
// and that JSON still says the same.
//
// Attack: 58
func FuzzSafe(f *testing.F) {
	f.Add("a\x1b[2J\u009b\u202e\xff\U000e0041")
	f.Fuzz(func(t *testing.T, text string) {
		line, err := JSONLine(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, shown := range []string{safe(text), short(text, 20), line} {
			if !utf8.ValidString(shown) {
				t.Errorf("%q is not valid", shown)
			}
			for _, r := range shown {
				if !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r) && r != '\u200c' && r != '\u200d' {
					t.Errorf("%q shows %U", text, r)
				}
			}
		}
		var back string
		if err := json.Unmarshal([]byte(line), &back); err != nil || back != strings.ToValidUTF8(text, "\uFFFD") && utf8.ValidString(text) {
			t.Errorf("%q became %q: %v", text, back, err)
		}
	})
}
