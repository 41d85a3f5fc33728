package engine

import (
	"context"

	"rein"
	"rein/household/branches"
	"rein/store"
)

// beginBranch makes the start of a task with a Branch one that begins a session, and keeps what it is a branch of in the
// transaction that makes the session. The run is not driven before that: its first look at its past goes by what is
// kept.
func (e *Engine) beginBranch(ctx context.Context, start *store.Start) error {
	task := &start.Start.Task
	from := task.Branch
	if from == nil {
		return nil
	}
	if task.Fork != nil || task.Session != string(start.Run) {
		return rein.Errorf(rein.CodeInvalid, "a branch is a new session, with the ID of its first run: leave the session and the fork out")
	}
	info, err := e.opts.Store.Run(ctx, from.Run)
	if err != nil && rein.CodeOf(err) != rein.CodeNotFound {
		return err
	}
	if err != nil || info.ID.Depth() > 0 || info.Session != from.Session || info.User != task.User || info.Household != task.Household {
		return rein.Errorf(rein.CodeNotFound, "there is no run %.600q in session %.100q", string(from.Run), from.Session)
	}
	row := branches.Row{Place: task.Place(), From: *from, Until: info.Started, Made: start.At}
	start.Begins, start.Claim = true, false
	start.Commit = func(ctx context.Context, tx rein.Tx) error { return branches.Keep(ctx, tx, row) }
	return nil
}
