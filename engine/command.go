package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"rein"
	"rein/engine/work/args"
	"rein/internal/jsonkeys"
	"rein/store"
)

// Command sends a run what a person wants of it. When it returns, the command is durable, whatever
// happens to this process, and the receipt says where it stands. It does not wait for the run: that reads
// the command at its next look, or when it is woken.
func (e *Engine) Command(ctx context.Context, c rein.Command) (rein.Receipt, error) {
	if err := e.checkCommand(c); err != nil {
		return rein.Receipt{}, err
	}
	if err := e.checkEdit(ctx, c); err != nil {
		return rein.Receipt{}, wrap("send answer to run", c.Run, err)
	}
	return e.command(ctx, c)
}

// command sends a command that has been checked, and wakes every run that it touched: a stop, for one,
// reaches the whole tree in the same transaction.
func (e *Engine) command(ctx context.Context, c rein.Command) (rein.Receipt, error) {
	receipt, err := e.opts.Store.Command(ctx, c, e.opts.Now())
	if err != nil {
		return receipt, wrap("send "+string(c.Kind)+" to run", c.Run, err)
	}
	for _, run := range receipt.Touched {
		e.wake(run)
	}
	return receipt, nil
}

// checkEdit holds arguments that a person changed against the schema that the ask shows. Whether the
// ask is still open only the store can tell.
func (e *Engine) checkEdit(ctx context.Context, c rein.Command) error {
	if c.Kind != rein.CommandAnswer || c.Answer.State != rein.AskEdited {
		return nil
	}
	c.Answer.By = cmp.Or(c.Answer.By, c.By)
	ask, err := e.opts.Store.Ask(ctx, c.Ask)
	if err != nil || ask.State != rein.AskPending || ask.Accepts(c.Answer) != nil || ask.Binds(c.Answer) != nil {
		return nil // the store says what is wrong
	}
	if err := args.Check(ask.Schema, c.Answer.Args); err != nil {
		return rein.Errorf(rein.CodeInvalid, "ask %s: %w", c.Ask, err)
	}
	return nil
}

// maxMail bounds what one Inbox returns, and so what one message may have.
const maxMail = maxText / 2

// checkCommand says what is wrong with a person's command, if anything.
func (e *Engine) checkCommand(c rein.Command) error {
	if err := c.Run.Check(); err != nil {
		return err
	}
	if c.From != "" {
		return rein.Errorf(rein.CodeInvalid, "a person sends in their own name: leave the run that sends out")
	}
	switch c.Kind {
	case rein.CommandMessage, rein.CommandModify, rein.CommandComment:
		if strings.TrimSpace(c.Text) == "" || len(c.Text) > maxMail {
			return rein.Errorf(rein.CodeInvalid, "a %s needs a text, of at most %d bytes", c.Kind, maxMail)
		}
	case rein.CommandAnswer:
		if c.Ask == "" {
			return rein.Errorf(rein.CodeInvalid, "an answer needs the ID of the ask it is for")
		}
		if key, twice := jsonkeys.Twice(c.Answer.Args); twice {
			return rein.Errorf(rein.CodeInvalid, "the key %.60q stands twice in the edited arguments: write it once", key)
		}
	case rein.CommandMode:
		return e.checkModeCommand(c)
	case rein.CommandStop, rein.CommandCancel, rein.CommandDelete, rein.CommandPause, rein.CommandResume:
	default:
		return rein.Errorf(rein.CodeInvalid, "command %q does not exist; available: answer, message, stop, cancel, delete, modify, comment, pause, resume, mode", c.Kind)
	}
	return nil
}

// Say brings a message to a session. If a run is under way there it steers that run, else it starts
// a new one with the given ID and task, whose messages get the text at their end.
//
// The run may end between the two, so Say tries in turn until one of them holds. The ID makes it safe to
// call again: the same message neither starts a second run nor steers a later one.
func (e *Engine) Say(ctx context.Context, id rein.RunID, task rein.Task, by, text string) (rein.Receipt, error) {
	if strings.TrimSpace(text) == "" || len(text) > maxMail {
		return rein.Receipt{}, rein.Errorf(rein.CodeInvalid, "a message needs a text, of at most %d bytes", maxMail)
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
		key := "say-" + string(id)
		active, said, err := e.saidBefore(ctx, task.Session, key)
		if err != nil || said.Command != "" {
			return said, err
		}
		if active == "" {
			// Start was refused because of a run that has ended since. The loop ends: each turn needs another
			// run to begin and end in between.
			continue // it has just ended: start after all
		}
		receipt, err := e.command(ctx, rein.Command{Kind: rein.CommandMessage, Run: active, By: by, Text: text, Key: key})
		if rein.CodeOf(err) != rein.CodeFinished {
			return receipt, err
		}
	}
	return rein.Receipt{}, ctx.Err()
}

// saidBefore returns the run that is under way in a session and, if the message with this key went
// to one of the session's runs before, its receipt: keys are of one run, but a message that is sent
// again must not reach the next one.
func (e *Engine) saidBefore(ctx context.Context, session, key string) (active rein.RunID, said rein.Receipt, err error) {
	var runs []rein.RunInfo
	for info, err := range e.opts.Store.Runs(ctx, store.Filter{Session: session, Roots: true}) {
		if err != nil {
			return "", said, err
		}
		runs = append(runs, info)
		if !info.Status.Ended() {
			active = info.ID
		}
	}
	for _, info := range slices.Backward(runs) {
		receipts, err := e.opts.Store.Receipts(ctx, info.ID)
		if err != nil {
			return "", said, err
		}
		for _, r := range receipts {
			if r.Key == key {
				r.Again = true
				return active, r, nil
			}
		}
	}
	return active, said, nil
}

// Resume lets a paused run and everything below it go on, and tries a blocked run again.
func (e *Engine) Resume(ctx context.Context, run rein.RunID, by string) error {
	receipt, err := e.command(ctx, rein.Command{Kind: rein.CommandResume, Run: run, By: by})
	if err != nil {
		return err
	}
	err = e.opts.Store.Resume(ctx, run, by, e.opts.Now())
	if rein.CodeOf(err) == rein.CodeFinished && len(receipt.Touched) > 0 {
		return nil // it went on, to its end
	}
	if err != nil {
		return wrap("resume run", run, err)
	}
	e.wake(run)
	return nil
}
