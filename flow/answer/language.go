package answer

import (
	"strings"
)

// smallWords tell languages apart: each is frequent in its own, and in few of the others.
var smallWords = []struct{ lang, words string }{
	{"de", " der die das und ist nicht ein eine mit auf für von dem den zu wird auch sich werden oder im "},
	{"en", " the and of to is are that with for this it was you from by which be as not can "},
	{"es", " el la los las y es que en una un por con para del se lo como más pero son "},
	{"fr", " le la les et est des que dans une un pour avec sur du qui pas ce au sont ou "},
	{"it", " il la i gli e è che di una un per con del della non sono nel come più si "},
	{"nl", " de het een en is van dat met niet voor op zijn wordt ook die naar door kan je om "},
	{"pt", " o a os as e é que de uma um por com para do da não se em mais são "},
}

const (
	leastSmall = 3   // small words that tell a language
	clearly    = 1.5 // times as many as the next language has
)

// languageOf guesses the language of a text by its small words; "" if they do not tell.
func languageOf(text string) string {
	list := fields(text)
	best, most, next := "", 0, 0
	for _, l := range smallWords {
		n := 0
		for _, w := range list {
			if w != "" && strings.Contains(l.words, " "+w+" ") {
				n++
			}
		}
		if n > most {
			best, most, next = l.lang, n, most
		} else {
			next = max(next, n)
		}
	}
	if most < leastSmall || float64(most) < clearly*float64(next) {
		return ""
	}
	return best
}
