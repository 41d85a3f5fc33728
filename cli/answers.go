package cli

import (
	"encoding/json"
	"strings"

	"rein"
	"rein/terminal"
)

// wants says what an ask is about.
var wants = map[rein.AskKind]string{
	rein.AskQuestion:     "is a question",
	rein.AskApproval:     "wants an approval",
	rein.AskConfirmation: "wants a yes or a no",
	rein.AskUnknown:      "wants to know what happened",
}

// fits says what rein answer takes for an ask.
func fits(ask rein.Ask) string {
	switch ask.Kind {
	case rein.AskApproval:
		return "--yes | --no [TEXT] | --edit JSON"
	case rein.AskConfirmation:
		return "--yes | --no [TEXT]"
	case rein.AskUnknown:
		return strings.Join(ask.Choices, " | ")
	}
	if len(ask.Choices) > 0 {
		return "TEXT | NUMBER | --decline"
	}
	return "TEXT | --decline"
}

// answerOf makes an answer of flags and a text, if they fit the ask.
func (c *call) answerOf(ask rein.Ask, text string) (rein.Answer, error) {
	wrong := func() (rein.Answer, error) {
		return rein.Answer{}, usagef("ask %s %s; what fits it is: %s", ask.ID, wants[ask.Kind], fits(ask))
	}
	says := text != "" && !c.no // with --no the text is the reason
	ways := 0
	for _, given := range []bool{c.yes, c.no, c.decline, c.edit != "", says} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return wrong()
	}
	decides := ask.Kind == rein.AskApproval || ask.Kind == rein.AskConfirmation
	switch {
	case c.decline:
		return rein.Answer{State: rein.AskDeclined}, nil
	case c.yes && decides:
		return rein.Answer{State: rein.AskApproved}, nil
	case c.no && decides:
		return rein.Answer{State: rein.AskRejected, Text: text}, nil
	case c.edit != "" && ask.Kind == rein.AskApproval:
		if !json.Valid([]byte(c.edit)) {
			return rein.Answer{}, usagef("--edit %s is not JSON", c.edit)
		}
		return rein.Answer{State: rein.AskEdited, Args: json.RawMessage(c.edit)}, nil
	case says && ask.Kind == rein.AskQuestion:
		return rein.Answer{State: rein.AskAnswered, Text: terminal.Chosen(ask, text)}, nil
	case says && ask.Kind == rein.AskUnknown:
		if choice, ok := terminal.OneOf(ask, text); ok {
			return rein.Answer{State: rein.AskAnswered, Text: choice}, nil
		}
	}
	return wrong()
}
