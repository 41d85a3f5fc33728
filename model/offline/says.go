package offline

import (
	_ "embed"
	"strings"
)

// language is that of the fixed sentences; quoted text stays as it is.
type language string

const (
	english language = "en"
	dutch   language = "nl"
)

//go:embed says_en.md
var saysEN string

//go:embed says_nl.md
var saysNL string

// says holds every sentence that the model can utter of its own accord, by language and key.
var says = map[language]map[string]string{english: parseSays(saysEN), dutch: parseSays(saysNL)}

// parseSays reads "key: sentence" lines; other lines are for people.
func parseSays(text string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(text) {
		key, sentence, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ": ")
		if ok && !strings.Contains(key, " ") {
			all[key] = sentence
		}
	}
	return all
}

// say returns the fixed sentence of the key, each {} replaced by the next value. Values are never
// searched for {}, so outside text cannot shift what comes after it.
func say(lang language, key string, values ...string) string {
	var b strings.Builder
	rest := says[lang][key]
	for _, v := range values {
		before, after, ok := strings.Cut(rest, "{}")
		if !ok {
			break
		}
		b.WriteString(before + v)
		rest = after
	}
	return b.String() + rest
}
