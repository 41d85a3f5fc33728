package food

import (
	"slices"
	"strings"
	"testing"
)

// Every word for an allergen is found for what it is, however it is written; what is safe is not refused.
//
// Covers: NEU-56/memory
func TestAllergens(t *testing.T) {
	table := New()
	for allergy, c := range map[string]struct{ has, safe string }{
		"pinda":                           {"pindakaas, satésaus, Pinda's, PINDAROTSJES met pinda, saus van pinda, peanut butter, ground nuts, notenmix, gado-gado, aard\u00adnoten, p\u200bin\u200dda, pindа, рinda, ｐｉｎｄａ, 𝓹𝓲𝓷𝓭𝓪, pad thai, pïnda, pindakaassaus, borrelnootjes, kip met satesaus, kung pao", "rijst met kip, kokosnoot, nootmuskaat, butternut pumpkin, boter, aardappelen"},
		"noten":                           {"marsepein, marzipan, walnoten, notenbrood, amandelschaafsel, hazelnootpasta, cashewnootjes, pesto, Nutella, notenmixen, pistachenootjes, muesli, pecan pie, macadamias", "kokosmelk, muskaatnoot, coconut, nutmeg, bosbessen"},
		"melk":                            {"boter, roomboter, slagroom, kaas, kaassaus, Parmezaanse kaas, yoghurt, karnemelk, whey, butter, cream cheese, melkchocolade, lasagne, béchamel, ghee, tzatziki, caseïne", "kokosmelk, rijst, kip, wortel"},
		"egg allergy":                     {"eieren, mayonaise, omelette, meringue, eggs, spiegelei, pannenkoeken, quiche, aioli, pasta carbonara", "aubergine, eggplant, prei, rijst"},
		"coeliakie":                       {"brood, pasta, couscous, spaghetti, bloem, seitan, bier, noodles, roggebrood, haverdrink, sojasaus, paneermeel, pizza", "rijst, quinoa, boekweit, polenta, maistortilla's"},
		"schaaldieren":                    {"garnalen, garnalenpasta, kreeft, krab, prawns, scampi, trassi, kroepoek, paella met gamba's", "kip, zalm, rijst"},
		"vis":                             {"zalm, visstick, tonijn, kabeljauwfilet, ansjovis, fish sauce, worcestershiresaus, surimi", "kip, rijst"},
		"weekdieren":                      {"mosselen, inktvis, oestersaus, coquilles, calamaris, squid", "oesterzwam, oyster mushrooms, kip"},
		"soja":                            {"tofu, tempeh, ketjap, sojasaus, edamame, miso, teriyaki", "rijst, kip"},
		"selderij":                        {"bleekselderij, knolselderij, celeriac, bouillonblokjes, soepgroenten", "peterselie, wortel"},
		"mosterd":                         {"mosterdsaus, mustard, mayonaise, dijonmosterd, piccalilly", "peterselie, wortel"},
		"sesam":                           {"tahin, hummus, sesamolie, sesamzaadjes, halva", "olijfolie, wortel"},
		"lupine":                          {"lupinemeel, lupin flour", "linzen, wortel"},
		"sulfiet":                         {"rode wijn, rozijnen, gedroogde abrikozen, azijn, wijnazijn", "druiven, wortel"},
		"notenallergie":                   {"walnoot, almonds", "rijst"},
		"allergisch voor tomaten en kiwi": {"tomatensoep, kiwi's, passata, ketchup, pizza, ragout", "rijst, paprika"},
		"karmijn":                         {"karmijnrood snoep, k a r m i j n", "rijst met kip"},
		"walnut":                          {"walnoten, notenmix, pesto", "rijst, kip"},
	} {
		needs := table.Needs([]string{allergy}, nil)
		for text := range strings.SplitSeq(c.has, ", ") {
			if needs.Judge(text) == Safe {
				t.Errorf("%s: %q is called safe (%v)", allergy, text, needs.Avoided())
			}
		}
		for text := range strings.SplitSeq(c.safe, ", ") {
			if v := needs.Judge(text); v != Safe {
				t.Errorf("%s: %q is not safe: %d %+v (%v)", allergy, text, v, table.Look(text), needs.Avoided())
			}
		}
	}
}

