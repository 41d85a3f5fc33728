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
}
