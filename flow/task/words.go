package task

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"observing":  "Seeing what is needed",
		"correcting": "Trying again",
		"yes":        "yes, yes please, yep, yeah, sure, ok, okay, fine, do it, go ahead, please do, y",
		"nothing":    "I could not make out what is to be done. Say what you want, and for when or for whom.",
		"no tools":   "I cannot do this: I have no tools for it here. Ask an admin of this rein to allow them.",
		"unsaid":     "I cannot put the result into words just now.",
		"declined":   "All right, I leave it.",
		"tried":      "What I tried:",

		"failed turns":    "I did not manage this in the %s turns that I have for it.",
		"failed attempts": "It did not work.",
		"failed loop":     "I did nothing: I said that I would, and found no way to do it.",
		"failed unknown":  "I do not know whether it happened.",
		"failed unasked":  "I asked: %s\nThere was no answer in time, so I left it.",

		"next turns":    "Ask for one thing at a time, or say more exactly what you want.",
		"next attempts": "Say what should be different, or try again later.",
		"next loop":     "Say in other words what is to be done, and for when or for whom.",
		"next unknown":  "Look whether it is there before you ask me again.",
		"next unasked":  "Ask again when it suits you, with the answer in it.",
	},
	"nl": {
		"observing":  "Ik kijk wat er nodig is",
		"correcting": "Ik probeer het opnieuw",
		"yes":        "ja, ja graag, ja hoor, jawel, jep, j, graag, oke, oké, ok, prima, goed, is goed, akkoord, doe maar, ja doe maar, zeker",
		"nothing":    "Ik kon er niet uit opmaken wat er moet gebeuren. Zeg wat je wilt, en voor wanneer of voor wie.",
		"no tools":   "Dit kan ik niet: ik heb er hier geen hulpmiddelen voor. Vraag een beheerder van rein om ze toe te staan.",
		"unsaid":     "Ik kan het resultaat nu niet onder woorden brengen.",
		"declined":   "Goed, dan laat ik het zo.",
		"tried":      "Wat ik geprobeerd heb:",

		"failed turns":    "Het is me niet gelukt in de %s beurten die ik ervoor heb.",
		"failed attempts": "Het is niet gelukt.",
		"failed loop":     "Ik heb niets gedaan: ik zei dat ik het zou doen, maar vond er geen manier voor.",
		"failed unknown":  "Ik weet niet of het gebeurd is.",
		"failed unasked":  "Ik vroeg: %s\nEr kwam niet op tijd een antwoord, dus ik heb het laten liggen.",

		"next turns":    "Vraag één ding tegelijk, of zeg preciezer wat je wilt.",
		"next attempts": "Zeg wat er anders moet, of probeer het later nog eens.",
		"next loop":     "Zeg in andere woorden wat er moet gebeuren, en voor wanneer of voor wie.",
		"next unknown":  "Kijk eerst of het er staat voordat je het me nog eens vraagt.",
		"next unasked":  "Vraag het opnieuw wanneer het je uitkomt, met het antwoord erbij.",
	},
}
