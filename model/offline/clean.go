package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text that may be shown: valid UTF-8 without control characters. Outside text can hold
// escape sequences that a terminal would obey.
func clean(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t':
			return c
		case c == '\r':
			return '\n'
		case unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c):
			return -1
		}
		return c
	}, text)
}

// oneLine returns the text as one line of at most limit bytes.
func oneLine(text string, limit int) string {
	return clip(strings.Join(strings.Fields(clean(text)), " "), limit)
}

// firstLine returns the first line that says something.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// clip cuts text to at most limit bytes, at a rune and if it can at a word, and marks the cut.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const mark = "…"
	if limit <= len(mark) {
		return strings.Repeat(".", max(limit, 0))
	}
	end := limit - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if space := strings.LastIndexAny(text[:end], " \n"); space > end/2 {
		end = space
	}
	return text[:end] + mark
}
