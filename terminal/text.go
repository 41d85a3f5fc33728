package terminal

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"

	"rein/internal/visible"
)

// safe returns a text for one line: what cannot be seen is spelled out.
func safe(s string) string { return visible.Line(s) }

// safeLines is safe for a text that may have more than one line.
func safeLines(s string) string { return visible.Lines(s) }

// short returns the beginning of a text on one line.
func short(s string, most int) string { return visible.Short(s, most) }

// JSONLine returns a value as one line of JSON in which everything can be seen: JSON itself lets some
// control characters through.
func JSONLine(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return seen(string(data)), nil
}

// seen escapes what cannot be seen in a line of JSON. A byte that is not part of a character becomes U+FFFD.
func seen(line string) string {
	var b strings.Builder
	runes := append([]rune(line), -1)
	before := rune(-1)
	for i, r := range runes[:len(runes)-1] {
		shows := visible.Shows(before, r, runes[i+1])
		before = r
		switch {
		case shows:
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// PrintJSON prints a value as one line of JSON.
func (o *Output) PrintJSON(v any) error {
	line, err := JSONLine(v)
	o.Print("%s\n", line)
	return err
}

// after puts a text behind what leads to it, if there is one.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

// joined puts commas between the parts that are there.
func joined(parts ...string) string {
	text := ""
	for _, part := range parts {
		if part == "" {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += part
	}
	return text
}
