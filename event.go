package rein

import (
	"encoding/json"
	"strings"
	"time"
)

// An Event is one line of a run's log. Seq is its number within the run. Data is the payload; it may have
// been erased. Hash covers everything else and the digest of the payload, and chains the event to the
// previous one.
type Event struct {
	Run    RunID           `json:"run"`
	Seq    int64           `json:"seq"`
	At     time.Time       `json:"at"`
	Kind   Kind            `json:"kind"`
	Step   StepKey         `json:"step,omitempty"`
	By     string          `json:"by,omitempty"`
	Spend  Amount          `json:"spend,omitzero"` // the change to what the tree of runs has used
	Data   json.RawMessage `json:"data,omitempty"`
	Erased bool            `json:"erased,omitempty"`
	Hash   Hash            `json:"hash"`
}

// Kind is the kind of an event.
type Kind string

const (
	RunStarted Kind = "run.started" // Data: RunStart
	RunParked  Kind = "run.parked"  // Data: Parked
	RunBlocked Kind = "run.blocked" // Data: Blocked
	RunResumed Kind = "run.resumed" // a person asked to retry a blocked run

	StepStarted Kind = "step.started" // Data: StepStart
	StepAttempt Kind = "step.attempt" // the step is tried again. Data: Attempt
	StepRenewed Kind = "step.renewed" // a model call is still writing and gets more time. Data: Renewed
	StepWaiting Kind = "step.waiting" // a model call waits for its turn, or before a retry. Data: Waiting
	StepIntent  Kind = "step.intent"  // a call that is not pure is about to be made. Data: Intent
	StepChecked Kind = "step.checked" // a tool or a person said whether a call happened. Data: Checked
	StepDone    Kind = "step.done"    // Data: StepEnd
	AskOpened   Kind = "ask.opened"   // Data: Ask
	SubStarted  Kind = "sub.started"  // a call inside a step: a repair, a summary, what a tool asks of the model or of its tree. Data: StepStart
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

// RunStart is the payload of run.started.
type RunStart struct {
	Task    Task   `json:"task"`
	After   RunID  `json:"after,omitempty"` // the earlier run of the session whose unread messages started this one
	Reserve Amount `json:"reserve,omitzero"`
}

// RunEnd is the payload of the event that ends a run.
type RunEnd struct {
	Outcome
	Failure *Failure `json:"failure,omitempty"`
	Next    *Next    `json:"next,omitempty"` // missing: no message started another run, or the log is older
}

// Next is the run of the session that what people sent too late for this one started.
type Next struct {
	Run      RunID       `json:"run"`
	Commands []CommandID `json:"commands"` // what started it; the rest of what was not read is not applied
}

// Parked is the payload of run.parked.
type Parked struct {
	Until time.Time `json:"until,omitzero"` // 0: until a command comes
	For   []string  `json:"for,omitempty"`  // what it waits for, in words
}

// Blocked is the payload of run.blocked: this program cannot replay the run. Nothing is lost. You can resume
// the run with a program that fits its log, stop it, or delete it.
type Blocked struct {
	Reason string  `json:"reason"`
	Step   StepKey `json:"step,omitempty"`
	Was    string  `json:"was,omitempty"`
	Now    string  `json:"now,omitempty"`
}

// StepStart is the payload of step.started. Only the engine reads sig: a replay must ask for the same. tool
// always names the tool of a call, also if the name is as the model wrote it.
type StepStart struct {
	Sig  string `json:"sig"`
	Verb Verb   `json:"verb,omitempty"`
	About
	Prompt *PromptRecord `json:"prompt,omitempty"`
	Call   *ToolCall     `json:"call,omitempty"` // as the model wrote it
	Mend
	// Server names the MCP server whose tool is called, as NAME, or NAME@PLACE if a folder brought it. Missing: the
	// tool is rein's or the program's own, or the log is older.
	Server string `json:"server_name,omitempty"`

	Child RunID     `json:"child,omitempty"`
	Tree  *TreeCall `json:"tree,omitempty"`  // for a fork, a wait or a message of a tool
	Folds *Folded   `json:"folds,omitempty"` // for a summary: the messages that it will replace
	Bound Amount    `json:"bound,omitzero"`  // what is reserved for it; 0: nothing yet
}

// A Mend says what the arguments of a call became on their way to the tool.
type Mend struct {
	Tool   string          `json:"tool,omitempty"`   // the tool that is called; the model may have misspelled its name
	Args   json.RawMessage `json:"args,omitempty"`   // the arguments, if they differ from those of the call
	Mended string          `json:"mended,omitempty"` // how the call was repaired: name, tolerant, coerced or model (all guesses), or person
}

// Folded names the messages of a prompt that a summary replaces.
type Folded struct {
	From   int  `json:"from"`
	To     int  `json:"to"`     // the first message that stays
	Digest Hash `json:"digest"` // the digest of the messages
	Length int  `json:"length"` // how long the prompt was, with earlier summaries in it
	// For a summary of whole earlier runs, which later runs of the session use again: which runs, and the
	// earlier summary that it includes.
	Runs []RunID `json:"runs,omitempty"`
	Base Hash    `json:"base,omitzero"`
}

// A PromptRecord is a prompt in a log. It refers to the messages that it shares with an earlier prompt of
// the run, so that a log grows only by what is new.
type PromptRecord struct {
	Prompt
	Base StepKey   `json:"base,omitempty"` // the step whose prompt starts with the same messages
	Keep int       `json:"keep,omitempty"` // how many
	Add  []Message `json:"add,omitempty"`  // the messages after them
	// Folds is set if a summary replaced these messages; it has the digest of the summary.
	Folds *Folded `json:"folds,omitempty"`
}

// Attempt is the payload of step.attempt.
type Attempt struct {
	N     int    `json:"n"`
	Why   string `json:"why,omitempty"`
	Bound Amount `json:"bound,omitzero"`
	Mend
}

// Renewed is the payload of step.renewed.
type Renewed struct {
	Bound Amount `json:"bound"` // what is reserved for the step now, including the new time
}

// Waiting is the payload of step.waiting.
type Waiting struct {
	Sig     string    `json:"sig,omitempty"` // for a step that has not started
	Until   time.Time `json:"until"`
	Why     string    `json:"why"`
	Failure *Failure  `json:"failure,omitempty"` // why the previous attempt failed
	Try     int       `json:"try,omitempty"`     // how many attempts have failed
	Model   string    `json:"model,omitempty"`   // the next model, if it is another one
	Folds   *Folded   `json:"folds,omitempty"`   // the summary in the next attempt
	Usage   *Usage    `json:"usage,omitempty"`   // the usage of the previous attempt
}

// Intent is the payload of step.intent.
type Intent struct {
	Tool    string          `json:"tool,omitempty"` // missing in older logs
	Effect  Effect          `json:"effect"`
	Key     string          `json:"key"`            // the idempotency key that the tool gets
	Args    json.RawMessage `json:"args,omitempty"` // the arguments that the tool gets
	Timeout time.Duration   `json:"timeout"`
	Shown   string          `json:"shown,omitempty"` // for an approved call: the digest of what was approved, as in Ask
	// Earlier has the keys of equal calls whose outcome was unknown when a person decided to make this call
	// anyway. If this call succeeds, they no longer matter.
	Earlier []string `json:"earlier,omitempty"`
	// Allowed says why the call was made: "ask" (a person agreed to it), "policy", "rule" (the tool's ruling),
	// "mode edits" or "mode sandbox", or "tool" (it asks nobody). Missing in older logs.
	Allowed string `json:"allowed,omitempty"`
	Mode    Mode   `json:"mode,omitempty"` // the mode in which that was decided; missing: ask
}

// Checked is the payload of step.checked.
type Checked struct {
	State CheckState `json:"state"`
	Error string     `json:"error,omitempty"`
	// Of has the keys of earlier calls, if a person decided about them (see earlier in Ask). Empty: the tool
	// answered for the step's own call.
	Of []string `json:"of,omitempty"`
}

// StepEnd is the payload of step.done. Exactly one of the result fields is set, or failure. A step that ends
// as soon as it starts has no event step.started; then sig, verb, tool and call are here.
type StepEnd struct {
	Sig     string      `json:"sig,omitempty"`
	Verb    Verb        `json:"verb,omitempty"`
	Tool    string      `json:"tool,omitempty"`
	Server  string      `json:"server_name,omitempty"` // as in StepStart, for a call that was over before it began
	Call    *ToolCall   `json:"call,omitempty"`        // as in StepStart; missing in older logs
	Message *Message    `json:"message,omitempty"`
	Result  *ToolResult `json:"result,omitempty"`
	Answer  *Answer     `json:"answer,omitempty"`
	Items   []Item      `json:"items,omitempty"`
	Child   RunID       `json:"child,omitempty"`
	Outcome *Outcome    `json:"outcome,omitempty"`
	Failure *Failure    `json:"failure,omitempty"`

	Model    string        `json:"model,omitempty"`    // the model that answered
	Usage    *Usage        `json:"usage,omitempty"`    // as the provider reported it, or what was reserved if it reported nothing; for a call that was cut off, an estimate
	Overrun  bool          `json:"overrun,omitempty"`  // the provider reported more than was reserved
	Partial  string        `json:"partial,omitempty"`  // what a model had written when it was cut off
	Whole    string        `json:"whole,omitempty"`    // the whole text of a result that was clipped
	Redacted []string      `json:"redacted,omitempty"` // the kinds of secrets that were removed from a result or a reply
	Duration time.Duration `json:"duration,omitempty"`
}

// A Delta is a piece of text that a model is writing. rein shows it and does not store it: the whole text is
// in the event step.done. If the attempt is higher than before, the text starts again.
type Delta struct {
	Run     RunID   `json:"run"`
	Step    StepKey `json:"step"`
	Attempt int     `json:"attempt"`
	Offset  int     `json:"offset"` // how many bytes of the text come before this piece
	Text    string  `json:"text"`
	// Output says that a tool wrote it while its call goes on, and not a model. It is nowhere recorded.
	Output bool `json:"output,omitempty"`
	// Said, if it is set, is the text up to the end of this piece. Whoever keeps the text may keep this: it is
	// not changed any more, and so needs no copy.
	Said []byte `json:"-"`
}
