package task

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"observing":       "Seeing what is needed",
		"correcting":      "Trying again",
		"yes":             "yes, yes please, yep, yeah, sure, ok, okay, fine, do it, go ahead, please do, y",
		"nothing":         "Nothing came of it. Could you say it in another way?",
		"unsaid":          "I cannot put the result into words just now.",
		"declined":        "All right, I leave it.",
		"failed turns":    "I did not manage this in the steps that I have. Could you say more exactly what you want?",
		"failed attempts": "It did not work: what I tried failed.",
		"failed loop":     "I did not do anything: I could not find out how.",
		"failed unknown":  "I do not know whether it happened. Please check before I try again.",
		"failed unasked":  "I had no answer to my question, so I left it.",
	},
	"nl": {
		"observing":       "Ik kijk wat er nodig is",
		"correcting":      "Ik probeer het opnieuw",
		"yes":             "ja, ja graag, ja hoor, jawel, jep, j, graag, oke, oké, ok, prima, goed, is goed, akkoord, doe maar, ja doe maar, zeker",
		"nothing":         "Hier is niets van gekomen. Kun je het anders zeggen?",
		"unsaid":          "Ik kan het resultaat nu niet onder woorden brengen.",
		"declined":        "Goed, dan laat ik het zo.",
		"failed turns":    "Het is me niet gelukt in de stappen die ik heb. Kun je preciezer zeggen wat je wilt?",
		"failed attempts": "Het is niet gelukt: wat ik probeerde ging mis.",
		"failed loop":     "Ik heb niets gedaan: ik kon niet vinden hoe.",
		"failed unknown":  "Ik weet niet of het gelukt is. Kijk het alsjeblieft na voordat ik het nog eens probeer.",
		"failed unasked":  "Ik kreeg geen antwoord op mijn vraag, dus ik heb het laten liggen.",
	},
}
