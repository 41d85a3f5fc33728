package explore

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"clarify":   "Making sure what is meant",
		"question":  "Checking whether something is missing",
		"asking":    "A question for you",
		"split":     "Looking for parts that can be explored side by side",
		"doubt":     "Checking whether the answer depends on something only you know",
		"summary":   "Putting together what was found",
		"unclear":   "I did not begin, because it is not clear to me what is meant. I had asked: %s",
		"missing":   "I did not begin, because something is missing that I cannot do without. I had asked: %s",
		"uncertain": "This is not certain. What would settle it: %s",
		"deleted":   "It was deleted.",
		"stopped":   "It was stopped before it was done.",
		"cancelled": "It was cancelled before it was done.",
	},
	"nl": {
		"clarify":   "Ik ga na wat er bedoeld wordt",
		"question":  "Ik ga na of er iets ontbreekt",
		"asking":    "Een vraag voor u",
		"split":     "Ik zoek delen die naast elkaar onderzocht kunnen worden",
		"doubt":     "Ik ga na of het antwoord afhangt van iets dat alleen u weet",
		"summary":   "Ik breng samen wat er gevonden is",
		"unclear":   "Ik ben niet begonnen, omdat mij niet duidelijk is wat er bedoeld wordt. Mijn vraag was: %s",
		"missing":   "Ik ben niet begonnen, omdat er iets ontbreekt waar ik niet buiten kan. Mijn vraag was: %s",
		"uncertain": "Dit is niet zeker. Wat uitsluitsel zou geven: %s",
		"deleted":   "Het is verwijderd.",
		"stopped":   "Het is gestopt voordat het klaar was.",
		"cancelled": "Het is afgebroken voordat het klaar was.",
	},
}
