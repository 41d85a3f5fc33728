package food

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A Word is one word of a text in its plainest spelling: small letters without accents.
type Word struct {
	Text string
	Odd  bool // it has letters or signs that nobody can be sure of
}

// looks are letters of other scripts that look like Latin ones, and Latin ones that are not made of a letter and an accent.
var looks = strings.NewReplacer(
	"а", "a", "в", "b", "е", "e", "ѕ", "s", "і", "i", "ї", "i", "ј", "j", "к", "k", "м", "m", "н", "h", "о", "o", "р", "p", "с", "c", "т", "t", "у", "y", "х", "x", "ԁ", "d", "ɡ", "g", "һ", "h", "ո", "n", "ս", "u", "ѵ", "v", "ѡ", "w",
	"α", "a", "β", "b", "ε", "e", "ι", "i", "κ", "k", "ν", "v", "ο", "o", "ρ", "p", "τ", "t", "υ", "u", "χ", "x", "η", "n", "ϲ", "c",
	"ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ł", "l", "ı", "i", "ð", "d", "þ", "th",
)

// Words splits a text into words. What cannot be seen is left out, what looks like a letter is that letter; numbers and the
// usual punctuation stand between words. Anything else, such as a picture, makes an odd word.
func Words(text string) (words []Word) {
	text = looks.Replace(strings.ToLower(norm.NFKD.String(strings.ToValidUTF8(text, "\uFFFD"))))
	var word strings.Builder
	odd := false
	end := func() {
		if word.Len() > 0 {
			words = append(words, Word{word.String(), odd})
		}
		word.Reset()
		odd = false
	}
	for _, c := range text {
		switch {
		case unicode.In(c, unicode.Mn, unicode.Cf), strings.ContainsRune("'’‘`´ʼ", c):
		case c >= 'a' && c <= 'z':
			word.WriteRune(c)
		case unicode.IsSpace(c), unicode.IsDigit(c), strings.ContainsRune(`.,;:-‐‑–—()/&+%"“”⁄×*!?`, c):
			end()
		default:
			word.WriteRune(c)
			odd = true
		}
	}
	end()
	return words
}

// endings are how words change: for each ending what may stand in its place.
var endings = []struct{ from, to string }{
	{"", ""}, {"s", ""}, {"es", ""}, {"ies", "y"}, {"en", ""}, {"n", ""}, {"e", ""}, {"je", ""}, {"jes", ""}, {"tje", ""}, {"tjes", ""}, {"pje", ""}, {"pjes", ""},
}

// word finds the foods that one word stands for: as it is, changed, or put together of several.
func (t *Table) word(text string) []*food {
	if found := t.changed(text); len(found) > 0 {
		return found
	}
	return t.compound(text, 3)
}

func (t *Table) changed(text string) []*food {
	for _, e := range endings {
		stem, ok := strings.CutSuffix(text, e.from)
		if !ok || len(stem) < 2 {
			continue
		}
		if found := t.words[stem+e.to]; len(found) > 0 {
			return found
		}
	}
	return nil
}

// leastPart is how short a part of a compound can be. Shorter ones would be found by accident.
const leastPart = 3

// compound finds the foods of a word that is made of others, as Dutch does: notenbrood. All ways to split it count, and every
// part of it must be known.
func (t *Table) compound(text string, parts int) (found []*food) {
	for i := leastPart; i <= len(text)-leastPart; i++ {
		first := t.words[text[:i]]
		if len(first) == 0 && !t.plain[text[:i]] {
			continue
		}
		for _, link := range []string{"", "s", "n", "en", "e"} {
			rest, ok := strings.CutPrefix(text[i:], link)
			if !ok || len(rest) < leastPart {
				continue
			}
			last := t.changed(rest)
			if len(last) == 0 && parts > 2 {
				last = t.compound(rest, parts-1)
			}
			if len(last) > 0 {
				found = append(append(found, first...), last...)
			}
		}
	}
	return found
}
