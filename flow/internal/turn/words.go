package turn

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"remembering":      "Looking at what is known",
		"asking":           "A question for you",
		"sorry":            "Sorry, I have no answer to that. Could you say it in another way?",
		"tool":             "Using %s",
		"did":              "What was asked for was done (%s).",
		"was ok":           "done",
		"was failed":       "it failed",
		"was timeout":      "it took too long",
		"was unknown":      "nobody knows whether it happened",
		"was skipped":      "it was left out",
		"was declined":     "you did not want it",
		"was not decided":  "nobody said whether I may",
		"was refused":      "it is not allowed here",
		"was not accepted": "it was not accepted",
		"blocked":          "I do not show the answer: it seems to hold something secret (%s).",
	},
	"nl": {
		"remembering":      "Ik kijk wat er bekend is",
		"asking":           "Een vraag voor je",
		"sorry":            "Sorry, daar heb ik geen antwoord op. Kun je het anders zeggen?",
		"tool":             "Ik gebruik %s",
		"did":              "Wat gevraagd was, is gedaan (%s).",
		"was ok":           "gedaan",
		"was failed":       "het ging mis",
		"was timeout":      "het duurde te lang",
		"was unknown":      "niemand weet of het gebeurd is",
		"was skipped":      "het is overgeslagen",
		"was declined":     "je wilde het niet",
		"was not decided":  "niemand zei of het mocht",
		"was refused":      "dat mag hier niet",
		"was not accepted": "het werd niet aangenomen",
		"blocked":          "Ik laat het antwoord niet zien: er lijkt iets geheims in te staan (%s).",
	},
}
