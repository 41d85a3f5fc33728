package access

import (
	"strings"

	"rein"
	"rein/internal/speech"
)

// The words of the pages on which people log in, by page.
var (
	loginWords = speech.Words{
		"en": {
			"title": "log in", "why": "This link logs this browser in. It is good once.", "button": "Log in",
			"how": "To log in, open a login link: the server prints one when it starts, and `rein login` makes another. With a pairing code, go to /pair.",
		},
		"nl": {
			"title": "inloggen", "why": "Met deze link logt deze browser in. Hij werkt één keer.", "button": "Inloggen",
			"how": "Open een inloglink om in te loggen: de server toont er een bij de start, en `rein login` maakt een nieuwe. Heb je een koppelcode? Ga dan naar /pair.",
		},
	}
	joinWords = speech.Words{
		"en": {
			"title": "join", "why": "%s invites you to the household “%s” as %s. This browser is then logged in.", "as": "%s invites you, %s, to the household “%s” as %s. This browser is then logged in.", "button": "Join",
			"name": "Choose your name", "letters": "Small letters, digits, dot, dash and underscore. The name stays.",
			"how": "To join a household, open the link that somebody of the household gave you.",
		},
		"nl": {
			"title": "meedoen", "why": "%s nodigt je uit voor het huishouden “%s” als %s. Deze browser is daarna ingelogd.", "as": "%s nodigt je uit, %s, voor het huishouden “%s” als %s. Deze browser is daarna ingelogd.", "button": "Meedoen",
			"name": "Kies je naam", "letters": "Kleine letters, cijfers, punt, streepje en liggend streepje. De naam blijft.",
			"how": "Open de link die je van iemand uit het huishouden kreeg om mee te doen.",
		},
	}
	pairWords = speech.Words{
		"en": {"title": "pair this device", "type": "Type the code that the other device shows. It is good once, for ten minutes.", "code": "pairing code", "button": "Log in"},
		"nl": {"title": "apparaat koppelen", "type": "Typ de code die het andere apparaat toont. Hij werkt één keer, tien minuten lang.", "code": "koppelcode", "button": "Inloggen"},
	}
	roleWords = speech.Words{
		"en": {"member": "a member", "child": "a child", "guest": "a guest", "viewer": "a viewer", "owner": "an owner"},
		"nl": {"member": "volwassene", "child": "kind", "guest": "gast", "viewer": "meekijker", "owner": "eigenaar"},
	}
	problemWords = speech.Words{
		"nl": {
			string(rein.CodeUnauthenticated): "Deze link of code werkt niet, of niet meer. Vraag een nieuwe.",
			string(rein.CodeConflict):        "Die naam is al in gebruik, of was dat. Kies een andere.",
			string(rein.CodeInvalid):         "Dat kan niet. Een naam heeft kleine letters, cijfers, punt, streepje en liggend streepje, en begint met een letter of cijfer.",
			string(rein.CodeRateLimited):     "Er is te vaak geprobeerd. Wacht een paar minuten.",
			string(rein.CodeForbidden):       "Het formulier komt niet van een pagina van deze server. Open de link opnieuw.",
		},
	}
)

// languageOf is the first language of a browser's that the pages have; else English.
func languageOf(accepted string) string {
	for part := range strings.SplitSeq(accepted, ",") {
		tag, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		if language := speech.Base(tag); loginWords[language] != nil {
			return language
		}
	}
	return "en"
}

// problemIn says what is wrong: in English exactly, in other languages what people can do about it.
func problemIn(language string, code rein.Code, detail string) string {
	if said, ok := problemWords[language][string(code)]; ok {
		return said
	}
	return detail
}
