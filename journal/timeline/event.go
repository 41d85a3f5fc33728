package timeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
	"rein/journal"
)

// turns names the setting of a flow that limits its turns.
var turns = map[string]string{
	"operate": "rounds", "explore": "rounds", "strict": "max_steps", "research": "reflections", "code": "reflections", "task": "turns",
}

// take takes the next event of this run; false: it is known.
func (t *Timeline) take(e rein.Event) bool {
	if e.Seq <= t.Seq {
		return false
	}
	t.Seq, t.Erased = e.Seq, t.Erased || e.Erased
	if e.Kind.Command() == "" && e.Kind != rein.RunParked && e.Kind != rein.RunStarted {
		t.driven()
	}
	for _, ask := range t.asks.See(e) {
		t.asked(e, ask)
	}
	switch e.Kind {
	case rein.RunStarted:
		t.started(e)
	case rein.RunParked:
		p := read[rein.Parked](e)
		t.Status, t.parked, t.since = rein.StatusWaiting, &p, e.At
	case rein.RunBlocked:
		t.Status, t.since = rein.StatusBlocked, e.At
		t.remark(e, 0, RemarkBlocked, "blocked", read[rein.Blocked](e).Reason)
	case rein.RunResumed:
		t.Status = rein.StatusReady
		t.remark(e, 0, RemarkResumed, "tried again", "")
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		t.ended(e)
	default:
		if kind := e.Kind.Command(); kind != "" {
			t.command(e, kind, read[rein.Command](e))
			break
		}
		t.step(e)
	}
	return true
}

// read returns the payload of an event; of one that was erased or cannot be read, nothing.
func read[T any](e rein.Event) T {
	p, _ := rein.Payload[T](e)
	return p
}

// driven takes note that a process drives the run.
func (t *Timeline) driven() {
	if t.Status == rein.StatusReady || t.Status == rein.StatusWaiting {
		t.Status, t.parked = rein.StatusRunning, nil
	}
}

// base is that of the nth item that an event adds.
func base(e rein.Event, n int) Base {
	id := fmt.Sprintf("%s#%d", e.Run, e.Seq)
	if n > 0 {
		id += fmt.Sprintf(".%d", n)
	}
	return Base{ID: id, Run: e.Run, Step: e.Step, At: e.At}
}

func (t *Timeline) remark(e rein.Event, n int, sub Remark, text, why string) {
	t.add(&Rein{Base: base(e, n), Sub: sub, Text: text, By: e.By, Why: why})
}

func (t *Timeline) started(e rein.Event) {
	start := read[rein.RunStart](e)
	task := start.Task
	t.Status, t.Started, t.By = rein.StatusReady, e.At, e.By
	t.Flow, t.Title, t.Mode, t.Session, t.Workspace = task.Flow, titleOf(task), task.Mode.Or(rein.ModeAsk), task.Session, task.Workspace
	t.After, t.Step = start.After, Step{Of: turnsOf(task)}
	for n, m := range task.Messages {
		switch {
		case m.Role == rein.User:
			t.add(&Person{Base: base(e, n), Sub: SaidTask, Text: m.Text, Images: m.Images, By: e.By, From: e.Run.Parent()})
		case m.Role == rein.Assistant && m.Text != "":
			t.add(&Model{Base: base(e, n), Text: m.Text, Final: true})
		}
	}
	const notices, mode = 1000, 2000 // their items are numbered from there on
	for n, text := range task.Notices {
		t.remark(e, notices+n, RemarkNotice, text, "")
	}
	if t.Mode != rein.ModeAsk && e.Run.Parent() == "" {
		t.remark(e, mode, RemarkMode, "mode "+string(t.Mode), "")
	}
}

// titleOf is the first line of what was last asked.
func titleOf(task rein.Task) (title string) {
	for _, m := range task.Messages {
		if m.Role == rein.User {
			title, _, _ = strings.Cut(strings.TrimSpace(m.Text), "\n")
		}
	}
	return title
}

// turnsOf is how many turns the flow may take, or 0.
func turnsOf(task rein.Task) int {
	var settings map[string]json.RawMessage
	var n float64
	if json.Unmarshal(task.Settings, &settings) != nil || json.Unmarshal(settings[turns[task.Flow]], &n) != nil {
		return 0
	}
	return int(n)
}

