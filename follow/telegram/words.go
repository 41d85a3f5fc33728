package telegram

import (
	"rein"
	"rein/internal/speech"
)

// What the bot itself says.
var words = speech.Words{
	"en": {
		"stranger":  "Hello. I only talk with people I know.",
		"paired":    "Hello %s. From now on this chat is yours in rein: write to me here, and I bring you your messages. /help says what works.",
		"group":     "Hello. This group now belongs to %s in rein. I answer only %[1]s here, and only messages to me. /help says what works.",
		"help":      "Write to me as you talk: I answer, plan and remember. You can send photos too. When I need your yes, I show a question with buttons; \"yes\" or \"no\" also counts if that question is the last thing here.\n\n/stop stops what I am doing\n/help shows this",
		"stopped":   "I stop.",
		"idle":      "There is nothing to stop: I am not working on anything.",
		"media":     "I can read text and photos here, nothing else yet. Write it to me, or send a photo.",
		"too large": "That photo is too large for me. Send it as a photo instead of a file, or a smaller one.",
		"not photo": "I cannot read that photo. Send it as JPEG or PNG.",
		"photo":     "I am sending you a photo.",
		"viewer":    "You can read along in rein, but not give me work. Ask whoever manages your household.",
		"which":     "Which one do you mean? Use its buttons.",
		"closed":    "This question was answered or withdrawn before. Nothing has changed.",
		"failed":    "I could not do anything with that: %s",
		"broken":    "Something is wrong here, so I could not do anything with that. Please try again later.",
		"unread":    "I stopped before I read your last message. Send it again if it still matters.",
		"blocked":   "I cannot continue with this now. Look at it in rein.",
		"erased":    "What I was doing has been erased.",

		"yes": "Yes", "no": "No",
		rein.ItHappened: "It happened", rein.RunAgain: "Do it again", rein.SkipIt: "Skip it",
		"long": "This is too long to show here. Look at it and answer it in rein.",

		"end " + string(rein.EndStopped): "Stopped.", "end " + string(rein.EndCancelled): "Stopped.", "end " + string(rein.EndDeleted): "Stopped.",
		"end " + string(rein.EndFailed): "That did not work.", "end": "Done.",

		string(rein.AskApproved): "✔ Yes, said %s.", string(rein.AskEdited): "✔ Yes, with changes, said %s.", string(rein.AskRejected): "✘ No, said %s.",
		string(rein.AskAnswered): "✔ %s answered: %s", string(rein.AskDeclined): "✘ %s did not want to answer.",
		string(rein.AskExpired): "✘ Nobody answered in time.", string(rein.AskWithdrawn): "✘ No longer needed.",

		"press forged":  "I do not know this button.",
		"press other":   "Only the person I asked can answer this.",
		"press old":     "This button is too old. Ask me to show the question again.",
		"press changed": "The question has changed since. Please look at it again.",
	},
	"nl": {
		"stranger":  "Hallo. Ik praat alleen met mensen die ik ken.",
		"paired":    "Hallo %s. Vanaf nu is deze chat van jou in rein: schrijf me hier, en ik breng je je berichten. /help zegt wat werkt.",
		"group":     "Hallo. Deze groep hoort nu bij %s in rein. Ik antwoord hier alleen %[1]s, en alleen op berichten aan mij. /help zegt wat werkt.",
		"help":      "Schrijf me zoals je praat: ik antwoord, plan en onthoud. Je kunt ook foto's sturen. Als ik je ja nodig heb, stel ik een vraag met knoppen; \"ja\" of \"nee\" telt ook als die vraag hier het laatste is.\n\n/stop stopt wat ik aan het doen ben\n/help laat dit zien",
		"stopped":   "Ik stop.",
		"idle":      "Er is niets te stoppen: ik ben nergens mee bezig.",
		"media":     "Ik kan hier tekst en foto's lezen, verder nog niets. Schrijf het me, of stuur een foto.",
		"too large": "Die foto is te groot voor mij. Stuur haar als foto in plaats van als bestand, of stuur een kleinere.",
		"not photo": "Ik kan die foto niet lezen. Stuur haar als JPEG of PNG.",
		"photo":     "Ik stuur je een foto.",
		"viewer":    "Je kunt meelezen in rein, maar me geen werk geven. Vraag het aan wie je huishouden beheert.",
		"which":     "Welke bedoel je? Gebruik de knoppen.",
		"closed":    "Deze vraag is al beantwoord of ingetrokken. Er is niets veranderd.",
		"failed":    "Daar kon ik niets mee: %s",
		"broken":    "Er is hier iets mis, dus ik kon er niets mee. Probeer het later nog eens.",
		"unread":    "Ik stopte voordat ik je laatste bericht had gelezen. Stuur het nog eens als het nog telt.",
		"blocked":   "Ik kan hier nu niet mee verder. Kijk ernaar in rein.",
		"erased":    "Waar ik mee bezig was, is gewist.",

		"yes": "Ja", "no": "Nee",
		rein.ItHappened: "Het is gebeurd", rein.RunAgain: "Doe het opnieuw", rein.SkipIt: "Sla het over",
		"long": "Dit is te lang om hier te laten zien. Bekijk en beantwoord het in rein.",

		"end " + string(rein.EndStopped): "Gestopt.", "end " + string(rein.EndCancelled): "Gestopt.", "end " + string(rein.EndDeleted): "Gestopt.",
		"end " + string(rein.EndFailed): "Dat is niet gelukt.", "end": "Klaar.",

		string(rein.AskApproved): "✔ Ja, zei %s.", string(rein.AskEdited): "✔ Ja, met wijzigingen, zei %s.", string(rein.AskRejected): "✘ Nee, zei %s.",
		string(rein.AskAnswered): "✔ %s antwoordde: %s", string(rein.AskDeclined): "✘ %s wilde niet antwoorden.",
		string(rein.AskExpired): "✘ Niemand heeft op tijd geantwoord.", string(rein.AskWithdrawn): "✘ Niet meer nodig.",

		"press forged":  "Deze knop ken ik niet.",
		"press other":   "Alleen degene aan wie ik het vroeg kan dit beantwoorden.",
		"press old":     "Deze knop is te oud. Vraag me om de vraag opnieuw te laten zien.",
		"press changed": "De vraag is sindsdien veranderd. Kijk er alsjeblieft opnieuw naar.",
	},
}
