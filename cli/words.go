package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/internal/units"
)

// A teller says in words what an event tells. It sees the events of a log in order, because the end
// of a step does not repeat what its beginning said.
type teller struct {
	*view
	full  bool
	steps map[rein.StepKey]rein.StepStart
}

// payload reads an event's payload; what cannot be read stays empty.
func payload[T any](e rein.Event) T {
	p, _ := rein.Payload[T](e) // tell says so if it is not JSON at all
	return p
}

func (t *teller) tell(e rein.Event) string {
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
		return "tried again" + by(e.By)
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		return t.ended(payload[rein.RunEnd](e))
	}
	return t.step(e)
}

// erased says what is known without the payload.
func (t *teller) erased(e rein.Event) string {
	if kind := e.Kind.Command(); kind != "" {
		return safe(string(kind)) + by(e.By) + " (erased)"
	}
	return safe(string(e.Kind)) + by(e.By) + " (erased)"
}

func by(who string) string {
	if who == "" {
		return ""
	}
	return " by " + safe(who)
}

// text is outside text as it is shown: clipped to a line, or whole.
func (t *teller) text(s string) string {
	if !t.full {
		return short(s, 100)
	}
	return safeLines(s)
}

// said puts a text after what it belongs to.
func (t *teller) said(before, s string) string {
	if text := t.text(s); text != "" {
		return before + text
	}
	return ""
}

func (t *teller) started(e rein.Event) string {
	start := payload[rein.RunStart](e)
	text := "started" + by(e.By)
	if start.After != "" {
		text += " after " + safe(string(start.After))
	}
	if len(start.Task.Tools) > 0 {
		text += " with tools " + safe(strings.Join(start.Task.Tools, ", "))
	}
	for _, m := range start.Task.Messages {
		if t.full || m.Role == rein.User {
			text += t.said(separator(t.full, m.Role), m.Text)
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

func (t *teller) parked(p rein.Parked) string {
	text := "parked"
	if len(p.For) > 0 {
		text += ", waits for " + t.text(strings.Join(p.For, ", "))
	}
	if !p.Until.IsZero() {
		text += " until " + units.When(p.Until)
	}
	return text
}

func (t *teller) ended(end rein.RunEnd) string {
	text := "ended: " + safe(string(end.End)) + t.said(": ", end.Text)
	if end.Failure != nil {
		text += t.failed(end.Failure)
	}
	return text
}

func (t *teller) failed(f *rein.Failure) string {
	return ": " + t.text(f.Msg) + " (" + safe(string(f.Code)) + ")"
}

// command tells what someone sent, and what became of it.
func (t *teller) command(e rein.Event) string {
	c, kind := payload[rein.Command](e), e.Kind.Command()
	text := safe(string(kind)) + by(e.By)
	switch kind {
	case rein.CommandAnswer:
		text += " to " + safe(string(c.Ask)) + ": " + t.answer(c.Answer)
	case rein.CommandExpire:
		text = "nobody answered " + safe(string(c.Ask)) + " in time"
	case rein.CommandChild:
		return "run " + safe(string(c.Child)) + " ended: " + safe(string(c.End))
	default:
		text += t.said(": ", c.Text)
	}
	if c.Cause != "" {
		text += " (because of " + safe(string(c.Cause)) + ")"
	}
	return text + t.receipt(e.Seq, kind)
}

// receipt says what became of a message; that the others were obeyed shows by itself.
func (t *teller) receipt(seq int64, kind rein.CommandKind) string {
	r, ok := t.receipts[seq]
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

func (t *teller) answer(a rein.Answer) string {
	text := safe(string(a.State)) + t.said(": ", a.Text)
	if a.State == rein.AskAnswered {
		text = t.text(a.Text)
	}
	if len(a.Args) > 0 {
		text += ": " + t.text(string(a.Args))
	}
	return text
}
