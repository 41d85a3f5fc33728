package flow

var dutch = words{
	"thinking":    "Ik denk na",
	"answering":   "Ik geef antwoord",
	"closing":     "Ik rond af",
	"no answer":   "De grens was bereikt voordat er een antwoord was.",
	"instead":     "Doe dit in plaats van wat ik eerder vroeg: %s",
	"remembering": "Ik kijk wat er eerder gezegd is",
}
