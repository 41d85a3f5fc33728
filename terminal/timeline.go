package terminal

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/internal/lenient"
	"rein/internal/units"
	"rein/journal"
	"rein/journal/timeline"
)

// A Timeline shows a tree of runs while it happens: the root's text on standard output, all else on
// standard error, in order.
type Timeline struct {
	out    *Output
	root   rein.RunID
	tip    func(command string) string
	drafts func(rein.Task) Draft
	stream stream
	steps  journal.Steps
	last   stepOf // whose beginning is the last line
	answer string // the newest text of the root's model, as it was shown
	calls  bool   // it leads to calls
	draft  Draft  // of the answer; nil: its text is shown as it comes
	usage  rein.Usage
	paused bool
	spoken map[stepOf]*spoken // of the tools that are running
	why    string             // the newest error of a model that was shown

	// Currency is that of amounts of money.
	Currency units.Currency
	// Sent is the text with which this terminal stopped the run: it need not be shown.
	Sent string
	// Prompted says that the last line is a prompt, which waits for a person.
	Prompted bool
}

// A Draft is an answer that is checked while it is written, such as one with citations.
type Draft interface {
	// Observe takes in what a tool returned.
	Observe(rein.ToolCall, rein.ToolResult)
	// Shown returns what can be shown of a text that is not complete.
	Shown(text string) string
	// Whole returns a complete text as it is shown.
	Whole(text string) string
}

// TimelineOptions say how a Timeline speaks of things that only its client knows.
type TimelineOptions struct {
	// Tip returns a command of the client to try, such as "`rein show r1`".
	Tip func(command string) string
	// Drafts returns the Draft of a task whose answer is checked, or nil; nil checks none.
	Drafts func(rein.Task) Draft
}

type stepOf struct {
	run rein.RunID
	key rein.StepKey
}

// NewTimeline returns a Timeline of the tree below root.
func NewTimeline(out *Output, root rein.RunID, o TimelineOptions) *Timeline {
	return &Timeline{out: out, root: root, tip: o.Tip, drafts: o.Drafts, stream: stream{out: out}}
}

// Say writes a line on standard error that may hold words of others.
func (t *Timeline) Say(run rein.RunID, colour Colour, text string) {
	t.Own("", colour, t.out.Screen.Folded(t.of(run)+text))
}

// Remark is Say for a line about what happens, with a sign before it.
func (t *Timeline) Remark(run rein.RunID, colour Colour, text string) {
	t.Say(run, colour, t.out.Screen.signs.note+" "+text)
}

// of says which run a line is about, if it is not the one that is watched.
func (t *Timeline) of(run rein.RunID) string {
	if run == t.root || run == "" {
		return ""
	}
	return "[" + safe(string(run)) + "] "
}

// quote writes the text of another on standard error, set apart from what rein says.
func (t *Timeline) quote(text string) {
	t.Own("", "", strings.TrimSuffix(t.out.Screen.Quoted(text), "\n"))
}

// Own writes a line on standard error that is rein's own.
func (t *Timeline) Own(run rein.RunID, colour Colour, text string) {
	t.stream.endLine()
	t.last = stepOf{}
	text = t.of(run) + text
	if t.Prompted {
		t.out.Note("")
		t.Prompted = false
	}
	t.out.Note("%s", t.out.Screen.Paint(colour, text))
}

// Line shows one line of the feed.
func (t *Timeline) Line(l api.Line) {
	switch {
	case l.Delta != nil:
		t.delta(*l.Delta)
	case l.Event != nil:
		t.event(*l.Event)
	}
}

// delta streams the root's answers, and the output of tools; prompts inside a step and children's texts are not for people.
func (t *Timeline) delta(d rein.Delta) {
	if d.Output {
		t.output(d)
		return
	}
	step := t.steps.Find(d.Run, d.Step)
	if step != nil && step.Start != nil && step.Start.Prompt != nil && d.Run == t.root && t.out.Screen.Text {
		t.stream.piece(d)
	}
}

// Recall takes note of an event that is not shown, such as one from before this terminal came, so that
// the end of its step has a name.
func (t *Timeline) Recall(e rein.Event) { t.see(e) }

