package task

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

// Those that begin with earlier are for runs of a revision in which failures did not say what was tried.
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

		"earlier nothing":  "Nothing came of it. Could you say it in another way?",
		"earlier turns":    "I did not manage this in the steps that I have. Could you say more exactly what you want?",
		"earlier attempts": "It did not work: what I tried failed.",
		"earlier loop":     "I did not do anything: I could not find out how.",
		"earlier unknown":  "I do not know whether it happened. Please check before I try again.",
		"earlier unasked":  "I had no answer to my question, so I left it.",
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

		"earlier nothing":  "Hier is niets van gekomen. Kun je het anders zeggen?",
		"earlier turns":    "Het is me niet gelukt in de stappen die ik heb. Kun je preciezer zeggen wat je wilt?",
		"earlier attempts": "Het is niet gelukt: wat ik probeerde ging mis.",
		"earlier loop":     "Ik heb niets gedaan: ik kon niet vinden hoe.",
		"earlier unknown":  "Ik weet niet of het gelukt is. Kijk het alsjeblieft na voordat ik het nog eens probeer.",
		"earlier unasked":  "Ik kreeg geen antwoord op mijn vraag, dus ik heb het laten liggen.",
	},
}
