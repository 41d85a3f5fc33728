package assist

import "strings"

// workingWords are shown before there is anything else to show.
var workingWords = map[string]string{"nl": "Ik ga ermee aan de slag", "en": "Working on it"}

// pausedWords are shown while a person has paused the run.
var pausedWords = map[string]string{"nl": "Gepauzeerd", "en": "Paused"}

// unseenWords come before what a client answered that it had not been shown.
var unseenWords = map[string]string{
	"nl": "Dit had je nog niet gezien, dus er is niets mee gebeurd. Wat zeg je hierop?",
	"en": "You had not been shown this, so nothing was done with it. What do you say to it?",
}

// base is a language without its region. The household speaks Dutch to someone who chose none.
func base(language string) string {
	language, _, _ = strings.Cut(strings.ToLower(language), "-")
	if language == "" {
		return "nl"
	}
	return language
}

// in returns the words of a language; English, if there are none.
func in(language string, words map[string]string) string {
	if found, ok := words[base(language)]; ok {
		return found
	}
	return words["en"]
}