// A word that is not known, in whatever language or script, is never called safe; neither is a picture, nor a name without a
// food.
func TestUnknownIsUnclear(t *testing.T) {
	needs := New().Needs([]string{"peanut"}, nil)
	for _, text := range []string{"cacahuète", "Erdnuss", "yer fıstığı", "kacang tanah", "花生", "арахис", "فول سوداني", "🥜", "rice 🥜", "p1nda", "p-i-n-d-a", "goober peas", "verrassing", "", "fresh and warm", "rijst met pin da kaas", "rice <b>", "kip|pinda", "ri\u3164ce", "soy_nut"} {
		if needs.Judge(text) == Safe {
			t.Errorf("%q is called safe", text)
		}
	}
	if none := New().Needs(nil, []string{"none", "low-carb"}); none.Any() || none.Judge("anything") != Safe {
		t.Error("something is avoided although nothing must be")
	}
}

// Diets leave out what they leave out.
func TestDiets(t *testing.T) {
	table := New()
	for diet, c := range map[string][2]string{
		"vegetarisch": {"kip, zalm, gehakt, garnalen, spekjes, rookworst, bouillon, gelatine", "kaas, ei, linzen, tofu"},
		"vegan":       {"kaas, ei, honing, melk, kip", "linzen, tofu, rijst"},
		"pescatarian": {"kip, gehakt", "zalm, garnalen, kaas"},
		"halal":       {"ham, spekjes, rode wijn, varkenshaas, bier", "kip, rundergehakt, zalm"},
		"glutenvrij":  {"brood, pasta, bier", "rijst"},
	} {
		needs := table.Needs(nil, []string{diet})
		for i, want := range []bool{false, true} {
			for text := range strings.SplitSeq(c[i], ", ") {
				if safe := needs.Judge(text) == Safe; safe != want {
					t.Errorf("%s: %q is safe: %v", diet, text, safe)
				}
			}
		}
	}
}

// The dishes that rein knows are made of words that it knows, in both languages, and enough of them are left for those who can
// eat hardly anything.
func TestDishes(t *testing.T) {
	table := New()
	for _, language := range []string{"en", "nl"} {
		hard := table.Needs(Allergens(), []string{"vegan", "halal"})
		left := 0
		for _, d := range table.Dishes(language, 2) {
			for _, text := range append([]string{d.Title}, each(d.Ingredients, func(it Ingredient) string { return it.Item })...) {
				l := table.Look(text)
				if len(l.Unknown) > 0 || l.Foods == 0 || l.Tags[mixed] || l.Tags[dish] {
					t.Errorf("%s: %q: %+v", d.Title, text, l)
				}
			}
			if hard.JudgeDish(d) == Safe {
				left++
			}
		}
		if left < 10 {
			t.Errorf("%s: only %d dishes are left for those who can eat hardly anything", language, left)
		}
	}
	if got := table.Dishes("nl", 2)[0].Ingredients; !slices.Contains(got, Ingredient{"wortel", 200, "g"}) || !slices.Contains(got, Ingredient{"olie", 2, "el"}) {
		t.Errorf("%+v", got)
	}
}

func each[A, B any](all []A, one func(A) B) (out []B) {
	for _, a := range all {
		out = append(out, one(a))
	}
	return out
}

// Every tag of the table is one that has a meaning.
func TestTags(t *testing.T) {
	table := New()
	known := append(Allergens(), "meat", "pork", "gelatine", "honey", "alcohol", mixed, dish)
	for id, f := range table.foods {
		for tag := range f.tags {
			if table.foods[tag] == nil && !slices.Contains(known, tag) {
				t.Errorf("%s has the tag %q, which is neither known nor a food", id, tag)
			}
		}
	}
	for word := range table.plain {
		if foods := table.words[word]; len(foods) > 0 && len(allergensOf(foods[0])) > 0 {
			t.Logf("%q is a food and a plain word: it is a food", word)
		}
	}
}
