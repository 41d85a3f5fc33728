package card

import (
	"rein"
	"rein/internal/units"
	"rein/internal/visible"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// Answered says in one line how an ask ended: who, what, when.
func Answered(t look.Theme, ask rein.Ask, width int) string {
	line := sign(t, ask.State) + " " + who(ask) + did(ask) + " " + t.Strong(about(ask)) + scopeSaid[ask.Answer.Scope]
	if ask.Answer.Mode != "" {
		line += " (mode " + look.SafeLine(string(ask.Answer.Mode)) + ")"
	}
	if said := said(ask); said != "" {
		line += ": " + said
	}
	when := ""
	if !ask.Closed.IsZero() {
		when = t.Dim(units.Day(ask.Closed))
	}
	return t.Spread(line, when, width)
}

func sign(t look.Theme, state rein.AskState) string {
	switch state {
	case rein.AskApproved, rein.AskEdited, rein.AskAnswered:
		return t.Good(t.Signs.OK)
	case rein.AskRejected:
		return t.Bad(t.Signs.Fail)
	case rein.AskPending:
		return t.Waits(t.Signs.Dot)
	}
	return t.Dim(t.Signs.Ring)
}

// who is the person who answered, if there is one.
func who(ask rein.Ask) string {
	if ask.Answer.By == "" || ask.State == rein.AskExpired || ask.State == rein.AskWithdrawn {
		return ""
	}
	return visible.Short(ask.Answer.By, 40) + " "
}

func did(ask rein.Ask) string {
	switch ask.State {
	case rein.AskPending:
		return "waits for you:"
	case rein.AskApproved:
		if isPlan(ask) {
			return "accepted"
		}
		return "allowed"
	case rein.AskEdited:
		return "changed and allowed"
	case rein.AskDeclined:
		return "gave no answer to"
	case rein.AskExpired:
		return "nobody answered in time:"
	case rein.AskWithdrawn:
		return "not needed any more:"
	}
	return look.SafeLine(string(ask.State))
}

func isPlan(ask rein.Ask) bool { return ask.Kind == rein.AskConfirmation && ask.Call == nil }

func about(ask rein.Ask) string {
	switch subject := terminal.Subject(ask); {
	case isPlan(ask):
		return "the plan"
	case subject != "" && ask.Kind != rein.AskQuestion:
		return subject
	}
	return visible.Short(ask.Text, 80)
}

// scopeSaid says how far an approval goes.
var scopeSaid = map[rein.RuleScope]string{rein.ScopeSession: " for this session", rein.ScopeAlways: " from now on"}

func said(ask rein.Ask) string {
	if ask.Kind == rein.AskUnknown && ask.Answer.Text != "" {
		return outcome(visible.Short(ask.Answer.Text, 200))
	}
	return visible.Short(ask.Answer.Text, 200)
}
