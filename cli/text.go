package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"rein/internal/visible"
)

// Texts of models, tools and people are data. Whatever they hold, a terminal that shows them does
// nothing but show them.

// safe returns a text for one line: what cannot be seen is spelled out.
func safe(s string) string { return visible.Line(s) }

// safeLines is safe for a text that may have more than one line.
func safeLines(s string) string { return visible.Lines(s) }

// short returns the beginning of a text on one line.
func short(s string, most int) string { return visible.Short(s, most) }

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
		case visible.Shows(-1, r, -1):
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
