package answer

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// A claim is a sentence that names a source, of which the source has too few of the words. It may be
// put in other words; a person should look.
type claim struct {
	Text    string   `json:"text"`
	Source  string   `json:"source"`
	Support float64  `json:"support"`           // the share of its words that the source has
	Missing []string `json:"missing,omitempty"` // the numbers that the source does not have
}

const (
	leastSupport = 0.3 // below it a claim is doubtful
	leastWords   = 4   // a shorter sentence says too little to be judged
	maxClaim     = 300 // characters of one that is told
)

// doubt compares a sentence of an answer in a language with what its source says. It is nil if nothing
// speaks against it. Of a source in another language only the numbers can be compared.
func doubt(sentence, lang string, from source, said string) *claim {
	words, numbers := contentOf(sentence)
	if other := languageOf(said); lang != "" && other != "" && other != lang {
		words = nil
	}
	if len(words) < leastWords && len(numbers) == 0 {
		return nil
	}
	known, values := contentOf(said)
	c := &claim{Text: clipLine(sentence, maxClaim), Source: from.String(), Support: 1}
	found := 0
	for _, w := range slices.Sorted(maps.Keys(words)) {
		if known[w] {
			found++
		}
	}
	if len(words) > 0 {
		c.Support = float64(found*100/len(words)) / 100
	}
	for _, n := range fields(sentence) {
		if numbers[n] && !values[n] {
			c.Missing = append(c.Missing, n)
			delete(numbers, n) // each once
		}
	}
	if len(c.Missing) == 0 && (len(words) < leastWords || c.Support >= leastSupport) {
		return nil
	}
	return c
}

// contentOf returns the words of a text that say something, without their endings, and its numbers.
func contentOf(text string) (words, numbers map[string]bool) {
	words, numbers = map[string]bool{}, map[string]bool{}
	for _, w := range fields(text) {
		switch runes := []rune(w); {
		case isNumber(w):
			numbers[w] = true
		case len(runes) > 5:
			words[string(runes[:5])] = true // inflected forms mostly begin alike
		case len(runes) > 3 || len(runes) > 0 && runes[0] > unicode.MaxLatin1:
			words[w] = true
		}
	}
	return words, numbers
}

// fields parts a text into lower-case words and numbers. A point or comma within a number is part of it.
func fields(text string) []string {
	text = strings.ToLower(text)
	parts := strings.FieldsFunc(strings.Map(func(r rune) rune {
		if r == ',' || r == '.' {
			return '.'
		}
		return r
	}, text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.'
	})
	for i, p := range parts {
		parts[i] = strings.Trim(p, ".")
	}
	return parts
}

func isNumber(w string) bool {
	return strings.Trim(w, "0123456789.") == "" && strings.Trim(w, ".") != ""
}

// inQuotes reports whether a place stands between quotation marks: what is there are the words of another.
func inQuotes(text string, at int) bool {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	behind, _, _ := strings.Cut(text[at:], "\n")
	return strings.Count(line, `"`)%2 == 1 && strings.Contains(behind, `"`) ||
		strings.LastIndex(line, "“") > strings.LastIndex(line, "”") && strings.Contains(behind, "”")
}

// sentenceBefore returns the sentence that a citation at this place is about: what stands before it, back
// to the end of the sentence, list item or paragraph before; or the whole line, if it stands first in it.
func sentenceBefore(text string, at int) string {
	begin := 0
	for i := at - 1; i > 0; i-- {
		ends := text[i-1] == '.' || text[i-1] == '!' || text[i-1] == '?'
		if text[i] == '\n' || ends && (text[i] == ' ' || text[i] == '\n') && strings.TrimSpace(text[i:at]) != "" {
			begin = i
			break
		}
	}
	if before := strings.TrimSpace(text[begin:at]); strings.Trim(before, "-*>#0123456789. ") != "" {
		return before
	}
	line, _, _ := strings.Cut(text[at:], "\n")
	return line
}
