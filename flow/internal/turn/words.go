package turn

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"asking":  "A question for you",
		"sorry":   "Sorry, I have no answer to that. Could you say it in another way?",
		"tool":    "Using %s",
		"did":     "What was asked for was done (%s).",
		"blocked": "I do not show the answer: it seems to hold something secret (%s).",
	},
	"nl": {
		"asking":  "Een vraag voor je",
		"sorry":   "Sorry, daar heb ik geen antwoord op. Kun je het anders zeggen?",
		"tool":    "Ik gebruik %s",
		"did":     "Wat gevraagd was, is gedaan (%s).",
		"blocked": "Ik laat het antwoord niet zien: er lijkt iets geheims in te staan (%s).",
	},
}
