package pick

import (
	"slices"
	"strings"
	"unicode"
)

// How good a match is. What somebody means usually begins a word, stands together, or is all of the text.
const (
	perLetter   = 16
	together    = 8  // right behind the letter before it
	firstOfAll  = 14 // the letter begins the text,
	firstOfPath = 12 // an element of a path,
	firstOfWord = 10 // a word,
	hump        = 8  // or a word inside a name such as FindFile
	gap         = 4  // letters were left out before it: the first,
	gapMore     = 1  // and each further one
	unbroken    = 4  // all letters stand together,
	prefix      = 12 // at the beginning of the text,
	whole       = 24 // and are all of it
	never       = -1 << 20
)

// What is looked at: nobody types more, or reads more.
const (
	mostWords   = 8
	mostLetters = 48
	mostText    = 400
)

// A query is what somebody types: words, each of which has to be found, in any order.
type query []word

// A word is found where its letters are, in their order, with any others between them. Accents do not count, and case
// only in a word with a capital letter.
type word struct {
	letters []rune
	cased   bool // it has a capital letter, so case counts
}

func read(typed string) (q query) {
	for _, field := range strings.Fields(typed) {
		if len(q) == mostWords {
			break
		}
		w := word{cased: strings.IndexFunc(field, unicode.IsUpper) >= 0}
		for _, r := range field {
			if r = plain(r); !w.cased {
				r = lower(r)
			}
			if !isMark(r) && len(w.letters) < mostLetters {
				w.letters = append(w.letters, r)
			}
		}
		if len(w.letters) > 0 {
			q = append(q, w)
		}
	}
	return q
}

// sorted puts places in order, each once.
func sorted(at []int) []int {
	slices.Sort(at)
	return slices.Compact(at)
}
