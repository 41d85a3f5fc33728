package scheduler

import (
	"context"
	"encoding/json"
	"errors"

	"rein"
	"rein/flow/notice"
	"rein/household/schedule"
	"rein/store"
)

// settle notes what came of runs that have ended, and delivers it. It returns how many these are.
func (s *Scheduler) settle(ctx context.Context) (count int, err error) {
	running, err := s.slots(ctx, schedule.Running)
	var notes []note
	for _, p := range running {
		end, over, err := s.look(ctx, p)
		if err != nil {
			return 0, err
		}
		if over {
			notes = append(notes, s.finish(p, end))
		}
	}
	return len(notes), errors.Join(err, s.write(ctx, notes))
}

// look reports whether the run of a slot has ended, and how.
func (s *Scheduler) look(ctx context.Context, p schedule.Pending) (end schedule.End, over bool, err error) {
	info, err := s.Store.Run(ctx, p.Slot.Run)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound:
		return schedule.End{Error: "its run is gone"}, true, nil
	case err != nil || !info.Status.Ended():
		return end, false, err
	}
	return s.endOf(ctx, info), true, nil
}

// endOf is what came of a run.
func (s *Scheduler) endOf(ctx context.Context, info rein.RunInfo) schedule.End {
	end := info.End()
	e := schedule.End{Text: end.Text}
	if ledger, err := s.Store.Ledger(ctx, info.ID); err == nil {
		e.Micros = ledger.Used.Micros
	}
	switch {
	case end.End.Completed():
	case end.End == rein.EndFailed:
		e.Failed, e.Error = true, "the run failed"
		if end.Failure != nil {
			e.Error = end.Failure.Msg
		}
	default:
		e.Error = "its run was " + string(end.End)
	}
	return e
}

// finish notes what came of a slot.
func (s *Scheduler) finish(p schedule.Pending, e schedule.End) note {
	return note{p.Job.Owner, func(ctx context.Context, tx rein.Tx) error {
		return schedule.Finish(ctx, tx, p, e, s.Now(), s.Rules())
	}}
}

// tell puts the results of isolated runs into the sessions of those who want them.
func (s *Scheduler) tell(ctx context.Context) error {
	untold, err := s.slots(ctx, func(ctx context.Context, q store.Query) ([]schedule.Pending, error) {
		return schedule.Untold(ctx, q, atOnce)
	})
	for _, p := range untold {
		if err == nil {
			err = s.tellOne(ctx, p)
		}
	}
	return err
}

func (s *Scheduler) tellOne(ctx context.Context, p schedule.Pending) error {
	id := schedule.NoticeOf(p.Slot)
	_, err := s.Store.Run(ctx, id)
	if rein.CodeOf(err) == rein.CodeNotFound {
		err = s.report(ctx, id, p)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if code := rein.CodeOf(err); err != nil && code != rein.CodeConflict {
		s.Log.Warn("the result of a job cannot be shown in its session; it is delivered otherwise", "job", p.Job.ID, "run", p.Slot.Run, "error", err)
	}
	return s.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return schedule.MarkTold(ctx, tx, p.Slot) })
}

// report starts the run that shows a result.
func (s *Scheduler) report(ctx context.Context, id rein.RunID, p schedule.Pending) error {
	e := schedule.End{Error: p.Slot.Error}
	switch info, err := s.Store.Run(ctx, p.Slot.Run); {
	case rein.CodeOf(err) == rein.CodeNotFound: // it never started
	case err != nil:
		return err
	case info.Erased:
		return nil
	default:
		e.Text = info.End().Text
	}
	task, err := s.notice(ctx, p.Job, p.Slot.Run, schedule.Reporting(p.Job, e))
	if err == nil {
		_, err = s.Start(ctx, id, task)
	}
	return err
}

// notice is the task of a run that shows a message in the session of a job's user. The message repeats words of a run.
func (s *Scheduler) notice(ctx context.Context, j schedule.Job, of rein.RunID, text string) (rein.Task, error) {
	session, err := s.Session(ctx, j)
	if err != nil {
		return rein.Task{}, err
	}
	settings, err := json.Marshal(notice.Settings{Text: text, Run: string(of)})
	budget := rein.Budget{Amount: rein.Amount{Rounds: 1, ToolCalls: 1, Tokens: 1, Micros: 1, DrivenMS: 1000, Runs: 1}}
	return rein.Task{
		Flow: notice.Name, Household: j.Household, User: j.User, Session: session, Language: j.Language, Zone: j.Zone, Budget: &budget, Settings: settings,
	}, err
}
