package kit

import (
	"fmt"
	"strings"
	"unicode"
)

// Clip keeps the head and the tail of a text that is too long.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := most*3/4, most/4
	return strings.ToValidUTF8(text[:head], "") + fmt.Sprintf("\n[… %d bytes left out …]\n", len(text)-head-tail) + strings.ToValidUTF8(text[len(text)-tail:], "")
}

// Short cuts a text to at most so many bytes, at a whole character.
func Short(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// Line makes one short line of a text.
func Line(text string, most int) string {
	return Short(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " "), most)
}
