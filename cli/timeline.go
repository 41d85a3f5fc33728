package cli

import (
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/flow"
	"rein/internal/lenient"
	"rein/internal/units"
)

// A timeline shows a tree of runs while it happens: the root's text on standard output, all else on
// standard error, in order.
type timeline struct {
	*call
	root   rein.RunID
	stream stream
	steps  map[stepOf]rein.StepStart
	last   stepOf      // whose beginning is the last line
	answer string      // the newest text of the root's model, as it was shown
	calls  bool        // it leads to calls
	draft  *flow.Draft // of the answer, if its citations are checked
	usage  rein.Usage

	under  []stepOf // the steps that are under way, in the order in which they began
	paused bool
	why    string // the newest error of a model that was told
	sent   string // the text with which this terminal stopped the run

	prompted bool // the last line is a prompt, which waits for a person
}

type stepOf struct {
	run  rein.RunID
	step rein.StepKey
}

func newTimeline(c *call, root rein.RunID) *timeline {
	return &timeline{call: c, root: root, stream: stream{c: c}, steps: map[stepOf]rein.StepStart{}}
}

// say writes a line on standard error that may hold words of others.
func (t *timeline) say(run rein.RunID, colour, text string) {
	t.own("", colour, t.screen.folded(t.of(run)+text))
}

// of says which run a line is about, if it is not the one that is watched.
func (t *timeline) of(run rein.RunID) string {
	if run == t.root || run == "" {
		return ""
	}
	return "[" + safe(string(run)) + "] "
}

// quote writes the text of another on standard error, set apart from what rein says.
func (t *timeline) quote(text string) {
	t.own("", "", strings.TrimSuffix(t.screen.quoted(text), "\n"))
}

// own writes a line on standard error that is rein's own.
func (t *timeline) own(run rein.RunID, colour, text string) {
	t.stream.endLine()
	t.last = stepOf{}
	text = t.of(run) + text
	if t.prompted {
		t.note("")
		t.prompted = false
	}
	t.note("%s", t.screen.paint(colour, text))
}

// line shows one line of the feed.
func (t *timeline) line(l api.Line) {
	switch {
	case l.Delta != nil:
		t.delta(*l.Delta)
	case l.Event != nil:
		t.event(*l.Event)
	}
}

// delta streams the root's answers; prompts inside a step and children's texts are not for people.
func (t *timeline) delta(d rein.Delta) {
	if start, ok := t.steps[stepOf{d.Run, d.Step}]; ok && start.Prompt != nil && d.Run == t.root && t.screen.text {
		t.stream.piece(d)
	}
}

// recall takes note of a step that began before this terminal came, so that its end has a name.
func (t *timeline) recall(e *rein.Event) {
	if e == nil {
		return
	}
	t.observe(*e)
	t.follow(*e)
	switch key := (stepOf{e.Run, e.Step}); e.Kind {
	case rein.StepStarted, rein.SubStarted:
		t.steps[key] = payload[rein.StepStart](*e)
	case rein.StepDone, rein.SubDone:
		delete(t.steps, key)
	}
}

// follow keeps account of what is under way.
func (t *timeline) follow(e rein.Event) {
	key := stepOf{e.Run, e.Step}
	switch {
	case e.Kind == rein.StepStarted || e.Kind == rein.SubStarted:
		t.under = append(t.under, key)
	case e.Kind == rein.StepDone || e.Kind == rein.SubDone:
		t.under = slices.DeleteFunc(t.under, func(k stepOf) bool { return k == key })
	case e.Kind.Ends():
		t.under = slices.DeleteFunc(t.under, func(k stepOf) bool { return k.run == e.Run })
	case e.Run == t.root && e.Kind.Command() == rein.CommandPause:
		t.paused = true
	case e.Run == t.root && e.Kind.Command() == rein.CommandResume:
		t.paused = false
	}
}

// observe keeps what the answer can be checked against.
func (t *timeline) observe(e rein.Event) {
	switch {
	case e.Run != t.root:
	case e.Kind == rein.RunStarted:
		if task := payload[rein.RunStart](e).Task; task.Flow == "answer" {
			t.draft = flow.NewDraft(task)
			t.stream.shape = t.draft.Shown
		}
	case e.Kind == rein.StepDone && t.draft != nil:
		start, end := t.steps[stepOf{e.Run, e.Step}], payload[rein.StepEnd](e)
		if start.Call != nil && end.Result != nil {
			t.draft.Observe(*start.Call, *end.Result)
		}
	}
}

