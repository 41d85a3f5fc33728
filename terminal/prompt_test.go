package terminal

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

var (
	aQuestion = rein.Ask{ID: "r1:1.ask", Kind: rein.AskQuestion, Choices: []string{"red", "dark blue"}}
	anUnknown = rein.Ask{ID: "r1:1.unknown", Kind: rein.AskUnknown, Choices: []string{rein.ItHappened, rein.RunAgain, rein.SkipIt}}
	anOK      = rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, Effect: rein.Pure, Call: &rein.ToolCall{Name: "look"}}
	aDeed     = rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, Effect: rein.Unsafe, Call: &rein.ToolCall{Name: "rm"}}
	aLasting  = rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, Effect: rein.Unsafe, Call: &rein.ToolCall{Name: "rm"}, Offers: rein.Offers{Session: []string{"rm x"}, Always: []string{"rm *"}}}
	anExact   = rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval, Effect: rein.Unsafe, Call: &rein.ToolCall{Name: "rm"}, Offers: rein.Offers{Session: []string{"rm x"}}}
	anOldOK   = rein.Ask{ID: "r1:1.ask", Kind: rein.AskApproval} // nobody knows what it can do
	aConfirm  = rein.Ask{ID: "r1:1.ask", Kind: rein.AskConfirmation}
)

func answered(text string) rein.Answer { return rein.Answer{State: rein.AskAnswered, Text: text} }

func rejected(text string) rein.Answer { return rein.Answer{State: rein.AskRejected, Text: text} }

// What is typed at a prompt becomes an answer that fits the ask, or is asked for again.
//
// Covers: TAB-B8
func TestPromptRead(t *testing.T) {
	for _, c := range []struct {
		ask     rein.Ask
		editing bool
		line    string
		want    rein.Answer // zero: asked again
	}{
		{aQuestion, false, "2", answered("dark blue")},
		{aQuestion, false, "3", answered("3")},
		{aQuestion, false, " green ", answered("green")},
		{aQuestion, false, "", rein.Answer{State: rein.AskDeclined}},
		{anUnknown, false, "again", answered(rein.RunAgain)},
		{anUnknown, false, "h", answered(rein.ItHappened)},
		{anUnknown, false, "3", answered(rein.SkipIt)},
		{anUnknown, false, "perhaps", rein.Answer{}},
		{anUnknown, false, "", rein.Answer{}},
		{anUnknown, false, "a", rein.Answer{}},
		{anUnknown, false, "2", rein.Answer{}},
		{anUnknown, false, "y", rein.Answer{}},
		{anOK, false, "y", rein.Answer{State: rein.AskApproved}},
		{anOK, false, "YES", rein.Answer{State: rein.AskApproved}},
		{anOK, false, "ok", rein.Answer{State: rein.AskApproved}},
		{anOK, false, "Yes, please!", rein.Answer{State: rein.AskApproved}},
		{anOK, false, "ja graag", rein.Answer{State: rein.AskApproved}},
		{anOK, false, "n", rejected("")},
		{anOK, false, "nee", rejected("")},
		{anOK, false, "no: too far", rejected("too far")},
		{anOK, false, "n:", rejected("")},
		{anOK, false, "yes: go", rein.Answer{}},
		{anOK, false, "yes please, but later", rein.Answer{}},
		{anOK, false, "no, not that one", rein.Answer{}},
		{anOK, false, "ok?", rein.Answer{}},
		{anOK, false, "always", rein.Answer{}},
		{anOK, false, "once", rein.Answer{}},
		{aLasting, false, "yes", rein.Answer{State: rein.AskApproved}},
		{aLasting, false, "y", rein.Answer{}},
		{aLasting, false, "once", rein.Answer{State: rein.AskApproved, Scope: rein.ScopeOnce}},
		{aLasting, false, " Session ", rein.Answer{State: rein.AskApproved, Scope: rein.ScopeSession}},
		{aLasting, false, "always", rein.Answer{State: rein.AskApproved, Scope: rein.ScopeAlways}},
		{aLasting, false, "always yes", rein.Answer{}},
		{aLasting, false, "s", rein.Answer{}},
		{aLasting, true, "always", rein.Answer{}},
		{anExact, false, "session", rein.Answer{State: rein.AskApproved, Scope: rein.ScopeSession}},
		{anExact, false, "always", rein.Answer{}},
		{aConfirm, false, "once", rein.Answer{}},
		{anOK, false, "why?", rein.Answer{}},
		{anOK, false, " ", rein.Answer{}},
		{anOK, false, "e", rein.Answer{}},
		{aDeed, false, "y", rein.Answer{}},
		{aDeed, false, "Y!", rein.Answer{}},
		{aDeed, false, "j", rein.Answer{}},
		{aDeed, false, "yes", rein.Answer{State: rein.AskApproved}},
		{aDeed, false, "ja", rein.Answer{State: rein.AskApproved}},
		{aDeed, false, "n", rejected("")},
		{anOldOK, false, "y", rein.Answer{}},
		{anOldOK, false, "yes", rein.Answer{State: rein.AskApproved}},
		{aConfirm, false, "e", rein.Answer{}},
		{aConfirm, false, "y", rein.Answer{}},
		{anOK, true, `{"a":1}`, rein.Answer{State: rein.AskEdited, Args: json.RawMessage(`{"a":1}`)}},
		{anOK, true, `{"a":`, rein.Answer{}},
		{anOK, true, "", rein.Answer{}},
	} {
		p := &Prompt{Ask: c.ask, editing: c.editing, Language: "nl"}
		got, again := p.Read(c.line)
		if diff := cmp.Diff(c.want, got); diff != "" || (again == "") == (c.want.State == "") {
			t.Errorf("%s, %q: %s%s", c.ask.Kind, c.line, diff, again)
		}
		if got.State != "" {
			if err := c.ask.Accepts(got); err != nil {
				t.Errorf("%s, %q: %v", c.ask.Kind, c.line, err)
			}
		}
	}
}

