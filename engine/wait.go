package engine

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// Wait implements rein.Run. Every end of the child is an outcome; the error is the waiting run's own. What
// the child came to is read when it has ended, and recorded here too, so that a replay does not depend on
// the child's log.
func (b *branch) Wait(child rein.RunID) (rein.Outcome, error) {
	s := b.begin(waitRequest(child))
	if s.rec.done != nil {
		return s.outcome(), s.rec.done.Failure.Err()
	}
	// An end that came while it waited counts, whatever came after it.
	if s.rec.start == nil || !s.run.mail.hasEnded(child) {
		if err := s.gate(false); err != nil {
			s.refuse(err, rein.StepEnd{})
			return rein.Outcome{}, err
		}
	}
	if !s.run.mail.isChild(child) {
		err := rein.Errorf(rein.CodeNotFound, "wait: run %s has no child %q", s.run.id, string(child))
		s.end(rein.StepEnd{Failure: rein.FailureOf(err)}, rein.Amount{})
		return rein.Outcome{}, err
	}
	if s.rec.start == nil && !s.run.mail.hasEnded(child) {
		s.run.note(store.Draft{Kind: rein.StepStarted, Step: s.key, Data: &rein.StepStart{Sig: s.req.sig, Verb: s.req.verb, Child: child}})
		s.adopt()
	}
	outcome, err := s.run.awaitChild(child)
	if err != nil {
		s.end(rein.StepEnd{Failure: rein.FailureOf(err)}, rein.Amount{})
		return rein.Outcome{}, err
	}
	s.end(rein.StepEnd{Outcome: &outcome}, rein.Amount{})
	return outcome, nil
}

// awaitChild waits for a child and returns what came of it. The error is an interruption of the run that waits.
//
// The end is looked at before the interruption: a child that ended in the moment in which its parent was interrupted
// has an outcome, and a replay, which reads both from the log, must find the same.
func (d *drive) awaitChild(child rein.RunID) (outcome rein.Outcome, err error) {
	d.await("run "+string(child), time.Time{}, func() bool {
		if d.mail.children[child] {
			return true
		}
		err = d.mail.interruption()
		return err != nil
	})
	if err != nil {
		return outcome, err
	}
	// The context is not that of anybody who asks: from here on the outcome is only a read and a record
	// away, and a shutdown waits for both.
	info, err := d.opts.Store.Run(context.Background(), child)
	if err != nil {
		d.fail(err)
	}
	end := info.End()
	outcome = normalOutcome(end.Outcome)
	// A flow reads texts; a child that failed without a word would otherwise look like one that had nothing
	// to say.
	if f := end.Failure; f != nil && outcome.Text == "" {
		outcome.Text = f.Msg
	}
	return outcome, nil
}

// outcome answers the step from the log.
func (s *step) outcome() rein.Outcome {
	if s.rec.done.Outcome == nil {
		return rein.Outcome{}
	}
	return *s.rec.done.Outcome
}
