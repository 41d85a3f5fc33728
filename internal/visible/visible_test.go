package visible_test

import (
	"strings"
	"testing"
	"unicode"

	"rein/internal/visible"
)

// Attack: 54 58
func TestLine(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain words, é, 日本, עברית", "plain words, é, 日本, עברית"},
		{"a\tb\nc\r\n", `a\tb\nc\x0d\n`},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"\u009b31m", `\u009b31m`},
		{"\xff\ufffd", `\xff` + "\ufffd"},
		{"rm \u202e-rf", `rm \u202e-rf`},
		{"a\u200bb\u2060c\ufeffd\u00ade", `a\u200bb\u2060c\ufeffd\u00ade`},
		{"a\u034fb\u115fc\u3164d\uffa0e\u2800", `a\u034fb\u115fc\u3164d\uffa0e\u2800`},
		{"x\U000e0041\U000e007f", `x\U000e0041\U000e007f`},
		{"x\ufe00y\ufe0fz\U000e0100", `x\ufe00y\ufe0fz\U000e0100`},
		{"a\u200db", `a\u200db`},
		{"\u2028\u2029", `\u2028\u2029`},
		{"❤️ 👨\u200d👩\u200d👧 👍🏽 1️⃣", "❤️ 👨\u200d👩\u200d👧 👍🏽 1️⃣"},
		{"می\u200cخواهم", "می\u200cخواهم"},
		{"\ue000", `\ue000`},
	} {
		if got := visible.Line(c.text); got != c.want {
			t.Errorf("Line(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if got := visible.Lines("a\r\nb\tc\rd\u200b"); got != "a\nb\tc\\x0dd\\u200b" {
		t.Errorf("Lines: %q", got)
	}
}

// No character that Unicode calls default-ignorable, no control and no format character comes
// through by itself, and spelling twice is spelling once.
//
// Plain: one goroutine asks a million characters.
func TestEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xD800 && r < 0xE000 {
			continue
		}
		text := "a" + string(r) + "b"
		got := visible.Line(text)
		hidden := unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
		if hidden == (got == text) && hidden {
			t.Errorf("%U comes through", r)
		}
		if visible.Line(got) != got {
			t.Errorf("%U: twice %q is %q", r, got, visible.Line(got))
		}
		if strings.ToValidUTF8(got, "") != got {
			t.Errorf("%U: %q is not valid", r, got)
		}
	}
}

func TestShort(t *testing.T) {
	if got := visible.Short(" one\n\n two  three ", 100); got != "one two three" {
		t.Errorf("%q", got)
	}
	if got := visible.Short("one two three", 8); got != "one two…" {
		t.Errorf("%q", got)
	}
	if got := visible.Short(strings.Repeat("ß", 10_000), 5); got != "ßßßßß…" {
		t.Errorf("%q", got)
	}
}
