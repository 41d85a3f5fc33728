package export

import (
	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal"
)

// askStatus says how an ask ended: a sign, a word and a tone.
var askStatus = map[rein.AskState]status{
	rein.AskPending: {"◔", "waits", "waits"}, rein.AskApproved: {"✓", "approved", "good"}, rein.AskEdited: {"✓", "changed and approved", "good"},
	rein.AskRejected: {"✗", "rejected", "bad"}, rein.AskAnswered: {"✓", "answered", "good"}, rein.AskDeclined: {"○", "declined to answer", "quiet"},
	rein.AskExpired: {"○", "nobody answered in time", "quiet"}, rein.AskWithdrawn: {"○", "withdrawn", "quiet"},
}

// scopes says how far an approval goes.
var scopes = map[rein.RuleScope]string{rein.ScopeSession: " for this session", rein.ScopeAlways: " from now on"}

func ask(it *timeline.Ask) *asked {
	from := it.Ask
	a := &asked{
		base: base{from.Opened}, Wants: terminal.Wants(from), Means: terminal.Means(from), Choices: from.Choices, Closed: from.Closed,
		Status: askStatus[from.State], Words: from.Answer.Text,
	}
	if a.At.IsZero() {
		a.At = it.At
	}
	a.Text, a.Args = terminal.Parts(from)
	if a.Status == (status{}) {
		a.Status = status{"○", string(from.State), "quiet"}
	}
	a.Answer = a.Status.Word + scopes[from.Answer.Scope]
	if from.Answer.By != "" && from.State != rein.AskExpired {
		a.Answer += " by " + from.Answer.By
	}
	if from.Answer.Mode != "" {
		a.Answer += ", mode " + string(from.Answer.Mode)
	}
	if from.State == rein.AskPending && from.For != "" {
		a.Answer += " for " + from.Whom()
	}
	if len(from.Answer.Args) > 0 {
		a.Edited = terminal.Editable(from.Answer.Args)
	}
	if !from.Closed.IsZero() && from.Closed.After(from.Opened) {
		a.Waited = units.Span(from.Closed.Sub(from.Opened))
	}
	return a
}
