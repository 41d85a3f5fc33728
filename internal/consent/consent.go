// Package consent reads a plain yes or no. Its words are a closed list per language: text that is not on
// the list, such as "ok?" or "yes, but later", agrees to nothing and refuses nothing.
package consent

import (
	"slices"
	"strings"
)

// A Word is what a text says to a request for approval.
type Word int

const (
	Neither Word = iota // something to talk about: the request stays open
	Yes
	No
)

// The whole answers that count, by language. English counts in every language.
var (
	yes = map[string][]string{
		"en": {"yes", "yes please", "y", "yep", "yeah", "sure", "ok", "okay", "do it", "go ahead", "fine", "approve", "approved"},
		"nl": {"ja", "ja graag", "ja hoor", "ja doe maar", "jawel", "jep", "j", "graag", "oke", "oké", "prima", "goed", "is goed", "akkoord", "doe maar", "zeker"},
	}
	no = map[string][]string{
		"en": {"no", "no thanks", "no thank you", "nope", "n", "do not", "don't", "not now", "cancel", "reject", "rejected", "deny", "denied"},
		"nl": {"nee", "nee dank je", "nee bedankt", "neen", "n", "niet doen", "doe maar niet", "laat maar", "liever niet", "stop"},
	}
)

// Read says whether the text is a plain yes or no in the language (a tag such as "nl-NL") or in English.
// Case, spaces, commas and a full stop or exclamation mark at the end do not matter; everything else
// does, a question mark above all.
func Read(language, text string) Word {
	plain := plain(text)
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	for _, l := range []string{base, "en"} {
		switch {
		case slices.Contains(yes[l], plain):
			return Yes
		case slices.Contains(no[l], plain):
			return No
		}
	}
	return Neither
}

// plain is the text in the one way in which the lists have it.
func plain(text string) string {
	text = strings.TrimRight(strings.TrimSpace(strings.ToLower(text)), ".!")
	text = strings.NewReplacer(",", " ", "’", "'", "e\u0301", "é").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
