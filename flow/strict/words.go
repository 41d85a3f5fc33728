package strict

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"reason":  "Step %d: thinking about what to do",
		"act":     "Step %d: acting",
		"observe": "Step %d: looking at what came of it",
		"ask":     "A question for you",
		"nothing": "The work is done; there is nothing more to say.",
	},
	"nl": {
		"reason":  "Stap %d: ik bedenk wat te doen",
		"act":     "Stap %d: ik voer het uit",
		"observe": "Stap %d: ik bekijk wat het opleverde",
		"ask":     "Een vraag voor u",
		"nothing": "Het werk is klaar; er is verder niets te zeggen.",
	},
}
