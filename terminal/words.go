package terminal

import (
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/internal/units"
	"rein/journal"
)

// A Teller says in words what an event tells. It sees the events of a log in order, because the end
// of a step does not repeat what its beginning said.
type Teller struct {
	Full     bool                    // texts are shown whole, on as many lines as they have
	Asks     map[rein.AskID]rein.Ask // as they are now
	Receipts map[int64]rein.Receipt  // what became of commands, by their sequence numbers
	Currency units.Currency          // of amounts of money
	steps    journal.Steps
}

// payload reads an event's payload; what cannot be read stays empty.
func payload[T any](e rein.Event) T {
	p, _ := rein.Payload[T](e) // Tell says so if it is not JSON at all
	return p
}

// Tell returns what the next event of the log says.
func (t *Teller) Tell(e rein.Event) string {
	switch {
	case e.Erased:
		return t.erased(e)
	case len(e.Data) > 0 && !json.Valid(e.Data):
		return safe(string(e.Kind)) + ": its payload cannot be read"
	case e.Kind.Command() != "":
		return t.command(e)
	}
	switch e.Kind {
	case rein.RunStarted:
		return t.started(e)
	case rein.RunParked:
		return t.parked(payload[rein.Parked](e))
	case rein.RunBlocked:
		return "blocked: " + t.text(payload[rein.Blocked](e).Reason)
	case rein.RunResumed:
		return "tried again" + By(e.By)
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		return t.ended(payload[rein.RunEnd](e))
	}
	return t.step(e)
}

// erased says what is known without the payload.
func (t *Teller) erased(e rein.Event) string {
	if kind := e.Kind.Command(); kind != "" {
		return safe(string(kind)) + By(e.By) + " (erased)"
	}
	return safe(string(e.Kind)) + By(e.By) + " (erased)"
}

// By says who did something, if it is known.
func By(who string) string {
	if who == "" {
		return ""
	}
	return " by " + safe(who)
}

// text is outside text as it is shown: clipped to a line, or whole.
func (t *Teller) text(s string) string {
	if !t.Full {
		return short(s, 100)
	}
	return safeLines(s)
}

// said puts a text after what it belongs to.
func (t *Teller) said(before, s string) string {
	if text := t.text(s); text != "" {
		return before + text
	}
	return ""
}

func (t *Teller) started(e rein.Event) string {
	start := payload[rein.RunStart](e)
	text := "started" + By(e.By)
	if start.After != "" {
		text += " after " + safe(string(start.After))
	}
	if len(start.Task.Tools) > 0 {
		text += " with tools " + safe(strings.Join(start.Task.Tools, ", "))
	}
	for _, m := range start.Task.Messages {
		if t.Full || m.Role == rein.User {
			text += t.said(separator(t.Full, m.Role), m.Text)
		}
	}
	return text
}

// separator leads in a message of the task: on a line of its own if there is room.
func separator(full bool, role rein.Role) string {
	if full {
		return "\n" + safe(string(role)) + ": "
	}
	return ": "
}

func (t *Teller) parked(p rein.Parked) string {
	text := "parked"
	if len(p.For) > 0 {
		text += ", waits for " + t.text(strings.Join(p.For, ", "))
	}
	if !p.Until.IsZero() {
		text += " until " + units.When(p.Until)
	}
	return text
}

func (t *Teller) ended(end rein.RunEnd) string {
	text := "ended: " + safe(string(end.End)) + t.said(": ", end.Text)
	if end.Failure != nil {
		text += t.failed(end.Failure)
	}
	return text
}

func (t *Teller) failed(f *rein.Failure) string {
	return ": " + t.text(f.Msg) + " (" + safe(string(f.Code)) + ")"
}

// command tells what someone sent, and what became of it.
func (t *Teller) command(e rein.Event) string {
	c, kind := payload[rein.Command](e), e.Kind.Command()
	text := safe(string(kind)) + By(e.By)
	switch kind {
	case rein.CommandAnswer:
		text += " to " + safe(string(c.Ask)) + ": " + t.Answer(c.Answer)
	case rein.CommandExpire:
		text = "nobody answered " + safe(string(c.Ask)) + " in time"
	case rein.CommandChild:
		return "run " + safe(string(c.Child)) + " ended: " + safe(string(c.End))
	case rein.CommandMode:
		text += ": " + safe(string(c.Mode)) + t.said(", ", c.Text)
	default:
		text += t.said(": ", c.Text)
	}
	if c.Cause != "" {
		text += " (because of " + safe(string(c.Cause)) + ")"
	}
	return text + t.receipt(e.Seq, kind)
}

// receipt says what became of a message; that the others were obeyed shows by itself.
func (t *Teller) receipt(seq int64, kind rein.CommandKind) string {
	r, ok := t.Receipts[seq]
	if !ok || kind != rein.CommandMessage && kind != rein.CommandModify {
		return ""
	}
	switch r.State {
	case rein.ReceiptApplied:
		return fmt.Sprintf(" — read at step %s", safe(string(r.Step)))
	case rein.ReceiptStarted:
		return " — started run " + safe(string(r.Started))
	}
	return " — " + safe(string(r.State))
}

// Answer says what someone answered.
func (t *Teller) Answer(a rein.Answer) string {
	text := safe(string(a.State)) + inMode(a.Mode) + t.said(": ", a.Text)
	if a.State == rein.AskAnswered {
		text = t.text(a.Text)
	}
	if len(a.Args) > 0 {
		text += ": " + t.text(string(a.Args))
	}
	return text
}
