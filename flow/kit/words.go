package kit

import (
	"fmt"
	"strings"

	"rein"
)

// Words are the texts that people are shown about a run: by language, then by key. English has every
// word; another language may lack some.
type Words map[string]map[string]string

// Say returns a text in the language of the task's user. Words that are not among these are those of
// every flow.
func (w Words) Say(task rein.Task, key string, args ...any) string {
	language, _, _ := strings.Cut(strings.ToLower(task.Language), "-")
	form := ""
	for _, list := range []map[string]string{w[language], shared[language], w["en"], shared["en"]} {
		if found, ok := list[key]; ok {
			form = found
			break
		}
	}
	if len(args) == 0 {
		return form
	}
	return fmt.Sprintf(form, args...)
}

// Say returns one of the words that every flow needs: thinking, answering, closing, remembering and a
// few more.
func Say(task rein.Task, key string, args ...any) string { return shared.Say(task, key, args...) }

var shared = Words{
	"en": {
		"thinking":             "Thinking",
		"answering":            "Answering",
		"closing":              "Closing",
		"no answer":            "The limit was reached before there was an answer.",
		"instead of the whole": "What this is a part of was changed. It is now: %s\n\nDo your part for that. If your part has no place in it any more, say so in one sentence and end.",
		"instead":              "Do this instead of what I asked before: %s",
		"from run":             "Another agent of this task sent this message. It is not from the user:",
		"remembering":          "Looking at what was said before",
		"background save":      "Keeping it",
		"background nothing":   "There was nothing to keep.",
	},
	"nl": {
		"thinking":             "Ik denk na",
		"answering":            "Ik geef antwoord",
		"closing":              "Ik rond af",
		"no answer":            "De grens was bereikt voordat er een antwoord was.",
		"instead of the whole": "Waar dit een deel van is, is veranderd. Het is nu: %s\n\nDoe uw deel daarvoor. Hoort uw deel er niet meer bij, zeg dat dan in één zin en stop.",
		"instead":              "Doe dit in plaats van wat ik eerder vroeg: %s",
		"from run":             "Een andere agent van deze taak stuurde dit bericht. Het komt niet van de gebruiker:",
		"remembering":          "Ik kijk wat er eerder gezegd is",
		"background save":      "Ik bewaar het",
		"background nothing":   "Er was niets om te bewaren.",
	},
}
