package timeline

import (
	"cmp"
	"strings"
	"time"

	"rein"
	"rein/journal"
)

// Activity is the kind of what a run does.
type Activity string

const (
	Starting  Activity = "starting"
	OnModel   Activity = "model"
	OnTool    Activity = "tool"
	OnChild   Activity = "child"
	OnWait    Activity = "wait" // a model call waits for its turn, or before a retry
	OnAsk     Activity = "ask"
	OnPause   Activity = "paused"
	OnParked  Activity = "parked"
	OnBlocked Activity = "blocked"
	OnWork    Activity = "working"
)

// Doing is what a run does now, in words.
type Doing struct {
	Kind  Activity
	Text  string
	Since time.Time
	Until time.Time // zero: not known
	Tool  string
}

// Doing returns what the run does now. ok is false of one that has ended.
func (t *Timeline) Doing() (d Doing, ok bool) {
	asks := t.asks.Open()
	switch {
	case !t.Ended.IsZero():
		return d, false
	case t.Paused != nil:
		return Doing{Kind: OnPause, Text: "paused" + after(" by ", t.Paused.By), Since: t.Paused.At}, true
	case len(asks) > 0:
		return Doing{Kind: OnAsk, Text: "waiting for you", Since: asks[0].Opened, Until: asks[0].Deadline}, true
	case t.Status == rein.StatusBlocked:
		return Doing{Kind: OnBlocked, Text: "blocked", Since: t.since}, true
	case t.Status == rein.StatusWaiting && t.parked != nil:
		if step := t.retries(); step != nil {
			return stepDoing(step), true
		}
		return Doing{Kind: OnParked, Text: "waiting" + after(" for ", strings.Join(t.parked.For, ", ")), Since: t.since, Until: t.parked.Until}, true
	}
	open := t.steps.Open()
	for i := len(open) - 1; i >= 0; i-- {
		if step := open[i]; step.Start != nil || step.Waiting != nil {
			return stepDoing(step), true
		}
	}
	if t.Status == rein.StatusReady {
		return Doing{Kind: Starting, Text: "starting", Since: t.Started}, true
	}
	return Doing{Kind: OnWork, Text: "working", Since: t.Started}, true
}

// retries is the model call that a parked run waits for, if it waits for nothing else: the call says why.
func (t *Timeline) retries() (waits *journal.Step) {
	if len(t.parked.For) > 1 {
		return nil
	}
	for _, step := range t.steps.Open() {
		if step.Waiting != nil {
			waits = step
		}
	}
	return waits
}

func stepDoing(step *journal.Step) Doing {
	d := Doing{Kind: OnWork, Text: cmp.Or(step.Human, "working"), Since: step.Began}
	switch {
	case step.Waiting != nil:
		d.Kind, d.Text, d.Until = OnWait, "waiting"+after(": ", step.Waiting.Why), step.Waiting.Until
	case step.Call() != nil:
		d.Kind, d.Text, d.Tool = OnTool, cmp.Or(step.Human, step.Tool), step.Tool
	case step.Inside != "" && step.Start.Tree != nil:
		d.Kind, d.Text = OnChild, Inside(*step.Start)
	case step.Inside != "":
		d.Kind, d.Text = OnModel, Inside(*step.Start)
	case step.Verb == rein.VerbWait || step.Verb == rein.VerbSpawn:
		d.Kind, d.Text = OnChild, cmp.Or(step.Human, "waiting for run"+after(" ", string(step.Child)))
	case step.Start.Prompt != nil:
		d.Kind, d.Text = OnModel, cmp.Or(step.Human, "thinking")
	}
	return d
}

// after puts a text behind what leads to it, if there is one.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}
