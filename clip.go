package rein

import "strings"

// Clip shortens a text for those who look at it: to its first so many bytes, without half a character at
// their end, and "…" after them. A text that is not longer stays as it is.
func Clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:max(most, 0)], "") + "…"
}
