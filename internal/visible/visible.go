// Package visible writes texts of models, tools and people so that readers see everything in them,
// and a terminal or a page does nothing but show them. It spells out what cannot be seen: control
// characters, characters that change the direction of a line, fillers, tags, variation selectors,
// zero-width characters. It is pure.
package visible

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns a text for one line: line ends and tabs are spelled out too.
func Line(s string) string { return spelled(s, false) }

// Lines returns a text that may have more than one line.
func Lines(s string) string { return spelled(strings.ReplaceAll(s, "\r\n", "\n"), true) }

// Short returns the beginning of a text on one line.
func Short(s string, most int) string {
	const enough = 8192 // bytes to look at; what is clipped need not be read
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	s = Line(strings.Join(strings.Fields(s), " "))
	n := 0
	for i := range s {
		if n++; n > most {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

func spelled(s string, lines bool) string {
	var b strings.Builder
	before := rune(-1)
	for i, r := range s {
		switch size := width(s[i:], r); {
		case lines && (r == '\n' || r == '\t'), !(r == utf8.RuneError && size == 1) && Shows(before, r, after(s[i+size:])):
			b.WriteString(s[i : i+size])
		default:
			spell(&b, s[i], r, size)
		}
		before = r
	}
	return b.String()
}

// width is how many bytes the first rune of a text has: one, if it is no character.
func width(s string, r rune) int {
	if r == utf8.RuneError {
		_, size := utf8.DecodeRuneInString(s)
		return size
	}
	return utf8.RuneLen(r)
}

func after(s string) rune {
	if s == "" {
		return -1
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func spell(b *strings.Builder, first byte, r rune, size int) {
	switch {
	case r == utf8.RuneError && size == 1, r < utf8.RuneSelf && r != '\n' && r != '\t':
		fmt.Fprintf(b, `\x%02x`, first)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r > 0xFFFF:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// Shows reports whether a character between two others (-1: none) can be seen and only shows.
func Shows(before, r, next rune) bool {
	switch {
	case r == '\u200c' || r == '\u200d':
		return joins(before, next)
	case r == '\ufe0e' || r == '\ufe0f':
		return isPicture(before) || next == '\u20e3' // as a picture, or as a key with a sign on it
	case unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) || r == '\u2800':
		return false
	}
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r)
}

// joins reports whether a joiner between two characters changes how they look: in emoji, and in
// scripts whose letters are joined.
func joins(before, next rune) bool {
	if (isPicture(before) || before == '\ufe0f') && isPicture(next) {
		return true
	}
	return unicode.In(before, joined...) && unicode.In(next, joined...)
}

// isPicture reports whether a character is a symbol such as an emoji, or the colour of one's skin.
func isPicture(r rune) bool { return unicode.Is(unicode.So, r) || r >= 0x1F3FB && r <= 0x1F3FF }

var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi,
	unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam,
	unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}