// What an approval can allow beyond its call is on the screen as it would be kept, and the line that says what to type
// fits a narrow terminal.
func TestOffersAreShown(t *testing.T) {
	shown := Screen{}.Whole(rein.Ask{Kind: rein.AskApproval, Text: "rm x", Offers: rein.Offers{Session: []string{"rm x", "ls"}, Always: []string{"rm *"}}})
	for _, want := range []string{"session allows exactly this again, in this session:\n", "rm x\n", "ls\n", "always allows what fits, in this workspace from now on:\n", "rm *\n"} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in %q", want, shown)
		}
	}
	for _, ask := range []rein.Ask{aLasting, anExact} {
		if hint := (&Prompt{Ask: ask}).Hint(); len(hint)+2 > 80 {
			t.Errorf("%q has %d columns", hint, len(hint)+2)
		}
	}
}

// What a tool shows of a call is enough; its arguments are shown beside it only if they say more.
func TestArgumentsAreShownOnce(t *testing.T) {
	ask := rein.Ask{Kind: rein.AskApproval, Text: "Allow execute_command?\nRun:\n  | a && b\n  | c\nIt is ended after 9 seconds.", Call: &rein.ToolCall{Name: "execute_command"}}
	for args, want := range map[string]string{
		`{"command":"a \u0026\u0026 b\nc","timeout":9}`:    "",
		`{"command":"a \u0026\u0026 b\nc","network":true}`: `a && b`,
		`{"command":"x \u003e y \\u0026"}`:                 `x > y \\u0026`,
	} {
		ask.Call.Args = []byte(args)
		shown := Screen{}.Whole(ask)
		if strings.Contains(shown, "Allow execute_command?") {
			t.Errorf("the headline is there twice:\n%s", shown)
		}
		_, rest, found := strings.Cut(shown, "with the arguments")
		if found != (want != "") || !strings.Contains(rest, want) {
			t.Errorf("%s: shown as\n%s", args, shown)
		}
	}
}

// An approval that a tool made a sentence of is the sentence, with nothing of rein's own around it, and the exact
// arguments once. Yes and no are in its language.
//
// Covers: NEU-62
func TestSentenceIsShown(t *testing.T) {
	ask := rein.Ask{
		Kind: rein.AskApproval, Effect: rein.Pure, Language: "nl", Say: "Zal ik op zaterdag 21 november, 09:00 'tandarts' toevoegen?", Reason: "je vroeg erom",
		Text: "Zal ik op zaterdag 21 november, 09:00 'tandarts' toevoegen?\nWaarom: je vroeg erom\n\nPrecies (cron.add):\n  enabled: true\n  label: tandarts",
		Call: &rein.ToolCall{Name: "cron.add", Args: []byte(`{"enabled":true,"label":"tandarts"}`)},
	}
	shown := Headline(ask) + "\n" + Screen{}.Whole(ask)
	want := `Zal ik op zaterdag 21 november, 09:00 'tandarts' toevoegen?
 Waarom: je vroeg erom

 Precies (cron.add):
   enabled: true
   label: tandarts
`
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	p := &Prompt{Ask: ask}
	if hint := p.Hint(); !strings.HasPrefix(hint, "ja ") || len(hint)+2 > 80 {
		t.Errorf("hint %q", hint)
	}
	for line, state := range map[string]rein.AskState{"ja": rein.AskApproved, "yes": rein.AskApproved, "nee": rein.AskRejected, "hm": ""} {
		if answer, _ := p.Read(line); answer.State != state {
			t.Errorf("%s: %s", line, answer.State)
		}
	}
}

// A plan is accepted in the mode that ends the line, and only in one that it offers.
func TestPlanPrompt(t *testing.T) {
	ask := rein.Ask{ID: "r1:1.ask", Kind: rein.AskConfirmation, Modes: []rein.Mode{rein.ModeAsk, rein.ModeEdits}}
	for line, want := range map[string]rein.Answer{
		"yes":                   {State: rein.AskApproved},
		"yes edits":             {State: rein.AskApproved, Mode: rein.ModeEdits},
		"Yes  EDITS":            {State: rein.AskApproved, Mode: rein.ModeEdits},
		"no":                    {State: rein.AskRejected},
		"no: do it without ask": {State: rein.AskRejected, Text: "do it without ask"},
		"yes sandbox":           {}, // it is not offered
		"edits":                 {},
		"y edits":               {},
	} {
		p := Prompt{Ask: ask}
		got, again := p.Read(line)
		if got.State != want.State || got.Mode != want.Mode || got.Text != want.Text || (again != "") != (want.State == "") {
			t.Errorf("%q: %+v, %q", line, got, again)
		}
	}
}