func (t *timeline) event(e rein.Event) {
	key := stepOf{e.Run, e.Step}
	t.observe(e)
	t.follow(e)
	switch e.Kind {
	case rein.StepStarted:
		start := payload[rein.StepStart](e)
		t.steps[key] = start
		t.begun(key, start)
	case rein.SubStarted:
		start := payload[rein.StepStart](e)
		t.steps[key] = start
		t.subBegun(e.Run, start)
	case rein.StepWaiting:
		t.waits(e.Run, payload[rein.Waiting](e))
	case rein.StepAttempt:
		t.tried(key, payload[rein.Attempt](e))
	case rein.StepDone:
		t.done(key, payload[rein.StepEnd](e))
		delete(t.steps, key)
	case rein.SubDone:
		t.subDone(key, payload[rein.StepEnd](e))
		delete(t.steps, key)
	case rein.RunStarted:
		for _, notice := range payload[rein.RunStart](e).Task.Notices {
			t.say(e.Run, colourQuiet, t.screen.signs.note+" "+short(notice, 300))
		}
		if e.Run != t.root {
			t.say(e.Run, colourQuiet, t.screen.signs.note+" started: "+short(taskText(payload[rein.RunStart](e).Task), 100))
		}
	case rein.CommandPause.EventKind(), rein.CommandResume.EventKind():
		t.held(e)
	case rein.CommandMessage.EventKind(), rein.CommandModify.EventKind(), rein.CommandStop.EventKind(), rein.CommandCancel.EventKind(), rein.CommandDelete.EventKind():
		t.told(e)
	case rein.RunBlocked:
		t.say(e.Run, colourBad, t.screen.signs.fail+" blocked: "+short(payload[rein.Blocked](e).Reason, 300))
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		if e.Run != t.root {
			end := payload[rein.RunEnd](e)
			t.say(e.Run, colourQuiet, t.screen.signs.note+" ended: "+safe(string(end.End))+after(": ", short(end.Text, 100)))
		}
	}
}

// held tells that someone paused the tree or let it go on. That it reached the runs below goes without
// saying.
func (t *timeline) held(e rein.Event) {
	if e.Run != t.root && payload[rein.Command](e).Cause != "" {
		return
	}
	words := "resumed" + by(e.By)
	if e.Kind.Command() == rein.CommandPause {
		words = "paused" + by(e.By) + after(": ", short(payload[rein.Command](e).Text, 160)) + "; " + t.tip("resume "+string(t.root)) + " goes on"
	}
	t.say(e.Run, colourAsk, t.screen.signs.note+" "+words)
}

// wanted says in a word what someone sent.
var wanted = map[rein.CommandKind]string{
	rein.CommandMessage: "told", rein.CommandModify: "given another task",
	rein.CommandStop: "stopped", rein.CommandCancel: "cancelled", rein.CommandDelete: "deleted",
}

// told tells what someone sent to the run meanwhile. What this terminal sent it knows, and that an end
// reached the runs below goes without saying.
func (t *timeline) told(e rein.Event) {
	command := payload[rein.Command](e)
	if command.Cause != "" || command.Text == t.sent && t.sent != "" {
		return
	}
	t.say(e.Run, colourAsk, t.screen.signs.note+" "+wanted[e.Kind.Command()]+by(e.By)+after(": ", short(command.Text, 160)))
}

// tried tells that a call is made once more. What it is called with may have changed before the first
// time: a person can edit it.
func (t *timeline) tried(key stepOf, a rein.Attempt) {
	if start, ok := t.steps[key]; ok && start.Call != nil && a.Args != nil {
		call := *start.Call
		call.Args = withoutAdded(a.Args, call.Args)
		start.Call = &call
		t.steps[key] = start
	}
	if a.N > 1 && (a.Why != "" || t.why == "") { // that it waited says it already
		t.say(key.run, colourQuiet, t.screen.signs.note+" another try"+after(": ", short(a.Why, 160)))
	}
}

// waits tells that a model call has to wait, or that another model is asked.
func (t *timeline) waits(run rein.RunID, w rein.Waiting) {
	t.count(w.Usage)
	text := " waits until " + w.Until.Local().Format("15:04:05")
	if w.Model != "" {
		text = " asks " + safe(w.Model) + " instead"
	}
	t.say(run, colourQuiet, t.screen.signs.note+text+after(": ", t.reason(w.Why, "")))
}

// after puts a text behind what leads to it, if there is one.
func after(lead, text string) string {
	if text == "" {
		return ""
	}
	return lead + text
}

// taskText is what a run was asked to do.
func taskText(task rein.Task) string {
	for _, m := range task.Messages {
		if m.Role == rein.User {
			return m.Text
		}
	}
	return task.Flow
}

