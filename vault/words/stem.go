package words

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
)

// Lang is the language of a note, as far as words are stemmed by it.
type Lang byte

// The languages that have a stemmer. A text in any other is Unknown and its words are compared with
// the stems of both.
const (
	Unknown Lang = 0
	English Lang = 'e'
	Dutch   Lang = 'n'
)

func (l Lang) String() string {
	switch l {
	case English:
		return "en"
	case Dutch:
		return "nl"
	}
	return ""
}

// Languages are those that have a stemmer.
var Languages = [...]Lang{English, Dutch}

// Stem returns the stem of a word as this package writes words. Words with digits or letters beyond
// ASCII (accents are gone by then) are their own stems.
func (l Lang) Stem(word string) string {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	env := snowballstem.NewEnv(word)
	switch l {
	case English:
		english.Stem(env)
	case Dutch: // of "fietsen" it makes "fiets", and of that "fiet": twice brings them together
		dutch.Stem(env)
		env.SetCurrent(env.Current())
		dutch.Stem(env)
	}
	return env.Current()
}
