package offline

import (
	"strings"
	"unicode"
)

const (
	maxPrompt  = 256 << 10 // bytes of a prompt that are searched for examples
	maxExample = 8 << 10   // bytes of one
	maxBraces  = 256       // places where one may begin
)

// examples returns the objects in a prompt that look like control blocks. They need not be JSON:
// prompts write {"finish": bool} and {type: "final", …}.
func examples(text string) []control {
	var all []control
	eachExample(text, func(c control, _, _ int) { all = append(all, c) })
	return all
}

// withoutExamples returns the text without the objects that examples finds.
func withoutExamples(text string) string {
	var b strings.Builder
	last := 0
	eachExample(text, func(_ control, start, end int) {
		b.WriteString(text[last:start])
		last = end
	})
	return b.String() + text[last:]
}

// eachExample calls found for each of them, with where it stands.
func eachExample(text string, found func(c control, start, end int)) {
	text = text[:min(len(text), maxPrompt)]
	for i, tried := 0, 0; i < len(text) && tried < maxBraces; i++ {
		if text[i] != '{' {
			continue
		}
		tried++
		c, size := scanObject(text[i:min(len(text), i+maxExample)])
		if size > 0 && c.isExample() {
			found(c, i, i+size)
			i += size - 1
		}
	}
}

// scanObject reads the keys of an object and their values as they stand, and returns the length
// of the object, or 0 if it does not end.
func scanObject(text string) (control, int) {
	c := control{vals: map[string]string{}}
	start, depth := 1, 0
	colon := -1
	take := func(end int) {
		key, value := text[start:end], ""
		if colon >= 0 {
			key, value = text[start:colon], strings.TrimSpace(text[colon+1:end])
		}
		key = strings.Trim(key, " \t\r\n\"'`?")
		if _, twice := c.vals[key]; isKey(key) && !twice {
			c.keys = append(c.keys, key)
			c.vals[key] = value
		}
		colon = -1
	}
	for i := 1; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '"':
			i += stringEnd(text[i:]) - 1
		case ch == '{' || ch == '[':
			depth++
		case (ch == '}' || ch == ']') && depth > 0:
			depth--
		case ch == '}':
			take(i)
			return c, i + 1
		case ch == ']':
			return c, 0
		case depth == 0 && ch == ':' && colon < 0:
			colon = i
		case depth == 0 && ch == ',':
			take(i)
			start = i + 1
		}
	}
	return c, 0
}

// isKey reports whether a word can be the name of a field.
func isKey(word string) bool {
	return word != "" && len(word) < 64 && strings.IndexFunc(word, func(c rune) bool {
		return c != '_' && c != '-' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	}) < 0
}

// stringEnd returns the length of the quoted string at the beginning of the text. One that does
// not end on its line is a lone quote.
func stringEnd(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '\n':
			return 1
		case '"':
			return i + 1
		}
	}
	return 1
}
