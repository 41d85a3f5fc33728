package engine

import (
	"context"
	"errors"

	"rein"
)

// load reads the log. A log that cannot be read is CodeDamaged, which blocks the run; any other error is
// the store's and may pass.
func (d *drive) load(ctx context.Context) error {
	// Both locks, in their order, for the whole read: a command may wake this drive while it loads, and what
	// refresh then reads must come after all of this, or events would be applied twice or out of order.
	d.log.writing.Lock()
	defer d.log.writing.Unlock()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.log.loaded {
		return nil
	}
	d.log.loaded = true
	for ev, err := range d.opts.Store.Events(ctx, d.id, 0) {
		if err != nil {
			return err
		}
		if err := d.apply(ev); err != nil {
			return rein.Errorf(rein.CodeDamaged, "event %d of the log cannot be read: %w", ev.Seq, err)
		}
	}
	if d.task.Flow == "" {
		return rein.Errorf(rein.CodeDamaged, "the log has no %s event", rein.RunStarted)
	}
	return nil
}

// apply takes in an event that was read from the log. An erased run cannot be driven again: a replay would
// need what is gone. It is called with mu held.
func (d *drive) apply(ev rein.Event) error {
	if ev.Erased {
		return errors.New("its payload was erased")
	}
	if ev.Kind.Command() != "" {
		if err := d.mail.receive(d.id, ev); err != nil {
			return err
		}
		d.log.seq = ev.Seq
		return nil
	}
	if isRead(ev.Kind) {
		payload, err := rein.Decode(ev)
		if err != nil {
			return err
		}
		d.learn(ev.Kind, ev.Step, payload)
	}
	d.log.seq = ev.Seq
	return nil
}

// isRead reports whether the engine reads the payload of a kind that drivers write. The others say where a
// drive left the run, which a replay finds out for itself.
func isRead(kind rein.Kind) bool {
	switch kind {
	case rein.RunParked, rein.RunBlocked, rein.RunResumed:
		return false
	}
	return !kind.Ends()
}

// learn takes in a driver's event, read or just written. It is the only place where the parts learn what
// the driver did, so that a replay knows what the first drive knew. It is called with mu held.
func (d *drive) learn(kind rein.Kind, key rein.StepKey, payload any) {
	if start, ok := payload.(*rein.RunStart); ok {
		d.task, d.purse.reserve, d.mail.mode = start.Task, start.Reserve, start.Task.Mode
		return
	}
	if key == "" {
		return
	}
	// Events of sub-keys (7.ask, 7.intent) belong to the record of their step: a verb is one state machine,
	// however many events it took.
	step := key.Step()
	r := d.log.recordOf(step)
	r.apply(kind, key, payload)
	if kind == rein.SubStarted || kind == rein.SubDone {
		d.summaries.learnSummary(r.subs[key])
		if end, ok := payload.(*rein.StepEnd); ok && end.Child != "" {
			d.mail.learnFork(end.Child)
		}
		return
	}
	switch p := payload.(type) {
	case *rein.Checked:
		d.history.learnSettled(p)
	case *rein.Attempt:
		// A step that waited for an approval begins before it is paid for; its round is paid here then.
		if p.Bound.Rounds > 0 && r.start != nil {
			d.purse.learnPaid(r.start.Round)
		}
	case *rein.StepStart:
		if p.Bound != (rein.Amount{}) {
			d.purse.learnPaid(p.Round)
		}
		// A closing call before the budget is spent is paid for like any other.
		if p.Prompt != nil && p.Prompt.Closing && d.purse.spent {
			d.purse.reserveUse = true
		}
	case *rein.StepEnd:
		if p.Child != "" {
			d.mail.learnChild(p.Child)
		}
		if len(p.Items) > 0 {
			d.mail.read(p.Items)
			d.summaries.learnInstead(p.Items)
		}
		switch {
		case p.Failure == nil || p.Failure.Code != rein.CodeBudget:
		case p.Failure.Dim == rein.DimRepeats:
			d.history.stuck = true
		default:
			d.purse.learnFailure(p.Failure)
		}
		if r.start != nil && r.start.Prompt != nil && (r.start.Prompt.Stream || r.start.Prompt.Prose) {
			d.partial = p.Partial
		}
		// What calls gave is compared whole, so this comes before lean lets go of it.
		d.history.learnUnknown(r)
		d.history.learnCall(step, r)
		r.lean()
	}
}
