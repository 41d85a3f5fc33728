package cli

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rein"
)

// chosen is the choice that a number stands for, or the text itself.
func chosen(ask rein.Ask, text string) string {
	if choice, ok := oneOf(ask, text); ok {
		return choice
	}
	return text
}

// oneOf finds a choice by its words, their beginning or its number. To run something again takes the
// whole word.
func oneOf(ask rein.Ask, text string) (string, bool) {
	choice, ok := choiceOf(ask, text)
	if ask.Kind == rein.AskUnknown && choice == rein.RunAgain && !strings.EqualFold(text, choice) {
		return "", false
	}
	return choice, ok
}

func choiceOf(ask rein.Ask, text string) (string, bool) {
	if slices.Contains(ask.Choices, text) {
		return text, true
	}
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(ask.Choices) {
		return ask.Choices[n-1], true
	}
	found := ""
	for _, choice := range ask.Choices {
		if text == "" || !strings.HasPrefix(strings.ToLower(choice), strings.ToLower(text)) {
			continue
		}
		if found != "" {
			return "", false
		}
		found = choice
	}
	return found, found != "" && ask.Kind == rein.AskUnknown
}

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
		return rein.Answer{State: rein.AskAnswered, Text: chosen(ask, text)}, nil
	case says && ask.Kind == rein.AskUnknown:
		if choice, ok := oneOf(ask, text); ok {
			return rein.Answer{State: rein.AskAnswered, Text: choice}, nil
		}
	}
	return wrong()
}
