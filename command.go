package rein

import (
	"strconv"
	"strings"
)

// A Command is what a person sends to a run. It is idempotent by Key: sending it again returns the
// first one's receipt.
type Command struct {
	Kind   CommandKind `json:"kind"`
	Run    RunID       `json:"run"`
	Key    string      `json:"key,omitempty"` // chosen by the sender; empty takes a new one
	By     string      `json:"by,omitempty"`
	Text   string      `json:"text,omitempty"`  // of message, modify, comment; the reason of the others
	Ask    AskID       `json:"ask,omitempty"`   // of answer and expire
	Answer Answer      `json:"answer,omitzero"` // of answer
	Cause  CommandID   `json:"cause,omitempty"` // of a command that followed from one to an ancestor
	Child  RunID       `json:"child,omitempty"` // of child: the run that ended
	End    End         `json:"end,omitempty"`   // of child: how it ended
}

// CommandKind says what a command is for.
type CommandKind string

const (
	CommandAnswer  CommandKind = "answer"  // closes an ask
	CommandMessage CommandKind = "message" // read at the next Inbox
	CommandStop    CommandKind = "stop"    // ends the run at the next boundary, or after a grace
	CommandCancel  CommandKind = "cancel"  // ends the run now
	CommandDelete  CommandKind = "delete"  // ends the run and everything below it now
	CommandModify  CommandKind = "modify"  // interrupts the running verb, also of everything below; read at the next Inbox
	CommandComment CommandKind = "comment" // kept beside the run, without effect on it
	CommandPause   CommandKind = "pause"   // holds the run and everything below it: a call under way ends, nothing new begins
	CommandResume  CommandKind = "resume"  // lets a paused run and everything below it go on

	// Two that no person sends: time and children reach a run the same way.
	CommandExpire CommandKind = "expire" // closes an ask whose deadline has passed
	CommandChild  CommandKind = "child"  // a child has ended
)

// Ends returns how a run ends that obeys the command, or "" if it does not end it.
func (k CommandKind) Ends() End {
	switch k {
	case CommandStop:
		return EndStopped
	case CommandCancel:
		return EndCancelled
	case CommandDelete:
		return EndDeleted
	}
	return ""
}

// Force orders the commands that end a run: a stronger one may follow a weaker one.
func (k CommandKind) Force() int {
	switch k {
	case CommandStop:
		return 1
	case CommandCancel:
		return 2
	case CommandDelete:
		return 3
	}
	return 0
}

// CommandID names a recorded command: the run, a colon, and its sequence number in the log.
type CommandID string

// NewCommandID names the command at the given place of a run's log.
func NewCommandID(run RunID, seq int64) CommandID {
	return CommandID(string(run) + ":" + strconv.FormatInt(seq, 10))
}

// Seq returns the command's place in its run's log, or 0.
func (id CommandID) Seq() int64 {
	_, seq, _ := strings.Cut(string(id), ":")
	n, err := strconv.ParseInt(seq, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// A Receipt says what became of a command.
type Receipt struct {
	Command CommandID    `json:"command"`
	Kind    CommandKind  `json:"kind"`
	State   ReceiptState `json:"state"`
	Step    StepKey      `json:"step,omitempty"`    // where it was applied
	Started RunID        `json:"started,omitempty"` // the run that it started
	Reason  string       `json:"reason,omitempty"`  // why it was not applied
	Key     string       `json:"key,omitempty"`     // as it was sent
	Again   bool         `json:"again,omitempty"`   // it was sent before; this is the first one's receipt
	// Touched lists the runs whose logs changed: the addressee and, for a command that ends, pauses,
	// resumes or modifies it, its descendants. It is not kept.
	Touched []RunID `json:"-"`
}

// ReceiptState is where a command stands.
type ReceiptState string

const (
	ReceiptPending    ReceiptState = "pending" // recorded; the run has not read it yet
	ReceiptApplied    ReceiptState = "applied"
	ReceiptStarted    ReceiptState = "started"     // it came too late for this run and started the next one
	ReceiptNotApplied ReceiptState = "not applied" // the run ended without reading it
)