// see takes note of an event and returns the step that it belongs to, or nil.
func (t *Timeline) see(e rein.Event) *journal.Step {
	step := t.steps.See(e)
	switch {
	case e.Kind.Ends():
		t.steps.Drop(e.Run)
	case e.Run != t.root:
	case e.Kind == rein.RunStarted:
		t.begin(payload[rein.RunStart](e).Task)
	case e.Kind == rein.StepDone && t.draft != nil && step != nil:
		if step.Start != nil && step.Start.Call != nil && step.End.Result != nil {
			t.draft.Observe(*step.Start.Call, *step.End.Result)
		}
	case e.Kind.Command() == rein.CommandPause:
		t.paused = true
	case e.Kind.Command() == rein.CommandResume:
		t.paused = false
	}
	return step
}

// begin prepares to check the answer to a task, if it is to be checked.
func (t *Timeline) begin(task rein.Task) {
	if t.drafts == nil {
		return
	}
	if t.draft = t.drafts(task); t.draft != nil {
		t.stream.shape = t.draft.Shown
	}
}

// Paused reports whether the tree is paused.
func (t *Timeline) Paused() bool { return t.paused }

// Doing says what the tree is doing, in a few words: its newest step that is running.
func (t *Timeline) Doing() string {
	for _, step := range slices.Backward(t.steps.Open()) {
		if step.Start != nil {
			return t.of(step.Run) + safe(strings.TrimRight(doing(step), ".…"))
		}
	}
	return ""
}

func doing(step *journal.Step) string {
	switch call := step.Call(); {
	case call != nil:
		return call.Name
	case step.Start.Human != "":
		return step.Start.Human
	case step.Start.Prompt != nil:
		return "thinking"
	}
	return "working"
}

func (t *Timeline) event(e rein.Event) {
	if step := t.see(e); step != nil {
		t.step(e, step)
		return
	}
	switch e.Kind {
	case rein.RunStarted:
		t.started(e.Run, payload[rein.RunStart](e).Task)
	case rein.CommandPause.EventKind(), rein.CommandResume.EventKind():
		t.held(e)
	case rein.CommandMode.EventKind():
		t.modeSet(e)
	case rein.CommandMessage.EventKind(), rein.CommandModify.EventKind(), rein.CommandStop.EventKind(), rein.CommandCancel.EventKind(), rein.CommandDelete.EventKind():
		t.sent(e)
	case rein.RunBlocked:
		t.Say(e.Run, Bad, t.out.Screen.signs.fail+" blocked: "+short(payload[rein.Blocked](e).Reason, 300))
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		if e.Run != t.root {
			end := payload[rein.RunEnd](e)
			t.Remark(e.Run, Quiet, "ended: "+safe(string(end.End))+after(": ", short(end.Text, 100)))
		}
	}
}

// step shows an event of a step.
func (t *Timeline) step(e rein.Event, step *journal.Step) {
	switch e.Kind {
	case rein.StepStarted:
		t.begun(step)
	case rein.SubStarted:
		t.subBegun(step)
	case rein.StepWaiting:
		t.waits(e.Run, payload[rein.Waiting](e))
	case rein.StepAttempt:
		t.tried(e.Run, payload[rein.Attempt](e))
	case rein.StepDone:
		t.done(step)
	case rein.SubDone:
		t.subDone(step)
	}
}

// started shows what was changed about a task, and that a child began.
func (t *Timeline) started(run rein.RunID, task rein.Task) {
	for _, notice := range task.Notices {
		t.Remark(run, Quiet, short(notice, 300))
	}
	if m := task.Mode.Or(rein.ModeAsk); m != rein.ModeAsk && run == t.root {
		t.Remark(run, Quiet, "mode "+safe(string(m)))
	}
	if run != t.root {
		t.Remark(run, Quiet, "started: "+short(taskText(task), 100))
	}
}

// held shows that someone paused the tree or let it continue. That it reached the runs below goes without
// saying.
func (t *Timeline) held(e rein.Event) {
	command := payload[rein.Command](e)
	if e.Run != t.root && command.Cause != "" {
		return
	}
	words := "resumed" + By(e.By)
	if e.Kind.Command() == rein.CommandPause {
		words = "paused" + By(e.By) + after(": ", short(command.Text, 160)) + "; " + t.tip("resume "+string(t.root)) + " continues it"
	}
	t.Remark(e.Run, Ask, words)
}

// modeSet shows that the mode of the session has changed. That it reached the runs below goes without saying.
func (t *Timeline) modeSet(e rein.Event) {
	if e.Run == t.root {
		t.Remark(e.Run, Ask, "mode "+safe(string(payload[rein.Command](e).Mode))+By(e.By))
	}
}

