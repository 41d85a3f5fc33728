package words

import "strings"

// Small words that say nothing of what a text is about, but much about its language.
const (
	smallEnglish = `a about after all also an and any are as at be because been before being between both but by can could did do does doing down during each few for from further had has have having he her here him his how i if in into is it its just me more most my no nor not now of off on once only or other our out over own same she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your`
	smallDutch   = `aan al alles als altijd ander ben bij daar dan dat de der deze die dit doch doen door dus een eens en er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand iets ik in is ja je jij jullie kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder ons onze ook op over reeds te tegen toch toen tot u uit uw van veel voor waar waren was wat we wel werd wezen wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou`
)

var (
	inEnglish = set(smallEnglish)
	inDutch   = set(smallDutch)
)

func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// IsSmall reports whether a word is small in one of the languages.
func IsSmall(word string) bool { return inEnglish[word] || inDutch[word] }

// IsSmallIn reports whether a word is small in a language.
func IsSmallIn(l Lang, word string) bool {
	return l == English && inEnglish[word] || l == Dutch && inDutch[word]
}

// guessBytes is how much of a text its language is guessed from.
const guessBytes = 16 << 10

// Guess counts small words: a text is in the language that has clearly more of them.
func Guess(text string) Lang {
	if len(text) > guessBytes {
		text = text[:guessBytes]
	}
	en, nl := 0, 0
	Each(text, func(w Word) {
		isEN, isNL := inEnglish[w.Text], inDutch[w.Text]
		if isEN && !isNL {
			en++
		} else if isNL && !isEN {
			nl++
		}
	})
	switch {
	case en >= 2 && en*2 > nl*3:
		return English
	case nl >= 2 && nl*2 > en*3:
		return Dutch
	}
	return Unknown
}
