package timeline

import (
	"cmp"

	"rein"
	"rein/journal"
)

// step takes an event of a step, or of a call inside one.
func (t *Timeline) step(e rein.Event) {
	step, known := t.see(e)
	if step == nil {
		return
	}
	if !known && step.Over() && step.End.Verb == "" {
		return // who took the log over ended it once more: the first counts
	}
	o := t.open[step.Key]
	if o == nil {
		o = &open{attempt: step.Attempts}
		t.open[step.Key] = o
	}
	waited := e.Kind != rein.StepWaiting && e.Kind != rein.AskOpened && o.waited()
	switch e.Kind {
	case rein.StepStarted, rein.SubStarted:
		t.begun(e, step, o)
	case rein.StepAttempt:
		t.tried(e, step, o, waited)
	case rein.StepWaiting:
		t.waiting(e, step, o)
	case rein.StepIntent:
		if tool, ok := o.item.(*Tool); ok {
			tool.State = ToolRunning
			tool.changed()
		}
	case rein.StepDone, rein.SubDone:
		t.done(e, step, o)
		delete(t.open, step.Key)
	}
}

// see returns the step that an event belongs to, and whether it was under way before.
func (t *Timeline) see(e rein.Event) (step *journal.Step, known bool) {
	key := e.Step
	if e.Kind != rein.SubStarted && e.Kind != rein.SubDone {
		key = key.Step()
	}
	known = t.steps.Find(e.Run, key) != nil
	return t.steps.See(e), known
}

// waited ends the wait of a step, and reports whether it waited.
func (o *open) waited() bool {
	if o.wait == nil {
		return false
	}
	o.wait.Live = false
	o.wait.changed()
	o.wait = nil
	return true
}

func stepBase(e rein.Event, step *journal.Step) Base {
	return Base{ID: string(step.Run) + "/" + string(step.Key), Run: step.Run, Step: step.Key, At: e.At}
}

func (t *Timeline) begun(e rein.Event, step *journal.Step, o *open) {
	o.attempt = step.Attempts
	if step.Round > 0 && step.Inside == "" {
		t.Step.N = step.Round
	}
	switch {
	case step.Inside != "":
		t.subBegun(e, step)
	case step.Start.Prompt != nil:
		t.prompted(e, step, o)
	case step.Call() != nil:
		o.item = &Tool{Base: stepBase(e, step), Call: step, State: ToolRunning}
		t.add(o.item)
	}
}

func (t *Timeline) prompted(e rein.Event, step *journal.Step, o *open) {
	if step.Start.Prompt.Closing {
		t.remark(e, 0, RemarkLimit, "a limit is reached: one last answer follows", "")
	}
	if t.Flow == "answer" && step.Phase == "decide" && step.Round == 1 && step.Human != "" && newest(t, func(*Plan) bool { return true }) == nil {
		plan := &Plan{Base: stepBase(e, step), Text: step.Human}
		plan.ID += "/plan"
		t.add(plan)
	}
	switch {
	case step.Streams():
		o.item = &Model{Base: stepBase(e, step), Said: step, Live: true}
		o.text.reset()
		t.add(o.item)
	case step.Thinks():
		o.item = &Phase{Base: stepBase(e, step), Said: step, Live: true}
		t.add(o.item)
	}
}

// subBegun shows a call inside a step: a summary, a repair of arguments, what a tool asks of the model or of its tree.
func (t *Timeline) subBegun(e rein.Event, step *journal.Step) {
	switch {
	case step.Start.Folds != nil:
		t.remark(e, 0, RemarkCompaction, Inside(*step.Start), "")
	case step.Start.Tree != nil && step.Verb == rein.VerbSpawn: // the run that it starts is shown
	default:
		t.remark(e, 0, RemarkNotice, Inside(*step.Start), "")
	}
}

// tried begins a step again. Waited says that its wait was shown: then the try goes without saying.
func (t *Timeline) tried(e rein.Event, step *journal.Step, o *open, waited bool) {
	a := read[rein.Attempt](e)
	again := waited || step.Attempts > 1
	if step.Attempts > 1 && (a.Why != "" || !waited) {
		t.remark(e, 0, RemarkAttempt, "trying again", a.Why)
	}
	o.attempt, o.bytes = step.Attempts, 0
	o.text.reset()
	switch item := o.item.(type) {
	case *Model:
		item.Text = ""
		item.changed()
		t.lower(item, again)
	case *Phase:
		t.lower(item, again)
	case *Tool:
		item.Output, item.State = "", ToolRunning
		item.changed()
	}
}

func (t *Timeline) waiting(e rein.Event, step *journal.Step, o *open) {
	w := read[rein.Waiting](e)
	t.use(w.Usage)
	o.waited()
	of := base(e, 0)
	of.Step = step.Key
	o.wait = &Wait{Base: of, Why: w.Why, Until: w.Until, Model: w.Model, Live: true}
	t.add(o.wait)
}

func (t *Timeline) done(e rein.Event, step *journal.Step, o *open) {
	end := step.End
	t.use(end.Usage)
	for _, item := range end.Items {
		t.received(item.Command, step.Key)
	}
	switch {
	case step.Inside != "":
		t.subDone(e, step)
	case step.Start != nil && step.Start.Prompt != nil:
		t.replied(e, step, o)
	case step.Verb == rein.VerbTool && (step.Start == nil || step.Call() != nil):
		t.called(e, step, o)
	}
	switch {
	case step.Verb == rein.VerbSpawn && end.Child != "":
		t.spawned(e, step)
	case step.Verb == rein.VerbWait && end.Outcome != nil:
		t.childEnded(step.Child, end.Outcome.End)
	}
}

// called completes the call of a tool. One that ended as soon as it began has no item yet.
func (t *Timeline) called(e rein.Event, step *journal.Step, o *open) {
	item, ok := o.item.(*Tool)
	if !ok {
		item = &Tool{Base: stepBase(e, step), Call: step}
		t.add(item)
	}
	item.State, item.Output = stateOf(step), ""
	item.changed()
	if list, left := step.Todo(); left {
		t.Todo = &list
	}
}

func stateOf(step *journal.Step) ToolState {
	end := step.End
	if end.Result == nil {
		if end.Failure != nil && end.Failure.Code.Interrupts() {
			return ToolCancelled
		}
		return ToolFailed
	}
	switch end.Result.Status {
	case rein.ToolOK:
		if exit, ok := journal.ExitOf(step.Tool, *end); ok && exit.Failed() {
			return ToolFailed
		}
		return ToolOK
	case rein.ToolRefused:
		return ToolRefused
	case rein.ToolUnknown:
		return ToolUnknown
	case rein.ToolSkipped:
		return ToolCancelled
	}
	return ToolFailed
}

func (t *Timeline) spawned(e rein.Event, step *journal.Step) {
	run := step.End.Child
	of := stepBase(e, step)
	of.ID += "/child"
	item := &Child{Base: of, Child: run, Status: rein.StatusRunning}
	if child := t.Children[run]; child != nil {
		item.Question, item.Status = child.question(), child.Status
	}
	if step.Start != nil && step.Start.Tree != nil {
		item.Question = cmp.Or(item.Question, step.Start.Tree.Prompt)
	}
	t.add(item)
}

func (t *Timeline) subDone(e rein.Event, step *journal.Step) {
	if step.End.Failure == nil {
		return
	}
	sub := RemarkNotice
	if step.Start != nil && step.Start.Folds != nil {
		sub = RemarkCompaction
	}
	t.remark(e, 0, sub, InsideFailed(step.Start), failureWords(step.End.Failure))
}
