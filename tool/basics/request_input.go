package basics

import (
	_ "embed"
	"encoding/json"
	"strings"

	"rein"
	"rein/tool"
)

//go:embed request_input.md
var requestInputText string

type inputArgs struct {
	Question string `json:"question" jsonschema:"Question to present to user"`
}

// inputSchema is what clients of the strict flow know, to the letter: nothing is added to it.
const inputSchema = `{"type":"object","properties":{"question":{"type":"string","description":"Question to present to user"}},"required":["question"]}`

// RequestInput is the tool request_input. The flow strict asks by itself when a model calls it, with
// a deadline that stops the run; it is meant for no other flow.
func RequestInput() (rein.Tool, error) {
	t, err := tool.Question(tool.Spec{Name: "request_input", Family: "basics", Text: requestInputText}, func(args inputArgs) (rein.Question, error) {
		q := rein.Question{Text: strings.TrimSpace(args.Question), OnExpiry: rein.ExpiryStop}
		if q.Text == "" {
			return rein.Question{}, rein.Errorf(rein.CodeInvalid, "request_input: the question is empty: write what you want to know")
		}
		return q, nil
	})
	t.Schema = json.RawMessage(inputSchema)
	return t, err
}
