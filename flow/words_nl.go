package flow

var dutch = words{
	"thinking":    "Ik denk na",
	"answering":   "Ik geef antwoord",
	"closing":     "Ik rond af",
	"no answer":   "De grens was bereikt voordat er een antwoord was.",
	"instead":     "Doe dit in plaats van wat ik eerder vroeg: %s",
	"remembering": "Ik kijk wat er eerder gezegd is",

	"explore clarify":   "Ik ga na wat er bedoeld wordt",
	"explore question":  "Ik ga na of er iets ontbreekt",
	"explore asking":    "Een vraag voor u",
	"explore split":     "Ik zoek delen die naast elkaar onderzocht kunnen worden",
	"explore summary":   "Ik breng samen wat er gevonden is",
	"explore unclear":   "Ik ben niet begonnen, omdat mij niet duidelijk is wat er bedoeld wordt. Mijn vraag was: %s",
	"explore missing":   "Ik ben niet begonnen, omdat er iets ontbreekt waar ik niet buiten kan. Mijn vraag was: %s",
	"explore uncertain": "Dit is niet zeker. Wat uitsluitsel zou geven: %s",

	"strict reason":  "Stap %d: ik bedenk wat te doen",
	"strict act":     "Stap %d: ik voer het uit",
	"strict observe": "Stap %d: ik bekijk wat het opleverde",
	"strict ask":     "Een vraag voor u",
	"strict nothing": "Het werk is klaar; er is verder niets te zeggen.",

	"answer plan":              "Plan: de bronnen doorzoeken, lezen wat past, antwoorden met verwijzingen",
	"answer weigh":             "Ik bekijk wat er gevonden is",
	"answer search":            "Zoeken… K=%v",
	"answer read":              "Ik lees %s",
	"answer use":               "Ik gebruik %s",
	"answer use with":          "Ik gebruik %s: %s",
	"answer timeout":           "%s duurde te lang: een kleinere vraag, map of sectie kan helpen",
	"answer undecided":         "Het model viel uit tijdens het zoeken; het antwoord berust op wat er toen gevonden was: %v",
	"answer unsupported":       "(%s: niet gevonden in de bronnen)",
	"answer unwritten":         "Het antwoord kon niet geschreven worden. Stel de vraag nog eens.",
	"answer unwritten sources": "Het antwoord kon niet geschreven worden. Deze bronnen zijn ervoor gevonden:",
}
