package terminal

import (
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/internal/units"
)

// StatusWord is where a run stands, or what is being made of it.
func StatusWord(info rein.RunInfo) string {
	if info.Status.Ended() {
		return safe(string(info.Status))
	}
	return openWord(info) + inMode(info.Mode)
}

// inMode says in which mode something is, if it is not the usual one.
func inMode(m rein.Mode) string {
	if m.Or(rein.ModeAsk) == rein.ModeAsk {
		return ""
	}
	return " (" + safe(string(m)) + ")"
}

// openWord is StatusWord for a run that has not ended.
func openWord(info rein.RunInfo) string {
	if info.Paused {
		return "paused"
	}
	switch info.Ending {
	case rein.CommandStop:
		return "stopping"
	case rein.CommandCancel:
		return "cancelling"
	case rein.CommandDelete:
		return "deleting"
	}
	return safe(string(info.Status))
}

// StatusLine is StatusWord with the reason.
func StatusLine(info rein.RunInfo) string {
	text := StatusWord(info)
	switch {
	case info.Outcome != nil && info.Outcome.Failure != nil:
		text += ": " + Failure(info.Outcome.Failure)
	case info.Status == rein.StatusBlocked:
		text += ": this program cannot continue it; the log says why"
	case info.Status == rein.StatusWaiting && !info.WakeAt.IsZero():
		text += " until " + units.When(info.WakeAt)
	}
	return text
}

// EndWords says how a run ended.
func EndWords(info rein.RunInfo) string {
	end := info.End()
	words := safe(string(end.End))
	if end.Failure != nil && end.End == rein.EndFailed {
		words += ": " + Failure(end.Failure)
	}
	return words
}

// mostError is how much of an error is shown: what to do comes at its end.
const mostError = 1000

// Failure is an error of a run in words, with its code.
func Failure(f *rein.Failure) string {
	return short(f.Msg, mostError) + " (" + safe(string(f.Code)) + ")"
}

// Budget lists what a tree of runs has used, and of what. What is only reserved does not count.
func Budget(ledger rein.Ledger, held rein.Amount, currency units.Currency) string {
	used, most := ledger.Used.Minus(held), ledger.Cap
	text := strings.Join([]string{
		units.Number(used.Tokens) + " of " + units.Number(most.Tokens) + " tokens",
		"cost " + currency.Money(used.Micros) + " of " + units.Money(most.Micros),
		units.Number(used.Rounds) + " of " + units.Number(most.Rounds) + " rounds",
		units.Number(used.ToolCalls) + " of " + units.Number(most.ToolCalls) + " tool calls",
		units.Span(ms(used.DrivenMS)) + " of " + units.Span(ms(most.DrivenMS)),
		units.Number(used.Runs) + " of " + units.Count(most.Runs, "run"),
	}, ", ")
	if held.Tokens > 0 {
		text += "; " + units.Number(held.Tokens) + " tokens reserved"
	}
	if (ledger.Overrun != rein.Amount{}) {
		text += "; a provider used more than its limit"
	}
	return text
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// Doing says what a running step is.
func Doing(d api.Doing) string {
	switch {
	case d.Tool != "":
		return "tool " + safe(d.Tool)
	case d.Child != "":
		return "run " + safe(string(d.Child))
	case d.Human != "":
		return short(d.Human, 80)
	case d.Phase != "":
		return safe(d.Phase)
	}
	return "step " + safe(string(d.Step))
}