// asked takes in an ask that an event opened or closed.
func (t *Timeline) asked(e rein.Event, ask rein.Ask) {
	known := newest(t, func(it *Ask) bool { return it.Ask.ID == ask.ID })
	if known == nil {
		of := base(e, 0)
		of.ID, of.Step = string(ask.ID), ask.Step
		t.add(&Ask{Base: of, Ask: ask})
	} else {
		known.Ask = ask
		known.changed()
	}
	tool := t.toolOf(ask.Step)
	switch {
	case tool == nil:
	case ask.State == rein.AskPending:
		tool.Ask, tool.State = ask.ID, ToolWaiting
		tool.changed()
	case known == nil:
		tool.Ask = ask.ID
		tool.changed()
	case tool.State == ToolWaiting && !t.waits(ask.Step):
		tool.State = ToolRunning
		tool.changed()
	}
}

// waits reports whether a step waits for a person.
func (t *Timeline) waits(step rein.StepKey) bool {
	for _, ask := range t.asks.Open() {
		if ask.Step == step {
			return true
		}
	}
	return false
}

// toolOf returns the call of a step that is under way, or nil.
func (t *Timeline) toolOf(step rein.StepKey) *Tool {
	if o := t.open[step.Step()]; o != nil {
		tool, _ := o.item.(*Tool)
		return tool
	}
	return nil
}

// command takes in what people, and timers and children, send. That it reached the runs below goes without saying.
func (t *Timeline) command(e rein.Event, kind rein.CommandKind, c rein.Command) {
	own := c.Cause == ""
	switch kind {
	case rein.CommandMessage, rein.CommandModify, rein.CommandComment:
		t.said(e, kind, c)
	case rein.CommandPause:
		t.Paused = &Pause{By: e.By, Why: c.Text, At: e.At}
		if own {
			t.remark(e, 0, RemarkPaused, "paused", c.Text)
		}
	case rein.CommandResume:
		t.Paused = nil
		if own {
			t.remark(e, 0, RemarkResumed, "resumed", "")
		}
	case rein.CommandMode:
		t.Mode = cmp.Or(c.Mode, t.Mode)
		if own {
			t.remark(e, 0, RemarkMode, "mode "+string(c.Mode), "")
		}
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
		t.Ending = kind
		if own {
			t.remark(e, 0, RemarkStopped, string(kind.Ends()), c.Text)
		}
	case rein.CommandAnswer:
		t.Mode = cmp.Or(c.Answer.Mode, t.Mode)
	case rein.CommandChild:
		t.childEnded(c.Child, c.End)
	}
}

func (t *Timeline) said(e rein.Event, kind rein.CommandKind, c rein.Command) {
	switch {
	case c.From != "":
		t.remark(e, 0, RemarkMessage, "message from run "+string(c.From), c.Text)
	case c.Cause == "":
		p := &Person{Base: base(e, 0), Sub: Said(kind), Text: c.Text, By: cmp.Or(e.By, c.By)}
		if kind != rein.CommandComment {
			p.Receipt = rein.ReceiptPending
		}
		t.add(p)
	}
}

// received takes note that the run has read a command.
func (t *Timeline) received(command rein.CommandID, step rein.StepKey) {
	id := t.idOf(command)
	if p := newest(t, func(p *Person) bool { return p.ID == id }); p != nil {
		p.Receipt, p.Applied = rein.ReceiptApplied, step
		p.changed()
	}
}

// idOf is the ID of the item of what was sent to this run.
func (t *Timeline) idOf(command rein.CommandID) string {
	return base(rein.Event{Run: t.Run, Seq: command.Seq()}, 0).ID
}

func (t *Timeline) childItem(run rein.RunID) *Child {
	return newest(t, func(c *Child) bool { return c.Child == run })
}

func (t *Timeline) childEnded(run rein.RunID, end rein.End) {
	if c := t.childItem(run); c != nil && end != "" {
		c.Status = rein.Status(end)
		c.changed()
	}
}

// childChanged takes note of what is known of a child now.
func (t *Timeline) childChanged(child *Timeline) {
	if c := t.childItem(child.Run); c != nil {
		c.Question, c.Status = cmp.Or(child.question(), c.Question), child.Status
		c.changed()
	}
}

// question is what a child was asked.
func (t *Timeline) question() string {
	if p := newest(t, func(p *Person) bool { return p.Sub == SaidTask }); p != nil {
		return p.Text
	}
	return ""
}

func (t *Timeline) use(u *rein.Usage) {
	if u != nil {
		t.Usage = journal.Sum(t.Usage, *u)
	}
}
