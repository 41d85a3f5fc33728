package speech

import (
	"strings"
	"unicode"
)

// Words that one of the languages has and the other has not, or hardly ever uses.
var telling = map[string]map[string]bool{
	"nl": set(`aan al alle alles als altijd ben bent bij boodschappen daar dag dan dank dat de der deze dit doe doen door dus een
		eens elke en er gaat geen goedemorgen goedemiddag goedenavond goeiemorgen goeienavond graag haar heb hebben heeft herinner hoe hoeveel hoi
		hun iets ik jaar jij je jou jouw jullie kan kun kunt maandag dinsdag woensdag donderdag vrijdag zaterdag zondag maar
		meer met mij mijn moet moeten morgen na naar nee niet niets nog nu om onthoud onze ook op over overmorgen plannen schrijf
		staat straks te tegen toch tot uit uur van vanavond vandaag vanmiddag veel vergeet verwijder vind voeg voor waar waarom wanneer waren
		wat weet wel welk welke welkom werkdag wie wij wil willen worden wordt zal zet ze zeg zich zijn zo zoek zoeken zou weer bel bestel haal hallo lees maak stuur vraag geef toon kijk regel koop bedankt dankjewel fijn verplaats
		boodschappenlijst afspraak eet ziek feestje verjaardag`),
	"en": set(`a about add an and any are at be because been but by can could day delete did do does every find for forget from good 		has have he hello hey him his how i if it its just know monday tuesday wednesday thursday friday saturday sunday
		my never no not on one our please put remember remind schedule she should show some tell than thank thanks that the
		their them then there they this to today tomorrow tonight us what when where which who why with would write
		yes you your read look make send give ask call buy cancel move am eat appointment birthday party groceries nine eight ten`),
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

// Of guesses by its small words in which language a text is: nl, en, or "" if nothing in it tells.
func Of(text string) string {
	const enough = 4096 // bytes
	if len(text) > enough {
		text = text[:enough]
	}
	dutch, english := 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		if telling["nl"][w] {
			dutch++
		}
		if telling["en"][w] {
			english++
		}
	}
	switch {
	case dutch > english:
		return "nl"
	case english > dutch:
		return "en"
	}
	return ""
}
