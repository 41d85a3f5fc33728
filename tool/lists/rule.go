package lists

import (
	"slices"

	"rein"
	"rein/household/lists"
	"rein/internal/speech"
)

// languages are those in which a rule may have been made.
var languages = []string{"en", "nl"}

// ruled decides about a call on a list. What somebody allowed before, in whatever language, is allowed; otherwise a person is
// asked, and can allow it for good. Nothing that a call here does reaches beyond rein.
func (v voice) ruled(inv rein.Invocation, verdict rein.Verdict, why, key string, l lists.List) rein.Ruling {
	pattern := func(language string) string { return words.Say(language, "rule "+key, l.Name, l.ID) }
	r := rein.Ruling{Verdict: verdict, Contained: true, Why: words.Say(v.language, "why "+why), Session: []string{pattern(v.language)}, Always: []string{pattern(v.language)}}
	if verdict != rein.MustAsk {
		return r
	}
	for _, language := range languages {
		for _, granted := range [][]string{inv.Granted.Session, inv.Granted.Always} {
			if slices.Contains(granted, pattern(language)) {
				r.Verdict, r.Why = rein.Allowed, words.Say(v.language, "why allowed", pattern(v.language))
			}
		}
	}
	return r
}

var words = speech.Words{
	"en": {
		"groceries": "Groceries", "no lists": "There are no lists yet.", "left": "%d of %d left",
		"add?":   "Shall I add %s to the list \"%s\"?",
		"check?": "Shall I mark %s on the list \"%s\" as done?", "uncheck?": "Shall I mark %s on the list \"%s\" as not done?",
		"remove?": "Shall I remove %s from the list \"%s\"?", "create?": "Shall I create the list \"%s\" for the household?", "create private?": "Shall I create the list \"%s\", for you alone?",
		"more": "%s and %d more", "of others": "Somebody else added: %s",
		"added": "On the list \"%s\" now: %s.", "checked": "Done on the list \"%s\": %s.", "unchecked": "Not done any more on the list \"%s\": %s.",
		"removed": "Removed from the list \"%s\": %s.", "created": "The list \"%s\" is there.",
		"avoided": "Left out, because somebody must not eat it: %s.", "unclear": "Left out, because it is not known what is in it: %s.",
		"rule add": "add to the list \"%s\" (%s)", "rule check": "check off on the list \"%s\" (%s)", "rule remove": "remove what you added from the list \"%s\" (%s)",
		"rule create":       "create lists for the household",
		"why add groceries": "adding to the groceries changes nothing else, shows who added it, and is undone as easily", "why check groceries": "checking off groceries removes nothing, and is undone as easily",
		"why change": "this changes a list that others use too", "why private": "this changes a list of yours", "why others": "somebody else added some of this", "why create": "this makes a new list", "why allowed": "you allowed this before: %s",
	},
	"nl": {
		"groceries": "Boodschappen", "no lists": "Er zijn nog geen lijsten.", "left": "nog %d van %d",
		"add?":   "Zal ik %s op de lijst \"%s\" zetten?",
		"check?": "Zal ik %s op de lijst \"%s\" afvinken?", "uncheck?": "Zal ik %s op de lijst \"%s\" weer open zetten?",
		"remove?": "Zal ik %s van de lijst \"%s\" halen?", "create?": "Zal ik de lijst \"%s\" maken voor het huishouden?", "create private?": "Zal ik de lijst \"%s\" maken, alleen voor jou?",
		"more": "%s en nog %d", "of others": "Door iemand anders toegevoegd: %s",
		"added": "Nu op de lijst \"%s\": %s.", "checked": "Afgevinkt op de lijst \"%s\": %s.", "unchecked": "Weer open op de lijst \"%s\": %s.",
		"removed": "Van de lijst \"%s\" gehaald: %s.", "created": "De lijst \"%s\" is er.",
		"avoided": "Weggelaten, omdat iemand het niet mag eten: %s.", "unclear": "Weggelaten, omdat niet bekend is wat erin zit: %s.",
		"rule add": "toevoegen aan de lijst \"%s\" (%s)", "rule check": "afvinken op de lijst \"%s\" (%s)", "rule remove": "wat je zelf toevoegde van de lijst \"%s\" (%s) halen",
		"rule create":       "lijsten maken voor het huishouden",
		"why add groceries": "iets op de boodschappenlijst zetten verandert verder niets, laat zien wie het deed en is zo teruggedraaid", "why check groceries": "boodschappen afvinken haalt niets weg en is zo teruggedraaid",
		"why change": "dit verandert een lijst die anderen ook gebruiken", "why private": "dit verandert een lijst van jou", "why others": "iemand anders heeft er iets van toegevoegd", "why create": "dit maakt een nieuwe lijst", "why allowed": "dit heb je eerder toegestaan: %s",
	},
}