// begun shows the chip of a tool; that a model is asked shows by itself.
func (t *timeline) begun(key stepOf, start rein.StepStart) {
	if start.Call != nil && !start.Call.Internal {
		t.say(key.run, "", t.screen.signs.begin+" "+chipName(sent(start)))
		t.last = key
	}
}

func (t *timeline) done(key stepOf, end rein.StepEnd) {
	start := t.steps[key]
	t.count(end.Usage)
	switch {
	case start.Call != nil && start.Call.Internal: // the flow's own reading, no act
	case end.Message != nil:
		t.said(key, *end.Message)
	case end.Result != nil || start.Call != nil:
		t.toolDone(key, start, end)
	case end.Failure != nil && start.Prompt != nil:
		t.modelFailed(key, end)
	}
}

func (t *timeline) count(used *rein.Usage) {
	if used != nil {
		t.usage.Input += used.Input
		t.usage.Output += used.Output
		t.usage.Micros += used.Micros
	}
}

// said completes what the model said. Where nobody reads along, what leads to calls is a remark; the
// answer comes alone at the end.
func (t *timeline) said(key stepOf, m rein.Message) {
	if key.run != t.root {
		return
	}
	if start := t.steps[key]; start.Prompt != nil && !start.Prompt.Stream {
		t.thought(key, start.Phase, m)
		return
	}
	if t.draft != nil {
		m.Text = t.draft.Whole(m.Text)
	}
	if t.screen.text {
		t.stream.whole(key.step, m.Text)
	} else if text := strings.TrimSpace(m.Text); text != "" && len(m.Calls) > 0 {
		t.quote(text)
	}
	t.answer, t.calls = m.Text, len(m.Calls) > 0
}

// thoughts are the phases whose texts are not the answer, but that people want to follow.
var thoughts = []string{"reason", "observe", "plan", "reflect"}

// thought tells what a model said to itself. What is neither streamed nor a thought is the flow's own
// business.
func (t *timeline) thought(key stepOf, phase string, m rein.Message) {
	if text := prose(m.Text); text != "" && slices.Contains(thoughts, phase) {
		t.say(key.run, colourQuiet, t.screen.signs.note+" "+phase+": "+short(text, 400))
	}
}

// prose is a thought without the block of JSON at its end, which is for the flow.
func prose(text string) string {
	if block, err := lenient.Last(text); err == nil && strings.TrimSpace(text[block.End:]) == "" {
		text = text[:block.Start]
	}
	return strings.TrimSpace(text)
}

func (t *timeline) toolDone(key stepOf, start rein.StepStart, end rein.StepEnd) {
	name, call := verb(end), rein.ToolCall{}
	if start.Call != nil {
		call = sent(start)
		name = chipName(call)
	}
	chip := t.screen.signs.chipEnd(call.Name, end)
	text := "  " + chip.sign + " "
	if t.last != key {
		text += strings.TrimPrefix(name, "tool ") + ": "
	}
	t.say(key.run, chip.colour, text+chip.words)
}

func (t *timeline) modelFailed(key stepOf, end rein.StepEnd) {
	switch end.Failure.Code {
	case rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted, rein.CodeInterrupted:
		t.stream.endLine()
		return
	}
	t.say(key.run, colourBad, t.screen.signs.fail+" the model failed: "+t.reason(end.Failure.Msg, end.Failure.Code))
}

// reason is an error of a model in full, the first time that it is told.
func (t *timeline) reason(msg string, code rein.Code) string {
	if msg == t.why && msg != "" {
		return "for the same reason"
	}
	t.why = msg
	if code == "" {
		return short(msg, mostError)
	}
	return failure(&rein.Failure{Code: code, Msg: msg})
}

// subBegun tells a model call inside a step: a summary, or a repair of arguments.
func (t *timeline) subBegun(run rein.RunID, start rein.StepStart) {
	words := "asking the model to mend the arguments"
	if start.Folds != nil {
		words = "summing up " + units.Count(int64(start.Folds.To-start.Folds.From), "older message")
	}
	t.say(run, colourQuiet, t.screen.signs.note+" "+words)
}

func (t *timeline) subDone(key stepOf, end rein.StepEnd) {
	t.count(end.Usage)
	if end.Failure == nil {
		return
	}
	words := "the arguments could not be mended: "
	if t.steps[key].Folds != nil {
		words = "warning: the summary failed, so it goes on with the whole history: "
	}
	t.say(key.run, colourAsk, t.screen.signs.note+" "+words+failureWords(end))
}
