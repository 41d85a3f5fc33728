// Package words splits text of any script into the words that an index keeps, reduces English and
// Dutch words to their stems, and guesses which of the two languages a text is in.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord bounds a word in bytes; what is longer is data, and its beginning is enough to find it.
const maxWord = 64

// A Word is a word of a text, in the form in which it is compared.
type Word struct {
	Text  string
	Start int // bytes, in the text it comes from
	End   int
	// Part is set on a single character of a script without blanks between words. A query looks for
	// its pairs of characters and needs the single ones only if it has no pair.
	Part bool
}

// Each calls yield for every word of the text, in order.
func Each(text string, yield func(Word)) {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case isDense(r):
			at = dense(text, at, yield)
		case isWord(r):
			at = plain(text, at, yield)
		case isSymbol(r):
			yield(Word{Text: text[at : at+size], Start: at, End: at + size})
			at += size
		default:
			at += size
		}
	}
}

// Of returns the words of a query: pairs where a script has no blanks between words, each once.
func Of(query string) []string {
	var all []string
	seen := map[string]bool{}
	paired := map[string]bool{}
	var parts []string
	Each(query, func(w Word) {
		if w.Part {
			parts = append(parts, w.Text)
			return
		}
		if isDenseText(w.Text) {
			for _, r := range w.Text {
				paired[string(r)] = true
			}
		}
		if !seen[w.Text] {
			seen[w.Text] = true
			all = append(all, w.Text)
		}
	})
	for _, p := range parts {
		if !paired[p] && !seen[p] {
			seen[p] = true
			all = append(all, p)
		}
	}
	return all
}

// Key brings a title, an alias or a tag into the form in which names are compared.
func Key(name string) string {
	var b strings.Builder
	Each(name, func(w Word) {
		if w.Part {
			return
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	})
	if b.Len() == 0 {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return b.String()
}

// plain yields the word that begins at a byte and returns where it ends. An apostrophe belongs to a
// word if letters stand on both sides.
func plain(text string, at int, yield func(Word)) int {
	end, ascii := at, true
	for end < len(text) {
		c := text[end]
		if c < utf8.RuneSelf {
			if isASCIIWord(c) || c == '\'' && end > at && apostropheInside(text, end, 1) {
				end++
				continue
			}
			break
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if r == '’' && end > at && apostropheInside(text, end, size) {
			end, ascii = end+size, false
			continue
		}
		if !isWord(r) || isDense(r) {
			break
		}
		end, ascii = end+size, false
	}
	yield(Word{Text: clip(fold(text[at:end], ascii)), Start: at, End: end})
	return end
}

func apostropheInside(text string, at, size int) bool {
	r, _ := utf8.DecodeRuneInString(text[at+size:])
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	return unicode.IsLetter(r) && !isDense(r) && unicode.IsLetter(before)
}

// dense yields every character and every pair of them in a run without blanks.
func dense(text string, at int, yield func(Word)) int {
	from, before := at, -1
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isDense(r) && (at == from || !unicode.Is(unicode.M, r)) {
			break
		}
		if before >= 0 {
			yield(Word{Text: fold(text[before:at+size], false), Start: before, End: at + size})
		}
		yield(Word{Text: fold(text[at:at+size], false), Start: at, End: at + size, Part: true})
		before, at = at, at+size
	}
	return at
}

// fold makes a word comparable: lower case, one form for each character, Latin letters without their
// accents, and no apostrophe or possessive.
func fold(word string, ascii bool) string {
	if !ascii {
		word = stripAccents(norm.NFKD.String(word))
	}
	word = strings.ToLower(word)
	if i := max(strings.LastIndexByte(word, '\''), strings.LastIndex(word, "’")); i > 0 {
		if rest := word[i:]; rest == "'s" || rest == "’s" {
			word = word[:i]
		}
		word = strings.NewReplacer("'", "", "’", "").Replace(word)
	}
	return word
}

// stripAccents drops the marks that follow Latin letters and composes the rest again: in other
// scripts a mark can make another word.
func stripAccents(word string) string {
	var b strings.Builder
	latin := false
	for _, r := range word {
		if unicode.Is(unicode.Mn, r) && latin {
			continue
		}
		latin = unicode.Is(unicode.Latin, r)
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

func clip(word string) string {
	if len(word) <= maxWord {
		return word
	}
	end := maxWord
	for end > 0 && !utf8.RuneStart(word[end]) {
		end--
	}
	return word[:end]
}

func isASCIIWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r))
}

// isSymbol is for pictures such as emoji: each is a word of its own.
func isSymbol(r rune) bool { return r >= 0x2190 && r != utf8.RuneError && unicode.Is(unicode.So, r) }

// isDense reports scripts that write words without blanks between them, or glue endings to them.
func isDense(r rune) bool {
	if r < 0x0e00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func isDenseText(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return isDense(r)
}
