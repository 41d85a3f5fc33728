package cli

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

var (
	aQuestion = rein.Ask{ID: "r1:1.ask", Kind: rein.AskQuestion, Choices: []string{"red", "dark blue"}}
	anOpen    = rein.Ask{ID: "r1:1.ask", Kind: rein.AskQuestion}
	anUnknown = rein.Ask{ID: "r1:1.unknown", Kind: rein.AskUnknown, Choices: []string{rein.ItHappened, rein.RunAgain, rein.SkipIt}}
	anOK      = rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, Effect: rein.Pure, Call: &rein.ToolCall{Name: "look"}}
	aConfirm  = rein.Ask{ID: "r1:1.ask", Kind: rein.AskConfirmation}
)

func answered(text string) rein.Answer { return rein.Answer{State: rein.AskAnswered, Text: text} }

func rejected(text string) rein.Answer { return rein.Answer{State: rein.AskRejected, Text: text} }

// Flags and a text make an answer, if they are one and fit the ask.
//
// Covers: TAB-B8
func TestAnswerOf(t *testing.T) {
	yes, no, decline := answerFlags{yes: true}, answerFlags{no: true}, answerFlags{decline: true}
	for _, c := range []struct {
		ask   rein.Ask
		flags answerFlags
		text  string
		want  rein.Answer // zero: it does not fit
	}{
		{aQuestion, answerFlags{}, "1", answered("red")},
		{aQuestion, answerFlags{}, "dark", answered("dark")},
		{aQuestion, decline, "", rein.Answer{State: rein.AskDeclined}},
		{aQuestion, yes, "", rein.Answer{}},
		{aQuestion, no, "red", rein.Answer{}},
		{aQuestion, answerFlags{edit: "{}"}, "", rein.Answer{}},
		{anOpen, answerFlags{}, "2", answered("2")},
		{anOpen, answerFlags{}, "", rein.Answer{}},
		{anOK, yes, "", rein.Answer{State: rein.AskApproved}},
		{anOK, yes, "but", rein.Answer{}},
		{anOK, no, "why not", rejected("why not")},
		{anOK, no, "", rejected("")},
		{anOK, answerFlags{edit: "{}"}, "", rein.Answer{State: rein.AskEdited, Args: json.RawMessage("{}")}},
		{anOK, answerFlags{edit: "{"}, "", rein.Answer{}},
		{anOK, answerFlags{yes: true, no: true}, "", rein.Answer{}},
		{anOK, answerFlags{}, "yes", rein.Answer{}},
		{aConfirm, yes, "", rein.Answer{State: rein.AskApproved}},
		{aConfirm, answerFlags{edit: "{}"}, "", rein.Answer{}},
		{anUnknown, answerFlags{}, "skip", answered(rein.SkipIt)},
		{anUnknown, answerFlags{}, "1", answered(rein.ItHappened)},
		{anUnknown, answerFlags{}, "again", answered(rein.RunAgain)},
		{anUnknown, answerFlags{}, "2", rein.Answer{}},
		{anUnknown, answerFlags{}, "dunno", rein.Answer{}},
	} {
		got, err := c.flags.answerOf(c.ask, c.text)
		if diff := cmp.Diff(c.want, got); diff != "" || (err != nil) != (c.want.State == "") {
			t.Errorf("%s, %+v, %q: %v\n%s", c.ask.Kind, c.flags, c.text, err, diff)
		}
	}
}
