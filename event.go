package rein

import (
	"encoding/json"
	"strings"
	"time"
)

// An Event is one line of a run's log. Seq orders it within the run. Data is the payload and may
// have been erased; everything else, and the payload's digest, is covered by Hash, which chains
// the event to the one before it.
type Event struct {
	Run    RunID           `json:"run"`
	Seq    int64           `json:"seq"`
	At     time.Time       `json:"at"`
	Kind   Kind            `json:"kind"`
	Step   StepKey         `json:"step,omitempty"`
	By     string          `json:"by,omitempty"`
	Spend  Amount          `json:"spend,omitzero"` // change of the tree's ledger
	Data   json.RawMessage `json:"data,omitempty"`
	Erased bool            `json:"erased,omitempty"`
	Hash   Hash            `json:"hash"`
}

// Kind says what an event tells.
type Kind string

const (
	RunStarted Kind = "run.started" // Data: RunStart
	RunParked  Kind = "run.parked"  // Data: Parked
	RunBlocked Kind = "run.blocked" // Data: Blocked
	RunResumed Kind = "run.resumed" // a person asked to try a blocked run again

	StepStarted Kind = "step.started" // Data: StepStart
	StepAttempt Kind = "step.attempt" // the step is dispatched once more. Data: Attempt
	StepRenewed Kind = "step.renewed" // a model call still talks, and gets more time. Data: Renewed
	StepWaiting Kind = "step.waiting" // a model call waits, for its turn or before another try. Data: Waiting
	StepIntent  Kind = "step.intent"  // a non-pure call is about to be sent. Data: Intent
	StepChecked Kind = "step.checked" // a tool, or a person, has said whether a call happened. Data: Checked
	StepDone    Kind = "step.done"    // Data: StepEnd
	AskOpened   Kind = "ask.opened"   // Data: Ask
	SubStarted  Kind = "sub.started"  // a model call inside a step: a repair, a summary. Data: StepStart
	SubDone     Kind = "sub.done"     // Data: StepEnd

	RunCompleted Kind = "run.completed" // Data: RunEnd
	RunStopped   Kind = "run.stopped"   // stopped, cancelled or deleted. Data: RunEnd
	RunFailed    Kind = "run.failed"    // Data: RunEnd
)

const commandPrefix = "command."

// EventKind returns the kind of the event that records the command.
func (k CommandKind) EventKind() Kind { return Kind(commandPrefix + string(k)) }

// Command returns the kind of command that the event records, or "" if its driver wrote it.
func (k Kind) Command() CommandKind {
	kind, ok := strings.CutPrefix(string(k), commandPrefix)
	if !ok {
		return ""
	}
	return CommandKind(kind)
}

// Ends reports whether the event is the last that a driver writes.
func (k Kind) Ends() bool { return k == RunCompleted || k == RunStopped || k == RunFailed }

// EndKind returns the kind of event that records the end.
func (e End) EndKind() Kind {
	switch {
	case e.Completed():
		return RunCompleted
	case e == EndFailed:
		return RunFailed
	}
	return RunStopped
}

// RunStart is the payload of RunStarted.
type RunStart struct {
	Task    Task   `json:"task"`
	After   RunID  `json:"after,omitempty"` // the run of the session whose unread messages started this one
	Reserve Amount `json:"reserve,omitzero"`
}

// RunEnd is the payload of the event that ends a run.
type RunEnd struct {
	Outcome
	Failure *Failure `json:"failure,omitempty"`
}

// Parked is the payload of RunParked.
type Parked struct {
	Until time.Time `json:"until,omitzero"` // zero: until a command comes
	For   []string  `json:"for,omitempty"`  // what it waits for, in words
}

// Blocked is the payload of RunBlocked: the run cannot be replayed by this program. Nothing is
// lost; it can be resumed with a program that fits its log, stopped or deleted.
type Blocked struct {
	Reason string  `json:"reason"`
	Step   StepKey `json:"step,omitempty"`
	Was    string  `json:"was,omitempty"`
	Now    string  `json:"now,omitempty"`
}

// StepStart is the payload of StepStarted. Sig is what a replay must ask for again; only the engine reads
// it. Mend.Tool names the tool of a call, also if it is as the call says.
type StepStart struct {
	Sig  string `json:"sig"`
	Verb Verb   `json:"verb,omitempty"`
	About
	Prompt *PromptRecord `json:"prompt,omitempty"`
	Call   *ToolCall     `json:"call,omitempty"` // as the model wrote it
	Mend
	Child RunID   `json:"child,omitempty"`
	Folds *Folded `json:"folds,omitempty"` // of a summary: what it is to stand for
	Bound Amount  `json:"bound,omitzero"`  // what was reserved for it; zero: nothing yet
}

// A Mend says what the arguments of a call became on their way to the tool.
type Mend struct {
	Tool   string          `json:"tool,omitempty"`   // the one that is called, which the model may have misspelled
	Args   json.RawMessage `json:"args,omitempty"`   // if they are not those of the call
	Mended string          `json:"mended,omitempty"` // how: guessed (name, tolerant, coerced, model) or by a person
}