// wanted says in a word what someone sent.
var wanted = map[rein.CommandKind]string{
	rein.CommandMessage: "message", rein.CommandModify: "new task",
	rein.CommandStop: "stopped", rein.CommandCancel: "cancelled", rein.CommandDelete: "deleted",
}

// sent shows what someone sent to the run meanwhile. What this terminal sent it knows, and that an end
// reached the runs below goes without saying.
func (t *Timeline) sent(e rein.Event) {
	command := payload[rein.Command](e)
	if command.Cause != "" || command.Text == t.Sent && t.Sent != "" {
		return
	}
	if command.From != "" {
		t.Remark(e.Run, Quiet, "message from run "+safe(string(command.From))+after(": ", short(command.Text, 160)))
		return
	}
	t.Remark(e.Run, Ask, wanted[e.Kind.Command()]+By(e.By)+after(": ", short(command.Text, 160)))
}

// tried shows that a call is made once more.
func (t *Timeline) tried(run rein.RunID, a rein.Attempt) {
	if a.N > 1 && (a.Why != "" || t.why == "") { // that it waited says it already
		t.Remark(run, Quiet, "trying again"+after(": ", short(a.Why, 160)))
	}
}

// waits shows that a model call has to wait, or that another model is asked.
func (t *Timeline) waits(run rein.RunID, w rein.Waiting) {
	t.count(w.Usage)
	text := "waiting until " + w.Until.Local().Format("15:04:05")
	if w.Model != "" {
		text = "asking " + safe(w.Model) + " instead"
	}
	t.Remark(run, Quiet, text+after(": ", t.reason(w.Why, "")))
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
func (t *Timeline) begun(step *journal.Step) {
	if step.Call() != nil {
		t.Say(step.Run, "", t.out.Screen.signs.begin+" "+chipName(sent(step)))
		t.last = stepOf{step.Run, step.Key}
	}
}

func (t *Timeline) done(step *journal.Step) {
	end := step.End
	t.count(end.Usage)
	hasCall := step.Start != nil && step.Start.Call != nil
	switch {
	case hasCall && step.Start.Call.Internal: // the flow's own reading, not an act
	case end.Message != nil:
		t.said(step, *end.Message)
	case end.Result != nil || hasCall:
		t.toolDone(step)
	case end.Failure != nil && step.Start != nil && step.Start.Prompt != nil:
		t.modelFailed(step)
	}
}

func (t *Timeline) count(used *rein.Usage) {
	if used != nil {
		t.usage = journal.Sum(t.usage, *used)
	}
}

// said completes what the model said. Where nobody reads along, what leads to calls is a remark; the
// answer comes alone at the end.
func (t *Timeline) said(step *journal.Step, m rein.Message) {
	if step.Run != t.root {
		return
	}
	if step.Start != nil && step.Start.Prompt != nil && !step.Streams() {
		t.thought(step, m)
		return
	}
	if t.draft != nil {
		m.Text = t.draft.Whole(m.Text)
	}
	if t.out.Screen.Text {
		t.stream.whole(step.Key, m.Text)
	} else if text := strings.TrimSpace(m.Text); text != "" && len(m.Calls) > 0 {
		t.quote(text)
	}
	t.answer, t.calls = m.Text, len(m.Calls) > 0
}

// thought shows what a model said to itself. What is neither streamed nor a thought is the flow's own
// business.
func (t *Timeline) thought(step *journal.Step, m rein.Message) {
	if text := prose(m.Text); text != "" && step.Thinks() {
		t.Remark(step.Run, Quiet, step.Phase+": "+short(text, 400))
	}
}

// prose is a thought without the block of JSON at its end, which is for the flow.
func prose(text string) string {
	if block, err := lenient.Last(text); err == nil && strings.TrimSpace(text[block.End:]) == "" {
		text = text[:block.Start]
	}
	return strings.TrimSpace(text)
}

func (t *Timeline) toolDone(step *journal.Step) {
	t.outputOver(stepOf{step.Run, step.Key})
	name, call := verb(*step.End), rein.ToolCall{}
	if step.Wrote() != nil {
		call = sent(step)
		name = chipName(call)
	}
	chip := t.out.Screen.signs.chipEnd(call.Name, *step.End)
	text := "  " + chip.sign + " "
	if t.last != (stepOf{step.Run, step.Key}) {
		text += strings.TrimPrefix(name, "tool ") + ": "
	}
	if list, ok := step.Todo(); ok {
		t.Say(step.Run, chip.colour, text+todoWords(list))
		t.quote(todoLines(list))
		return
	}
	t.Say(step.Run, chip.colour, text+chip.words)
	if warning := warningOf(call.Name, *step.End); warning != "" {
		t.Say(step.Run, Bad, "  ! "+warning)
	}
}

func (t *Timeline) modelFailed(step *journal.Step) {
	failure := step.End.Failure
	if failure.Code.Interrupts() {
		t.stream.endLine()
		return
	}
	t.why = "" // the last word says why, also where the waits before it did
	t.Say(step.Run, Bad, t.out.Screen.signs.fail+" the model failed: "+t.reason(failure.Msg, failure.Code))
}

// reason is an error of a model in full, the first time that it is shown.
func (t *Timeline) reason(msg string, code rein.Code) string {
	if msg == t.why && msg != "" {
		return "for the same reason"
	}
	t.why = msg
	if code == "" {
		return short(msg, mostError)
	}
	return Failure(&rein.Failure{Code: code, Msg: msg})
}

// subBegun shows a call inside a step: a summary, a repair of arguments, what a tool asks of the model or of its tree.
func (t *Timeline) subBegun(step *journal.Step) {
	if step.Start.Tree == nil || step.Verb != rein.VerbSpawn { // the run that a fork starts is shown
		t.Remark(step.Run, Quiet, safe(timeline.Inside(*step.Start)))
	}
}

func (t *Timeline) subDone(step *journal.Step) {
	if t.count(step.End.Usage); step.End.Failure == nil {
		return
	}
	colour := Ask
	if step.Start != nil && step.Start.Tree != nil {
		colour = Quiet
	}
	t.Remark(step.Run, colour, safe(timeline.InsideFailed(step.Start))+": "+failureWords(*step.End))
}

// Ended shows the answer, if it is not on the screen yet, and one line about the run.
func (t *Timeline) Ended(end rein.RunEnd) {
	t.stream.endLine()
	t.stream.shape = nil
	t.stream.whole("end", t.unshown(end.Text))
	t.doubts(end.Data)
	colour := Good
	if end.End != rein.EndDone {
		colour = Ask
	}
	words := t.out.Screen.Paint(colour, safe(string(end.End))) + t.unsaid(end.Failure)
	spent := units.Number(t.usage.Input+t.usage.Output) + " tokens"
	if t.usage.Micros > 0 {
		spent += ", cost " + t.Currency.Money(t.usage.Micros)
	}
	t.Own("", "", words+" ("+spent+"; "+t.tip("show "+string(t.root))+")")
}

// unsaid is what has not been shown yet of the error that the run ends with: flows put their own words
// before that of the model.
func (t *Timeline) unsaid(f *rein.Failure) string {
	if f == nil {
		return ""
	}
	if before, behind, ok := strings.Cut(f.Msg, t.why); ok && t.why != "" {
		return after(": ", safe(strings.Trim(before+behind, ": ")))
	}
	return ": " + Failure(f)
}

// unshown is what is not on the screen yet of the text that the run ends with.
func (t *Timeline) unshown(text string) string {
	if !t.out.Screen.Text {
		return text
	}
	rest, ok := goesOn(t.answer, text)
	switch {
	case ok && strings.TrimSpace(rest) == "":
		return ""
	case ok && !t.calls:
		return strings.TrimSpace(rest)
	}
	return text
}

// doubts shows which sentences of an answer their sources hardly support.
func (t *Timeline) doubts(data json.RawMessage) {
	var answer struct {
		Doubtful []struct {
			Text    string   `json:"text"`
			Source  string   `json:"source"`
			Missing []string `json:"missing"`
		} `json:"doubtful"`
	}
	if json.Unmarshal(data, &answer) != nil {
		return // a flow with other data
	}
	for _, d := range answer.Doubtful {
		why := "has few of its words"
		if len(d.Missing) > 0 {
			why = "does not say " + strings.Join(d.Missing, ", ")
		}
		t.Say("", Ask, t.out.Screen.signs.unsure+" check this yourself: "+short(d.Source, 80)+" "+safe(why)+": "+short(d.Text, 120))
	}
}
