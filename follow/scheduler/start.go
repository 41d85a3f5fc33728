package scheduler

import (
	"context"
	"errors"
	"time"

	"rein"
	"rein/household/schedule"
	"rein/store"
)

// SessionPrefix begins the names of the sessions of isolated jobs. No client may begin a session with such a name.
const SessionPrefix = "job-"

// atOnce is how many slots are looked at in one go.
const atOnce = 500

// start starts the runs of slots whose turn it is, and returns how many it has dealt with. It goes through all of them, so
// that many slots that cannot start now hold up none of somebody else.
func (s *Scheduler) start(ctx context.Context) (count int, err error) {
	full := map[schedule.Owner]bool{}
	after := schedule.Slot{}
	for more := true; more && err == nil; {
		var ready []schedule.Pending
		ready, err = s.slots(ctx, func(ctx context.Context, q store.Query) ([]schedule.Pending, error) {
			return schedule.Ready(ctx, q, after, atOnce)
		})
		if more = len(ready) == atOnce; more {
			after = ready[atOnce-1].Slot
		}
		if err == nil {
			var notes []note
			notes, err = s.startAll(ctx, ready, full)
			count += len(notes)
			err = errors.Join(err, s.write(ctx, notes))
		}
	}
	return count, err
}

// A note is what is written about a slot after something was done for it.
type note struct {
	of    schedule.Owner
	write func(context.Context, rein.Tx) error
}

// write writes notes in one transaction.
func (s *Scheduler) write(ctx context.Context, notes []note) error {
	if len(notes) == 0 {
		return nil
	}
	err := s.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, n := range notes {
			if err := n.write(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || s.Changed == nil {
		return err
	}
	heard := map[schedule.Owner]bool{}
	for _, n := range notes {
		if !heard[n.of] {
			heard[n.of] = true
			s.Changed(n.of.Household, n.of.User)
		}
	}
	return nil
}

func (s *Scheduler) slots(ctx context.Context, read func(context.Context, store.Query) ([]schedule.Pending, error)) (found []schedule.Pending, err error) {
	err = s.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = read(ctx, q)
		return err
	})
	return found, err
}

// startAll starts runs. Of a user who can have no more runs now, full, only messages are looked at.
func (s *Scheduler) startAll(ctx context.Context, ready []schedule.Pending, full map[schedule.Owner]bool) (notes []note, err error) {
	for _, p := range ready {
		takes := p.Job.Payload.Kind == schedule.AgentTurn
		if takes && full[p.Job.Owner] {
			continue
		}
		n, err := s.startOne(ctx, p)
		switch {
		case err != nil:
			return notes, err
		case n.write != nil:
			notes = append(notes, n)
		case takes:
			full[p.Job.Owner] = true
		}
	}
	return notes, nil
}

// startOne starts the run of a slot, unless it was started before, and returns what to note; an empty note: nothing yet.
func (s *Scheduler) startOne(ctx context.Context, p schedule.Pending) (n note, err error) {
	active, err := s.isActive(ctx, p.Job)
	if err != nil {
		return n, err
	}
	if !active {
		return note{p.Job.Owner, func(ctx context.Context, tx rein.Tx) error {
			return schedule.Skip(ctx, tx, p.Slot, "user "+p.Job.User+" is disabled", s.Now())
		}}, nil
	}
	if _, err = s.Store.Run(ctx, p.Slot.Run); rein.CodeOf(err) == rein.CodeNotFound {
		var task rein.Task
		if task, err = s.task(ctx, p); err == nil {
			_, err = s.Start(ctx, p.Slot.Run, task)
		}
		if rein.CodeOf(err) == rein.CodeConflict {
			err = nil // another scheduler started it, under other settings
		}
	}
	switch {
	case ctx.Err() != nil:
		return n, ctx.Err()
	case err != nil && s.isPassing(p, err):
		s.Log.Warn("a job cannot start now, and is tried again", "job", p.Job.ID, "run", p.Slot.Run, "error", err)
		return n, nil
	case err != nil:
		s.Log.Warn("a job cannot start", "job", p.Job.ID, "run", p.Slot.Run, "error", err)
		return s.finish(p, schedule.End{Failed: p.Job.Payload.Kind == schedule.AgentTurn, Error: err.Error()}), nil
	}
	return note{p.Job.Owner, func(ctx context.Context, tx rein.Tx) error { return schedule.MarkStarted(ctx, tx, p.Slot) }}, nil
}

// isActive reports whether the user of a job may start runs.
func (s *Scheduler) isActive(ctx context.Context, j schedule.Job) (bool, error) {
	if s.Active == nil {
		return true, nil
	}
	return s.Active(ctx, j.Household, j.User)
}

// patience is how long a slot waits for a limit to allow its run.
const patience = time.Hour

// isPassing reports whether it may work later. A reminder does not wait: it is delivered, if only not into the session.
func (s *Scheduler) isPassing(p schedule.Pending, err error) bool {
	switch rein.CodeOf(err) {
	case rein.CodeInvalid, rein.CodeForbidden, rein.CodeNotFound:
		return false
	}
	waited := s.Now().Sub(p.Slot.Fired)
	return p.Job.Payload.Kind == schedule.AgentTurn && waited >= 0 && waited < patience
}

// task is what the run of a slot is to do.
func (s *Scheduler) task(ctx context.Context, p schedule.Pending) (task rein.Task, err error) {
	j := p.Job
	if j.Payload.Kind == schedule.SystemEvent {
		return s.notice(ctx, j, j.Run, schedule.Reminding(j, p.Slot))
	}
	task = rein.Task{
		Flow: j.Payload.Flow, Household: j.Household, User: j.User, Session: SessionPrefix + j.ID, Language: j.Language, Zone: j.Zone,
		Budget: j.Payload.Budget, Messages: []rein.Message{{Role: rein.User, Text: j.Payload.Text}},
	}
	if task, err = j.Marked(task); err != nil {
		return task, err
	}
	if s.Complete != nil {
		if task, err = s.Complete(ctx, task); err != nil {
			return task, err
		}
	}
	return s.within(ctx, j, task)
}

// within bounds the money of a task by what the limits of the job leave.
func (s *Scheduler) within(ctx context.Context, j schedule.Job, task rein.Task) (rein.Task, error) {
	err := s.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		left, limited, err := schedule.MoneyLeft(ctx, q, j, s.Now(), s.Rules())
		if err != nil || !limited || task.Budget == nil || left >= task.Budget.Micros {
			return err
		}
		budget := *task.Budget
		budget.Micros = max(left, 1)
		task.Budget = &budget
		return nil
	})
	return task, err
}
