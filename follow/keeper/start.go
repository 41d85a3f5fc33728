package keeper

import (
	"context"
	"encoding/json"

	"rein"
	"rein/internal/digest"
)

// rememberID names the run that remembers another.
func rememberID(run rein.RunID) rein.RunID {
	if id := "m-" + run; id.Check() == nil {
		return id
	}
	return rein.RunID("m-" + digest.Joined(12, string(run)))
}

// sessionID names the summary of a session up to its last run.
func sessionID(session string, last rein.RunID) rein.RunID {
	return rein.RunID("s-" + digest.Joined(12, session, string(last)))
}

// dayID names the summary of a user's day.
func dayID(d day) rein.RunID {
	return rein.RunID("d-" + d.date + "-" + digest.Joined(12, d.household, d.user))
}

// task is the task of a background run, as far as its flow goes.
func task(flow string, settings map[string]string) rein.Task {
	raw, err := json.Marshal(settings) // in the order of the names
	if err != nil {
		raw = nil // texts can always be written
	}
	return rein.Task{Flow: flow, Settings: raw}
}

// start starts a background run for the user of another, unless it was started before.
func (b *bench) start(ctx context.Context, id rein.RunID, after rein.RunInfo, task rein.Task) {
	if _, err := b.Store.Run(ctx, id); err == nil {
		return
	}
	first, err := b.firstTask(ctx, after.ID)
	if err != nil {
		return
	}
	budget := DefaultBudget()
	if b.Budget != nil {
		budget = *b.Budget
	}
	if task.Session, err = b.session(ctx, after); err != nil {
		return
	}
	task.Household, task.User = after.Household, after.User
	task.Language, task.Zone, task.Model, task.Budget = first.Language, first.Zone, first.Model, &budget
	if b.Model != "" {
		task.Model = b.Model
	}
	_, err = b.Keeper.Start(ctx, id, task)
	// Of two keepers with different settings the first has started it.
	if code := rein.CodeOf(err); err != nil && code != rein.CodeConflict && ctx.Err() == nil {
		b.warn("a background run cannot be started", "run", id, "after", after.ID, "error", err)
	}
}

// session returns the session of the background runs of a run's user.
func (b *bench) session(ctx context.Context, of rein.RunInfo) (string, error) {
	key := of.Household + "\x00" + of.User
	if known := b.background[key]; known != "" {
		return known, nil
	}
	session, err := b.names.background(ctx, b.Store, of.Household, of.User)
	if err != nil {
		if ctx.Err() == nil {
			b.warn("sessions cannot be read", "run", of.ID, "error", err)
		}
		return "", err
	}
	b.background[key] = session
	return session, nil
}

// firstTask reads what a run was started with.
func (b *bench) firstTask(ctx context.Context, run rein.RunID) (rein.Task, error) {
	var start rein.RunStart
	err := error(rein.Errorf(rein.CodeNotFound, "run %s has no events", run))
	for ev, failed := range b.Store.Events(ctx, run, 0) {
		if err = failed; err == nil {
			start, err = rein.Payload[rein.RunStart](ev)
		}
		break
	}
	if err != nil && ctx.Err() == nil {
		b.warn("a run's task cannot be read", "run", run, "error", err)
	}
	return start.Task, err
}
