package offline

import (
	"slices"
	"strings"
	"unicode"
)

// A vocabulary is what the rules know of a language.
type vocabulary struct {
	words   map[wordKind]map[string]bool
	phrases map[phraseKind][]string
}

// wordKind sorts words by what the rules do with them.
type wordKind string

const (
	stopWord   wordKind = "stop" // carries no content
	askWord    wordKind = "ask"  // begins a question
	runWord    wordKind = "run"  // wants a backticked command run
	readWord   wordKind = "read"
	listWord   wordKind = "list"
	searchWord wordKind = "search"
	filesWord  wordKind = "files" // what a directory holds
	folderWord wordKind = "folder"
	aboutWord  wordKind = "about" // the thing that a README describes
)

// phraseKind sorts phrases, which are matched at word boundaries.
type phraseKind string

const (
	timePhrase     phraseKind = "time"
	identityPhrase phraseKind = "identity"
	listingPhrase  phraseKind = "listing"
	missingPhrase  phraseKind = "missing" // asks for a file without naming one
)

func set(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(text) {
		all[w] = true
	}
	return all
}

// is reports whether the word is of the kind in any language: people mix them.
func is(word string, kind wordKind) bool {
	return wordsEN.words[kind][word] || wordsNL.words[kind][word]
}

// some reports whether one of the words is of the kind.
func some(words []string, kind wordKind) bool {
	return slices.ContainsFunc(words, func(w string) bool { return is(w, kind) })
}

// hasPhrase reports whether the words contain a phrase of the kind in a row.
func hasPhrase(words []string, kind phraseKind) bool {
	text := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(slices.Concat(wordsEN.phrases[kind], wordsNL.phrases[kind]), func(p string) bool {
		return strings.Contains(text, " "+strings.Join(tokenise(p), " ")+" ")
	})
}

// tokenise returns the words of a text in lower case, letters and digits only.
func tokenise(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.Is(unicode.Mn, c)
	})
}

// suffixes are cut off words, longest first, so that "files" finds "file" and "notities" "notitie".
var suffixes = []string{"ations", "ation", "ingen", "ing", "ies", "ied", "ie", "ed", "es", "en", "s", "e", "y"}

// stem cuts one suffix off a word and keeps at least three letters. It is crude, and the same for
// question and text.
func stem(word string) string {
	for _, s := range suffixes {
		if len(word) >= len(s)+3 && strings.HasSuffix(word, s) {
			return strings.TrimSuffix(word, s)
		}
	}
	return word
}

// contentWords returns the words of a text that carry content, each once, in order.
func contentWords(text string) []string {
	var all []string
	seen := map[string]bool{}
	for _, w := range tokenise(text) {
		if len(w) < 2 || is(w, stopWord) || seen[w] {
			continue
		}
		seen[w] = true
		all = append(all, w)
	}
	return all
}

// verb reports whether a word says what to do and not what about.
func verb(word string) bool { return is(word, readWord) || is(word, searchWord) || is(word, listWord) }

// topic returns the content words without the verbs.
func topic(text string) []string { return slices.DeleteFunc(contentWords(text), verb) }

func stems(words []string) map[string]bool {
	all := map[string]bool{}
	for _, w := range words {
		all[stem(w)] = true
	}
	return all
}

// languageOf guesses the language of a text by its small words; English wins a tie.
func languageOf(text string) language {
	lead := 0
	for _, w := range tokenise(text) {
		lead += votes(wordsNL, w) - votes(wordsEN, w)
	}
	if lead > 0 {
		return dutch
	}
	return english
}

func votes(v vocabulary, word string) int {
	for _, kind := range []wordKind{stopWord, readWord, searchWord, listWord, filesWord} {
		if v.words[kind][word] {
			return 1
		}
	}
	return 0
}
