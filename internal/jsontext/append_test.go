package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func standard(t testing.TB, s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// TestAppendString writes every character of the basic plane, and bytes that are no text, as encoding/json does.
func TestAppendString(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x10000; r++ {
		all.WriteRune(r)
	}
	all.WriteString("\xff\xc3(\xed\xa0\x80\U0001F600")
	for _, s := range []string{"", "plain", "a\"b\\c\n<&>", all.String()} {
		if got, want := string(AppendString(nil, s)), standard(t, s); got != want {
			t.Errorf("%.40q is written as %.80s, want %.80s", s, got, want)
		}
		if want, err := json.Marshal(s); err != nil || string(AppendHTML(nil, s)) != string(want) {
			t.Errorf("%.40q is written for HTML as %.80s, want %.80s, %v", s, AppendHTML(nil, s), want, err)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	f.Add("a\x00\u2028\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(AppendString(nil, s)), standard(t, s); got != want {
			t.Errorf("%q is written as %s, want %s", s, got, want)
		}
	})
}
