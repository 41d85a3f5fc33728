package answer

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"plan":              "Plan: search the sources, read what fits, answer with citations",
		"weigh":             "Weighing what was found",
		"search":            "Searching… K=%v",
		"read":              "Reading %s",
		"change":            "Changing %s",
		"use":               "Using %s",
		"use with":          "Using %s: %s",
		"timeout":           "%s took too long: a narrower question, folder or section may help",
		"undecided":         "The model failed while it was looking things up, so the answer is from what was found by then: %v",
		"unsupported":       "(%s: not found in the sources)",
		"unwritten":         "The answer could not be written. Please ask again.",
		"unwritten sources": "The answer could not be written. These sources were found for it:",
	},
	"nl": {
		"plan":              "Plan: de bronnen doorzoeken, lezen wat past, antwoorden met verwijzingen",
		"weigh":             "Ik bekijk wat er gevonden is",
		"search":            "Zoeken… K=%v",
		"read":              "Ik lees %s",
		"change":            "Ik wijzig %s",
		"use":               "Ik gebruik %s",
		"use with":          "Ik gebruik %s: %s",
		"timeout":           "%s duurde te lang: een kleinere vraag, map of sectie kan helpen",
		"undecided":         "Het model viel uit tijdens het zoeken; het antwoord berust op wat er toen gevonden was: %v",
		"unsupported":       "(%s: niet gevonden in de bronnen)",
		"unwritten":         "Het antwoord kon niet geschreven worden. Stel de vraag nog eens.",
		"unwritten sources": "Het antwoord kon niet geschreven worden. Deze bronnen zijn ervoor gevonden:",
	},
}
