package engine

import (
	"context"
	"slices"
	"strings"

	"rein"
	"rein/store"
)

// Command sends a run what a person wants of it. When it returns, the command is durable, whatever
// happens to this process, and the receipt says where it stands.
func (e *Engine) Command(ctx context.Context, c rein.Command) (rein.Receipt, error) {
	if err := checkCommand(c); err != nil {
		return rein.Receipt{}, err
	}
	return e.command(ctx, c)
}

func (e *Engine) command(ctx context.Context, c rein.Command) (rein.Receipt, error) {
	receipt, err := e.Store.Command(ctx, c, e.Now())
	if err != nil {
		return receipt, wrap("send "+string(c.Kind)+" to run", c.Run, err)
	}
	for _, run := range receipt.Touched {
		e.wake(run)
	}
	return receipt, nil
}

// checkCommand says what is wrong with a person's command, if anything.
func checkCommand(c rein.Command) error {
	if err := c.Run.Check(); err != nil {
		return err
	}
	switch c.Kind {
	case rein.CommandMessage, rein.CommandModify, rein.CommandComment:
		if strings.TrimSpace(c.Text) == "" {
			return rein.Errorf(rein.CodeInvalid, "a %s needs a text", c.Kind)
		}
	case rein.CommandAnswer:
		if c.Ask == "" {
			return rein.Errorf(rein.CodeInvalid, "an answer needs the ID of the ask it is for")
		}
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete:
	default:
		return rein.Errorf(rein.CodeInvalid, "command %q does not exist; there is: answer, message, stop, cancel, delete, modify, comment", c.Kind)
	}
	return nil
}

// Say brings a message to a session. If a run is under way there it steers that run, else it starts
// a new one with the given ID and task, whose messages get the text at their end.
func (e *Engine) Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error) {
	if strings.TrimSpace(text) == "" {
		return rein.Receipt{}, rein.Errorf(rein.CodeInvalid, "a message needs a text")
	}
	if task.Session == "" {
		return rein.Receipt{}, rein.Errorf(rein.CodeInvalid, "a message to a session needs the session's ID")
	}
	task.Messages = append(slices.Clone(task.Messages), rein.Message{Role: rein.User, Text: text})
	for ctx.Err() == nil {
		info, err := e.start(ctx, id, task, true)
		if err == nil {
			return rein.Receipt{Kind: rein.CommandMessage, State: rein.ReceiptStarted, Started: info.ID}, nil
		}
		if rein.CodeOf(err) != rein.CodeBusy {
			return rein.Receipt{}, err
		}
		active, err := e.activeRoot(ctx, task.Session)
		if err != nil {
			return rein.Receipt{}, err
		}
		if active == "" {
			continue // it has just ended: start after all
		}
		receipt, err := e.command(ctx, rein.Command{Kind: rein.CommandMessage, Run: active, By: by, Text: text, Key: "say-" + string(id)})
		if rein.CodeOf(err) != rein.CodeFinished {
			return receipt, err
		}
	}
	return rein.Receipt{}, ctx.Err()
}

func (e *Engine) activeRoot(ctx context.Context, session string) (rein.RunID, error) {
	for info, err := range e.Store.Runs(ctx, store.Filter{Session: session, Unfinished: true, Roots: true, Limit: 1}) {
		return info.ID, err
	}
	return "", nil
}

// Resume tries a blocked run again.
func (e *Engine) Resume(ctx context.Context, run rein.RunID, by string) error {
	if err := e.Store.Resume(ctx, run, by, e.Now()); err != nil {
		return wrap("resume run", run, err)
	}
	e.wake(run)
	return nil
}