// Folded names the messages of a prompt that a summary stands for.
type Folded struct {
	From   int  `json:"from"`
	To     int  `json:"to"`     // the first that stays
	Digest Hash `json:"digest"` // of the messages themselves
	Length int  `json:"length"` // how long the prompt was, with earlier summaries in place
	// Of a fold, which stands for whole earlier runs and is kept for later runs of the session: which
	// ones, and the earlier fold that it takes along.
	Runs []RunID `json:"runs,omitempty"`
	Base Hash    `json:"base,omitzero"`
}

// A PromptRecord is a prompt as it is logged: the messages it shares with an earlier prompt of the
// run are named, not repeated, so that a log grows with what is new.
type PromptRecord struct {
	Prompt
	Base StepKey   `json:"base,omitempty"` // the step whose prompt begins with the same messages
	Keep int       `json:"keep,omitempty"` // how many
	Add  []Message `json:"add,omitempty"`  // what comes after them
	// Folds is set if a summary, kept under its digest, was sent in place of these messages.
	Folds *Folded `json:"folds,omitempty"`
}

// Attempt is the payload of StepAttempt.
type Attempt struct {
	N     int    `json:"n"`
	Why   string `json:"why,omitempty"`
	Bound Amount `json:"bound,omitzero"`
	Mend
}

// Renewed is the payload of StepRenewed.
type Renewed struct {
	Bound Amount `json:"bound"` // what is reserved for the step now, the new time included
}

// Waiting is the payload of StepWaiting.
type Waiting struct {
	Sig     string    `json:"sig,omitempty"` // of a step that has not begun
	Until   time.Time `json:"until"`
	Why     string    `json:"why"`
	Failure *Failure  `json:"failure,omitempty"` // of the try before it
	Try     int       `json:"try,omitempty"`     // how often the model has failed
	Model   string    `json:"model,omitempty"`   // who is asked next, if it is another
	Folds   *Folded   `json:"folds,omitempty"`   // the summary that the next try is sent with
	Usage   *Usage    `json:"usage,omitempty"`   // of the try before it; see StepEnd.Usage
}

// Intent is the payload of StepIntent.
type Intent struct {
	Tool    string          `json:"tool,omitempty"` // older programs did not write it
	Effect  Effect          `json:"effect"`
	Key     string          `json:"key"`            // the idempotency key that the tool is given
	Args    json.RawMessage `json:"args,omitempty"` // what the tool is given
	Timeout time.Duration   `json:"timeout"`
	Shown   string          `json:"shown,omitempty"` // of an approved call: what the approval is of; see Ask.Shown
	// Earlier names equal calls by their keys whose outcome was not known when a person wanted the call to
	// be made all the same; see Ask.Earlier. If it succeeds they do not matter any more.
	Earlier []string `json:"earlier,omitempty"`
}

// Checked is the payload of StepChecked.
type Checked struct {
	State CheckState `json:"state"`
	Error string     `json:"error,omitempty"`
	// Of names earlier calls by their keys if a person said it of them; see Ask.Earlier. Empty: the tool
	// said it of the step's own call.
	Of []string `json:"of,omitempty"`
}

// StepEnd is the payload of StepDone. Exactly one of the result fields is set, or Failure.
// A step that is over as soon as it begins has no StepStarted; then Sig, Verb and Tool are here.
type StepEnd struct {
	Sig     string      `json:"sig,omitempty"`
	Verb    Verb        `json:"verb,omitempty"`
	Tool    string      `json:"tool,omitempty"`
	Message *Message    `json:"message,omitempty"`
	Result  *ToolResult `json:"result,omitempty"`
	Answer  *Answer     `json:"answer,omitempty"`
	Items   []Item      `json:"items,omitempty"`
	Child   RunID       `json:"child,omitempty"`
	Outcome *Outcome    `json:"outcome,omitempty"`
	Failure *Failure    `json:"failure,omitempty"`

	Model    string        `json:"model,omitempty"`    // the one that answered
	Usage    *Usage        `json:"usage,omitempty"`    // as the provider reported it; of a call that was cut, a guess
	Overrun  bool          `json:"overrun,omitempty"`  // the provider reported more than the bound
	Partial  string        `json:"partial,omitempty"`  // what a model had said when it was cut
	Whole    string        `json:"whole,omitempty"`    // the text of a result that was clipped
	Redacted []string      `json:"redacted,omitempty"` // what kinds of secrets a result or a reply held
	Duration time.Duration `json:"duration,omitempty"`
}

// A Delta is a piece of text that a model is writing. It is shown and never stored: the assembled
// text is in the step's StepDone. A client that sees a higher attempt starts that text again.
type Delta struct {
	Run     RunID   `json:"run"`
	Step    StepKey `json:"step"`
	Attempt int     `json:"attempt"`
	Offset  int     `json:"offset"` // bytes of text before this piece
	Text    string  `json:"text"`
}
