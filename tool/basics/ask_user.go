package basics

import (
	_ "embed"
	"slices"
	"strings"

	"rein"
	"rein/tool"
)

//go:embed ask_user.md
var askUserText string

type askArgs struct {
	Question string   `json:"question" jsonschema:"one question, in the user's language" min:"1" max:"4000"`
	Choices  []string `json:"choices,omitempty" jsonschema:"answers to choose from, short and different from each other" max:"10"`
}

// AskUser is the tool ask_user.
func AskUser() (rein.Tool, error) {
	return tool.Question(tool.Spec{Name: "ask_user", Family: "basics", Text: askUserText}, question)
}

const (
	maxChoices = 10
	maxChoice  = 200 // bytes
)

func question(args askArgs) (rein.Question, error) {
	q := rein.Question{Text: strings.TrimSpace(args.Question)}
	if q.Text == "" {
		return rein.Question{}, rein.Errorf(rein.CodeInvalid, "ask_user: the question is empty: write what you want to know")
	}
	if len(args.Choices) > maxChoices {
		return rein.Question{}, rein.Errorf(rein.CodeInvalid, "ask_user: %d choices are too many: give at most %d, or none", len(args.Choices), maxChoices)
	}
	for i, choice := range args.Choices {
		choice = strings.TrimSpace(choice)
		switch {
		case choice == "":
			return rein.Question{}, rein.Errorf(rein.CodeInvalid, "ask_user: choice %d is empty: write it out or leave it away", i+1)
		case len(choice) > maxChoice:
			return rein.Question{}, rein.Errorf(rein.CodeInvalid, "ask_user: choice %d has %d bytes: at most %d; put the details into the question", i+1, len(choice), maxChoice)
		case slices.Contains(q.Choices, choice):
			return rein.Question{}, rein.Errorf(rein.CodeInvalid, "ask_user: choice %d, %q, is given twice", i+1, choice)
		}
		q.Choices = append(q.Choices, choice)
	}
	return q, nil
}
