package shell

import (
	"context"
	"encoding/json"

	"rein"
)

// A Watcher looks at the files of a workspace before and after a command, so that what the command changed can be
// undone. A tool without one runs commands all the same, and says that they cannot be undone.
type Watcher interface {
	// Uncovered says what an undo of a command would leave as it is, in a few words for the person who approves
	// it, such as ".git; ignored files; 2 files over 1 MB (a.bin, b.bin)". Empty: everything is covered. It is the
	// same for as long as the files of the workspace are.
	Uncovered(ctx context.Context, inv rein.Invocation) (string, error)

	// Begin keeps what the files hold, right before the command starts: it is durable when Begin returns. If it
	// fails, the command must not start.
	Begin(ctx context.Context, inv rein.Invocation) (Watch, error)
}

// A Watch is a command under way. A watch that is never ended, because the process was killed, is ended by whoever
// looks at the workspace next.
type Watch interface {
	// End says what has changed since Begin. Call it once, when no process of the command is left, also if the
	// command failed or was cut; its context should not be the one of the command.
	End(ctx context.Context) (Changes, error)
}

// Changes is what a command changed.
type Changes struct {
	// Text lists the changed files in a few lines, for the result of the call; empty: none changed.
	Text string
	// Commit belongs into Done.Commit of the call. Without it the change is still recorded, as that of a call whose
	// end nobody saw.
	Commit func(context.Context, rein.Tx) error
	// Record does the same in a transaction of its own, for a command whose call was over before it ended. Nil: there is
	// nothing to record.
	Record func(context.Context) error
}

// endWatch ends the watch of a command whose call is over.
func endWatch(ctx context.Context, w Watch) error {
	changes, err := w.End(ctx)
	if err == nil && changes.Record != nil {
		err = changes.Record(ctx)
	}
	return err
}

// begin tells the watcher, if there is one, that a command begins.
func (c *Commands) begin(ctx context.Context, inv rein.Invocation) (Watch, error) {
	if c.o.Watch == nil {
		return unwatched{}, nil
	}
	return c.o.Watch.Begin(ctx, inv)
}

// unwatched is a command whose changes nobody looks at.
type unwatched struct{}

func (unwatched) End(context.Context) (Changes, error) { return Changes{}, nil }

// undoWords says, for the person who approves a command, what of it cannot be undone.
func (c *Commands) undoWords(ctx context.Context, inv rein.Invocation) (string, error) {
	if c.o.Watch == nil {
		return "What it changes cannot be undone.", nil
	}
	left, err := c.o.Watch.Uncovered(ctx, inv)
	if err != nil {
		return "", err
	}
	words := "What it changes in the workspace can be undone"
	if inBackground(inv) {
		words = "When it has ended, what it changed in the workspace can be undone, together with what anybody else changed there meanwhile"
	}
	if left != "" {
		words += ", except: " + left
	}
	return words + ".", nil
}

// inBackground reports whether a call asks for a command in the background.
func inBackground(inv rein.Invocation) bool {
	var args struct {
		Background bool `json:"background"`
	}
	return json.Unmarshal(inv.Args, &args) == nil && args.Background
}
