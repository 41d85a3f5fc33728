package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Texts of models, tools and people are data. Whatever they hold, a terminal that shows them does
// nothing but show them.

// safe returns a text for one line: control and format characters are spelled out.
func safe(s string) string {
	var b strings.Builder
	for i, r := range s {
		spell(&b, s[i:], r)
	}
	return b.String()
}

// safeLines is safe for a text that may have more than one line.
func safeLines(s string) string {
	var b strings.Builder
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for i, r := range s {
		if r == '\n' || r == '\t' {
			b.WriteRune(r)
			continue
		}
		spell(&b, s[i:], r)
	}
	return b.String()
}

func spell(b *strings.Builder, s string, r rune) {
	switch {
	case r == utf8.RuneError && !strings.HasPrefix(s, "\uFFFD"):
		fmt.Fprintf(b, `\x%02x`, s[0])
	case harmless(r):
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, r)
	case r > 0xFFFF:
		fmt.Fprintf(b, `\U%08x`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}

// harmless reports whether a character only shows. Controls do more, and format characters can turn
// a line around or hide a part of it; two of those are needed to write some scripts and emoji.
func harmless(r rune) bool {
	return unicode.IsPrint(r) || unicode.Is(unicode.Zs, r) || r == '\u200c' || r == '\u200d'
}

// short returns the beginning of a text on one line.
func short(s string, most int) string {
	const enough = 8192 // bytes to look at; what is clipped need not be read
	if len(s) > enough {
		s = s[:enough] + "…"
	}
	s = safe(strings.Join(strings.Fields(s), " "))
	n := 0
	for i := range s {
		if n++; n > most {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// jsonLine returns a value as one line of JSON, with the same care: JSON itself lets some control
// characters through.
func jsonLine(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, r := range string(data) { // a byte that is no character becomes U+FFFD
		switch {
		case harmless(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String(), nil
}

func (c *call) printJSON(v any) error {
	line, err := jsonLine(v)
	c.print("%s\n", line)
	return err
}
