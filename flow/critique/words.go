package critique

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"reading": "Reading the answer once more",
		"nothing": "There is no answer yet that could be reviewed.",
		"unread":  "The review could not be made.",
		"fine":    "The answer is good as it is.",
		"issues":  "What could be better:",
	},
	"nl": {
		"reading": "Ik lees het antwoord nog eens door",
		"nothing": "Er is nog geen antwoord om te bekijken.",
		"unread":  "Het nakijken is niet gelukt.",
		"fine":    "Het antwoord is goed zo.",
		"issues":  "Wat er beter kan:",
	},
}
