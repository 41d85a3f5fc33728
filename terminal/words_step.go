package terminal

import (
	"fmt"
	"strings"

	"rein"
	"rein/internal/units"
	"rein/journal"
)

// step tells an event of a step.
func (t *Teller) step(e rein.Event) string {
	step := t.steps.See(e)
	if step == nil {
		return safe(string(e.Kind)) // of a newer program, or of no step
	}
	switch e.Kind {
	case rein.StepStarted:
		return t.begun(*step.Start)
	case rein.SubStarted:
		return t.sub(*step.Start)
	case rein.SubDone:
		return t.subDone(step)
	case rein.StepAttempt:
		a := payload[rein.Attempt](e)
		if a.N == 1 { // what had to be settled before it is settled
			return "goes ahead" + t.repaired(a.Mend)
		}
		return fmt.Sprintf("attempt %d", a.N) + t.said(": ", a.Why) + t.repaired(a.Mend)
	case rein.StepRenewed:
		return "still answering: given more time"
	case rein.StepWaiting:
		w := payload[rein.Waiting](e)
		text := "waits until " + units.When(w.Until) + t.said(": ", w.Why)
		if w.Model != "" {
			text += "; then asks " + safe(w.Model)
		}
		return text
	case rein.StepIntent:
		intent := payload[rein.Intent](e)
		return fmt.Sprintf("about to be sent (%s)%s", safe(string(intent.Effect)), allowedBy(intent.Allowed))
	case rein.StepChecked:
		p := payload[rein.Checked](e)
		return "did it happen? " + safe(string(p.State)) + t.said(": ", p.Error)
	case rein.AskOpened:
		return t.opened(payload[rein.Ask](e))
	case rein.StepDone:
		return t.done(step)
	}
	return safe(string(e.Kind)) // of a newer program
}

func (t *Teller) begun(s rein.StepStart) string {
	human := t.said(" — ", s.Human)
	switch {
	case s.Prompt != nil:
		text := t.name(s) + ": asked with " + units.Count(int64(s.Prompt.Keep+len(s.Prompt.Add)), "message")
		if len(s.Prompt.Tools) > 0 {
			text += ", tools " + safe(strings.Join(s.Prompt.Tools, ", "))
		}
		if s.Prompt.Folds != nil {
			text += ", " + folded(s.Prompt.Folds) + " as a summary"
		}
		return text + human + t.messages(s.Prompt.Add)
	case s.Call != nil:
		if s.Tool == s.Call.Name { // the model spelled it right
			s.Tool = ""
		}
		return t.name(s) + ": begins" + t.repaired(s.Mend) + human
	case s.Child != "":
		return t.name(s) + human
	}
	return "asks a person" + human
}

// messages are the new ones of a prompt, if everything is wanted.
func (t *Teller) messages(add []rein.Message) string {
	if !t.Full {
		return ""
	}
	text := ""
	for _, m := range add {
		text += "\n" + safe(string(m.Role)) + ": " + safeLines(m.Text) + t.calls(m.Calls)
	}
	return text
}

// name says whom a step calls: "model decide", "tool echo {…}".
func (t *Teller) name(s rein.StepStart) string {
	switch {
	case s.Prompt != nil:
		text := "model"
		if s.Prompt.Model != "" {
			text += " " + safe(s.Prompt.Model)
		}
		if s.Phase != "" {
			text += " " + safe(s.Phase)
		}
		return text
	case s.Call != nil:
		return "tool " + t.call(*s.Call)
	case s.Child != "":
		return "wait for run " + safe(string(s.Child))
	}
	return "ask"
}

func (t *Teller) call(c rein.ToolCall) string {
	return safe(c.Name) + t.said(" ", string(c.Args))
}

func (t *Teller) calls(calls []rein.ToolCall) string {
	if len(calls) == 0 {
		return ""
	}
	list := make([]string, len(calls))
	for i, c := range calls {
		list[i] = t.call(c)
	}
	return " calls " + strings.Join(list, ", ")
}

// opened tells an ask, and where it stands by now.
func (t *Teller) opened(ask rein.Ask) string {
	text := "ask: " + t.text(ask.Text)
	if ask.Kind == rein.AskUnknown {
		text = "unknown outcome: " + t.text(ask.Text)
	}
	if len(ask.Choices) > 0 {
		text += " [" + t.text(strings.Join(ask.Choices, ", ")) + "]"
	}
	now, ok := t.Asks[ask.ID]
	if !ok {
		now = ask
	}
	return text + " — " + safe(string(now.State)) + By(now.Answer.By)
}

// done tells how a step ended.
func (t *Teller) done(step *journal.Step) string {
	name := verb(*step.End)
	if step.Start != nil {
		name = t.name(*step.Start)
	}
	return t.result(name, *step.End) + t.costs(*step.End)
}

// verb names a step that was over as soon as it began.
func verb(end rein.StepEnd) string {
	child := end.Waited()
	switch {
	case end.Verb == rein.VerbTool && end.Tool != "":
		return safe("tool " + end.Tool)
	case child != "":
		return safe("wait for run " + string(child))
	case end.Verb != "":
		return safe(string(end.Verb))
	}
	return "step"
}

func (t *Teller) result(name string, end rein.StepEnd) string {
	switch {
	case end.Message != nil:
		return name + " →" + t.said(" ", end.Message.Text) + t.calls(end.Message.Calls)
	case end.Result != nil:
		return name + " → " + safe(string(end.Result.Status)) + took(end) + resultNotes(end) + t.said(": ", end.Result.Text)
	case end.Failure != nil:
		return name + " → " + t.why(end) + t.said("; it had said: ", end.Partial)
	case end.Answer != nil:
		return name + " → " + t.Answer(*end.Answer) + By(end.Answer.By)
	case end.Child != "":
		return "spawned run " + safe(string(end.Child))
	case end.Outcome != nil:
		return name + " → " + safe(string(end.Outcome.End)) + t.said(": ", end.Outcome.Text)
	case name == "inbox" || len(end.Items) > 0:
		return t.inbox(end.Items)
	}
	return name + " → done"
}

// why says what kept a step from its result.
func (t *Teller) why(end rein.StepEnd) string {
	if code := end.Failure.Code; code.Interrupts() {
		return safe(string(code)) + took(end)
	}
	return "failed" + took(end) + t.failed(end.Failure)
}

func (t *Teller) inbox(items []rein.Item) string {
	if len(items) == 0 {
		return "inbox: nothing new"
	}
	list := make([]string, len(items))
	for i, item := range items {
		list[i] = safe(string(item.Kind)) + By(item.By) + t.said(": ", item.Text)
	}
	return "inbox: " + strings.Join(list, "; ")
}

func took(end rein.StepEnd) string {
	if end.Duration == 0 {
		return ""
	}
	return " " + units.Span(end.Duration)
}

// costs says what a model call took.
func (t *Teller) costs(end rein.StepEnd) string {
	var parts []string
	if end.Message != nil {
		if end.Model != "" {
			parts = append(parts, safe(end.Model))
		}
		if u := end.Usage; u != nil {
			parts = append(parts, fmt.Sprintf("%s + %s tokens", units.Number(u.Input), units.Number(u.Output)))
			if u.Micros != 0 {
				parts = append(parts, "cost "+t.Currency.Money(u.Micros))
			}
		}
		parts = append(parts, units.Span(end.Duration))
	}
	if end.Overrun {
		parts = append(parts, "over its limit")
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// allowedBy says what let a call through, if it is more than that its tool asks nobody.
func allowedBy(what string) string {
	if what == "tool" {
		return ""
	}
	return after(", allowed by: ", safe(what))
}
