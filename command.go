package rein

import (
	"strconv"
	"strings"
)

// A Command is what a person sends to a run. Sending the same key again returns the first receipt and does
// nothing else.
type Command struct {
	Kind   CommandKind `json:"kind"`
	Run    RunID       `json:"run"`
	Key    string      `json:"key,omitempty"` // a key that the sender chooses; empty: rein makes one
	By     string      `json:"by,omitempty"`
	Text   string      `json:"text,omitempty"`  // the text of a message, modify or comment; for other commands, the reason
	Ask    AskID       `json:"ask,omitempty"`   // for answer and expire
	Answer Answer      `json:"answer,omitzero"` // for answer
	Mode   Mode        `json:"mode,omitempty"`  // for mode
	Cause  CommandID   `json:"cause,omitempty"` // the command to an ancestor that caused this one
	From   RunID       `json:"from,omitempty"`  // the run of the same tree that sent the message; empty: a person did
	Child  RunID       `json:"child,omitempty"` // for child: the run that ended
	End    End         `json:"end,omitempty"`   // for child: how it ended
}

// CommandKind is the kind of a command.
type CommandKind string

const (
	CommandAnswer  CommandKind = "answer"  // closes an ask
	CommandMessage CommandKind = "message" // the run reads it before its next round
	CommandStop    CommandKind = "stop"    // ends the run at the next step, or after a grace period
	CommandCancel  CommandKind = "cancel"  // ends the run now
	CommandDelete  CommandKind = "delete"  // ends the run and everything below it now
	CommandModify  CommandKind = "modify"  // interrupts the run and all runs below it, and changes the task
	CommandComment CommandKind = "comment" // a note for people; the run does not see it
	CommandPause   CommandKind = "pause"   // pauses the run and all runs below it: the current call ends, and nothing new starts
	CommandResume  CommandKind = "resume"  // resumes a paused run and all runs below it

	CommandMode CommandKind = "mode" // changes the mode of the session, from the next call on: of this run, all runs below it, and later ones

	// Nobody sends these two: timers and children reach a run the same way as people.

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

// A Receipt says what happened to a command.
type Receipt struct {
	Command CommandID    `json:"command"`
	Kind    CommandKind  `json:"kind"`
	State   ReceiptState `json:"state"`
	Step    StepKey      `json:"step,omitempty"`    // where it was applied
	Started RunID        `json:"started,omitempty"` // the run that it started
	Reason  string       `json:"reason,omitempty"`  // why it was not applied
	Key     string       `json:"key,omitempty"`     // as it was sent
	Again   bool         `json:"again,omitempty"`   // this key was sent before; this is the first receipt
	// Touched lists the runs whose logs changed: the addressee and, for a command that ends, pauses,
	// resumes or modifies it, its descendants. It is not kept.
	Touched []RunID `json:"-"`
}

// ReceiptState is the state of a command.
type ReceiptState string

const (
	ReceiptPending    ReceiptState = "pending" // recorded; the run has not read it yet
	ReceiptApplied    ReceiptState = "applied"
	ReceiptStarted    ReceiptState = "started"     // it came too late for this run and started a new one
	ReceiptNotApplied ReceiptState = "not applied" // the run ended without reading it
)
