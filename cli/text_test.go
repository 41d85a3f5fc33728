package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
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

func TestShort(t *testing.T) {
	if got := short(" one\n\n two  three ", 100); got != "one two three" {
		t.Errorf("%q", got)
	}
	if got := short("one two three", 8); got != "one two…" {
		t.Errorf("%q", got)
	}
	if got := short(strings.Repeat("ß", 10_000), 5); got != "ßßßßß…" {
		t.Errorf("%q", got)
	}
}

// FuzzSafe shows that no text gets a control or format character through, in words or in JSON,
// and that JSON still says the same.
//
// Attack: 58
func FuzzSafe(f *testing.F) {
	f.Add("a\x1b[2J\u009b\u202e\xff\U000e0041")
	f.Fuzz(func(t *testing.T, text string) {
		line, err := jsonLine(text)
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

func TestUnits(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{number(0), "0"},
		{number(999), "999"},
		{number(2_000_000), "2,000,000"},
		{number(-1234), "-1,234"},
		{count(1, "run"), "1 run"},
		{count(2, "run"), "2 runs"},
		{money(0), "0"},
		{money(5_000_000), "5.00"},
		{money(450), "0.00045"},
		{money(1_230_000), "1.23"},
		{size(1), "1 byte"},
		{size(122_900), "122.9 kB"},
		{size(84_000_000_000), "84.0 GB"},
		{span(0), "0 ms"},
		{span(3 * time.Millisecond), "3 ms"},
		{span(1500 * time.Millisecond), "1.5 s"},
		{span(time.Hour), "1 h"},
		{span(2*time.Minute + 5*time.Second), "2 min 5 s"},
		{span(50 * time.Hour), "2 d 2 h"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// What rein tells people to type can be pasted, whatever their folders are called.
func TestTipsCanBePasted(t *testing.T) {
	for folder, want := range map[string]string{
		"":              "`rein show r1`",
		"/srv/rein":     "`rein show r1 --data /srv/rein`",
		"/srv/übung":    "`rein show r1 --data /srv/übung`",
		"/srv/my data":  "`rein show r1 --data '/srv/my data'`",
		"~/rein":        "`rein show r1 --data '~/rein'`",
		"/srv/ann's;rm": "`rein show r1 --data '/srv/ann'\\''s;rm'`",
	} {
		c := call{}
		c.data = folder
		if got := c.tip("show r1"); got != want {
			t.Errorf("%q: %s, want %s", folder, got, want)
		}
	}
}
