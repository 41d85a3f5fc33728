package terminal

import (
	"slices"
	"strconv"
	"strings"

	"rein"
)

// Chosen is the choice that a number stands for, or the text itself.
func Chosen(ask rein.Ask, text string) string {
	if choice, ok := OneOf(ask, text); ok {
		return choice
	}
	return text
}

// OneOf finds a choice by its words, their beginning or its number. To run something again takes the
// whole word.
func OneOf(ask rein.Ask, text string) (string, bool) {
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
