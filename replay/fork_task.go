package replay

import (
	"context"

	"rein"
	"rein/replay/cassette"
)

// Task makes the task of a fork, as Fork does, without the whole log in memory. text, if not nil, is what the step says
// in place of what it said. What cannot be forked so is CodeInvalid, and a run that was erased CodeConflict.
func (f *Forks) Task(ctx context.Context, run rein.RunID, step rein.StepKey, text *string, allow []string) (rein.Task, error) {
	tape, err := f.tapeAt(ctx, run, step)
	if err != nil {
		return rein.Task{}, err
	}
	task, err := Fork(tape, step, nil, allow)
	if err == nil && text != nil {
		task.Fork.Edit, err = edited(tape, step, []byte(*text), false)
	}
	if rein.CodeOf(err) == rein.CodeNotFound {
		err = rein.Errorf(rein.CodeInvalid, "%w", err)
	}
	return task, err
}

// tapeAt is the outline of a run, with the texts of its start and of one step.
func (f *Forks) tapeAt(ctx context.Context, run rein.RunID, step rein.StepKey) (*cassette.Tape, error) {
	done, err := f.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	log, err := outlinesOf(ctx, f.Store, run)
	if err != nil {
		return nil, err
	}
	for i, e := range log {
		if e.Erased {
			return nil, rein.Errorf(rein.CodeConflict, "run %s was erased: there is nothing to fork", e.Run)
		}
		if e.Run == run && (e.Kind == rein.RunStarted || e.Step == step) {
			if log[i], err = f.Store.Event(ctx, run, e.Seq); err != nil {
				return nil, err
			}
		}
	}
	return TapeOf(log, run, f.worker, rein.Policy{})
}

// takeTurn waits until a log may be gone through.
func (f *Forks) takeTurn(ctx context.Context) (done func(), err error) {
	select {
	case f.reading <- struct{}{}:
		return func() { <-f.reading }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
