package flow

import (
	"fmt"
	"strings"

	"rein"
)

// words are the texts that people are shown about a run, in one language.
type words map[string]string

// languages is the catalogue. English has every word; another language may lack some. To add one,
// add a file like words_nl.go and a line here.
var languages = map[string]words{"en": english, "nl": dutch}

// say returns a text in the language of the task's user.
func say(task rein.Task, key string, args ...any) string {
	language, _, _ := strings.Cut(strings.ToLower(task.Language), "-")
	form, ok := languages[language][key]
	if !ok {
		form = english[key]
	}
	if len(args) == 0 {
		return form
	}
	return fmt.Sprintf(form, args...)
}
