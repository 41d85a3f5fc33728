package assist

import (
	"slices"
	"strings"
	"unicode"
)

// What people say for yes and no, as whole answers, by language. English counts in every language.
var (
	yesWords = map[string][]string{
		"nl": {"ja", "ja graag", "ja hoor", "ja doe maar", "jawel", "jep", "j", "graag", "oke", "oké", "prima", "goed", "is goed", "akkoord", "doe maar", "zeker"},
		"en": {"yes", "yes please", "y", "yep", "yeah", "sure", "ok", "okay", "do it", "go ahead", "fine", "approved"},
	}
	noWords = map[string][]string{
		"nl": {"nee", "nee dank je", "nee bedankt", "neen", "n", "niet doen", "doe maar niet", "laat maar", "liever niet", "stop"},
		"en": {"no", "no thanks", "no thank you", "nope", "n", "do not", "don t", "not now", "cancel", "rejected"},
	}
)

// workingWords are shown before there is anything else to show.
var workingWords = map[string]string{"nl": "Ik ga ermee aan de slag", "en": "Working on it"}

// YesNo reads a plain yes or no in Dutch or English. Anything else fits neither: "yes, but later" is
// something to talk about.
func YesNo(language, text string) (yes, fits bool) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) })
	plain := strings.Join(words, " ")
	for _, language := range []string{base(language), "en"} {
		if slices.Contains(yesWords[language], plain) {
			return true, true
		}
		if slices.Contains(noWords[language], plain) {
			return false, true
		}
	}
	return false, false
}

// base is a language without its region. The household speaks Dutch to someone who chose none.
func base(language string) string {
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	if language == "" {
		return "nl"
	}
	return language
}

func working(language string) string {
	if words, ok := workingWords[base(language)]; ok {
		return words
	}
	return workingWords["en"]
}
