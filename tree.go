package rein

import "context"

// A Tree is how the call of a tool reaches other runs of its tree. Only tools with [Tool.Tree] get one.
//
// Each call is recorded in the log of the run, as a part of the tool's step. After a crash, and after a wait that
// was so long that the run was parked, the tool runs again from the beginning, and the calls that it made before
// are answered from the log. So a tool must make the same calls in the same order again: a call that differs from
// the log fails with CodeConflict, and then so does the call of the tool.
//
// Calls are served one after another. They return soon after the call of the tool was cancelled.
type Tree interface {
	// Fork starts a run below this one. It begins with what was said in this run, is asked to do what the prompt
	// says, and has at most this run's tools. It shares the budget of the tree, which can refuse it with
	// CodeLimit. A fork that nobody waits for ends with this run.
	Fork(ctx context.Context, prompt string) (Forked, error)

	// Wait waits until a fork has ended. Every end is an Outcome; waiting twice gives the same one. A handle that
	// this run does not know is CodeNotFound.
	Wait(ctx context.Context, handle int) (Outcome, error)

	// Send sends a message to another run of the tree, which reads it before its next round as the words of an
	// agent, not of a person. A run that has ended is CodeFinished.
	Send(ctx context.Context, to RunID, text string) (Receipt, error)
}

// Forked is a run that a call started.
type Forked struct {
	Handle int // of the run that forked it: 1, 2, 3 …
	Run    RunID
}

// A TreeCall is a call to a Tree, as the log has it.
type TreeCall struct {
	Prompt string `json:"prompt,omitempty"` // of a fork
	Handle int    `json:"handle,omitempty"` // of a wait
	Run    RunID  `json:"run,omitempty"`    // to which a message is sent
	Text   string `json:"text,omitempty"`   // of a message
}
