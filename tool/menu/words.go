package menu

import "rein/internal/speech"

var words = speech.Words{
	"en": {
		"nothing known": "Nobody has kept an allergy, a diet or units.", "everyone": "everyone",
		"allergies": "must not eat %s.", "diet": "Diet: %s.", "units": "Units: %s.",
		"menu": "Menu from %s, for %d:", "nothing fits": "nothing: no dish is known that is safe for everybody",
		"honours": "Left out for those who eat: %s.", "no needs": "No allergies or diets are known.",
		"replaced": "%d dishes were not used, because somebody must not eat something in them or because not every word of them is known.",
		"by word":  "Of these nothing is known but the word: %s. Check the ingredients yourself.", "check": "Always read the label: rein judges dishes by their words.",
		"own": "The model gave no menu that could be used, so these are dishes that rein knows.",
	},
	"nl": {
		"nothing known": "Niemand heeft een allergie, een dieet of eenheden laten noteren.", "everyone": "iedereen",
		"allergies": "mag geen %s.", "diet": "Dieet: %s.", "units": "Eenheden: %s.",
		"menu": "Menu vanaf %s, voor %d:", "nothing fits": "niets: er is geen gerecht bekend dat voor iedereen veilig is",
		"honours": "Weggelaten voor wie mee-eten: %s.", "no needs": "Er zijn geen allergieën of diëten bekend.",
		"replaced": "%d gerechten zijn niet gebruikt, omdat iemand er iets van niet mag of omdat niet elk woord ervan bekend is.",
		"by word":  "Hiervan is alleen het woord bekend: %s. Kijk zelf de ingrediënten na.", "check": "Lees altijd het etiket: rein beoordeelt gerechten op hun woorden.",
		"own": "Het model gaf geen bruikbaar menu, dus dit zijn gerechten die rein kent.",
	},
}
