package consent

import (
	"cmp"
	"strings"

	"rein"
)

// Answer reads a text as an answer to an ask, in the language of the ask or else of the person; ok is false if it is none. Any text answers
// a question. Only a plain yes or no answers an approval or a confirmation, and only one of its choices anything else.
func Answer(ask rein.Ask, language, text string) (answer rein.Answer, ok bool) {
	switch {
	case ask.Kind == rein.AskQuestion:
		return rein.Answer{State: rein.AskAnswered, Text: text}, true
	case IsFor(ask):
		switch Read(cmp.Or(ask.Language, language), text) {
		case Yes:
			return rein.Answer{State: rein.AskApproved, Text: text}, true
		case No:
			return rein.Answer{State: rein.AskRejected, Text: text}, true
		}
		return rein.Answer{}, false
	}
	for _, choice := range ask.Choices {
		if strings.EqualFold(choice, strings.TrimSpace(text)) {
			return rein.Answer{State: rein.AskAnswered, Text: choice}, true
		}
	}
	return rein.Answer{}, false
}

// IsFor reports whether a yes or a no answers the ask: it is about something that happens if a person agrees.
func IsFor(ask rein.Ask) bool {
	return ask.Kind == rein.AskApproval || ask.Kind == rein.AskConfirmation
}
