package consent

import (
	"testing"

	"rein"
)

// A text answers what it fits, and nothing else.
//
// Covers: NEU-62
func TestAnswer(t *testing.T) {
	for _, c := range []struct {
		ask   rein.Ask
		text  string
		state rein.AskState // empty: it is no answer
		said  string
	}{
		{rein.Ask{Kind: rein.AskQuestion}, " at 15:00 ", rein.AskAnswered, " at 15:00 "},
		{rein.Ask{Kind: rein.AskApproval}, "Ja, graag!", rein.AskApproved, "Ja, graag!"},
		{rein.Ask{Kind: rein.AskConfirmation}, "nee", rein.AskRejected, "nee"},
		{rein.Ask{Kind: rein.AskApproval}, "ja, maar later", "", ""},
		{rein.Ask{Kind: rein.AskUnknown, Choices: []string{rein.ItHappened, rein.SkipIt}}, " SKIP\n", rein.AskAnswered, rein.SkipIt},
		{rein.Ask{Kind: rein.AskUnknown, Choices: []string{rein.ItHappened}}, "yes", "", ""},
	} {
		got, ok := Answer(c.ask, "nl", c.text)
		if ok != (c.state != "") || got.State != c.state || got.Text != c.said {
			t.Errorf("%s, %q: %+v %v", c.ask.Kind, c.text, got, ok)
		}
	}
}
