package edit

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"rein/internal/visible"
)

// steering is what a program writes to colour its output, and what is copied with it.
var steering = regexp.MustCompile("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(\x07|\x1b\\\\)")

// clean returns a text without what cannot be seen. Lines end in \n.
func clean(text string) string {
	if isClean(text) {
		return text
	}
	text = strings.ToValidUTF8(text, "")
	text = steering.ReplaceAllString(text, "")
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	return shown(text, -1, -1)
}

func isClean(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' && c != '\n' && c != '\t') || c > '~' {
			return false
		}
	}
	return true
}

// keyed is clean for what a key typed after another character. What a joiner joins may come with the next key.
func keyed(text string, before rune) string {
	return shown(strings.ReplaceAll(text, "\r", "\n"), before, before)
}

func shown(text string, before, last rune) string {
	var b strings.Builder
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		next := last
		if i+size < len(text) {
			next, _ = utf8.DecodeRuneInString(text[i+size:])
		}
		if r == '\n' || r == '\t' || !(r == utf8.RuneError && size == 1) && visible.Shows(before, r, next) {
			b.WriteRune(r)
			before = r
		}
	}
	return b.String()
}
