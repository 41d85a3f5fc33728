package engine

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// terms say how a step is admitted.
type terms struct {
	begin    func(bound rein.Amount) store.Draft // makes the event that begins the step
	reserved bool                                // the run's reserve pays for it
	ahead    rein.Amount                         // to reserve with it, for the call that is likely to follow
	mend     rein.Mend                           // of a tool call that has begun before
}

// admit makes a reservation together with the event that it is for: the step's beginning or, if it
// has begun before, another attempt. Both are one append, so there is no moment at which a call is paid
// for and not in the log, or the other way round. If not all the time is left that the call may take, it
// gets what there is. A refusal is for the caller to record, and sticks.
func (s *step) admit(about rein.About, bound rein.Amount, t terms) (time.Duration, error) {
	if s.rec.attempts == 0 && !t.reserved && s.run.purse.claimRound(about.Round) {
		bound.Rounds = 1
	}
	for {
		draft := store.Draft{Kind: rein.StepAttempt, Step: s.key, Data: &rein.Attempt{N: s.rec.attempts + 1, Bound: bound, Mend: t.mend}}
		if s.rec.start == nil {
			draft = t.begin(bound)
		}
		if !t.reserved {
			draft.Spend, draft.Reserve = bound.Plus(t.ahead), true
		}
		err := s.run.write(draft)
		if err == nil {
			s.adopt()
			s.run.purse.putAhead(t.ahead)
			return time.Duration(bound.DrivenMS) * time.Millisecond, nil
		}
		if t.ahead != (rein.Amount{}) && rein.CodeOf(err) == rein.CodeBudget {
			t.ahead = rein.Amount{} // it can do without
			continue
		}
		if f := rein.FailureOf(err); f.Code == rein.CodeBudget && f.Dim == "driven_ms" {
			if left := s.run.timeLeft(); left >= minTime && left.Milliseconds() < bound.DrivenMS {
				bound.DrivenMS = left.Milliseconds()
				continue
			}
		}
		return 0, err
	}
}

// minTime is the least driven time that is worth beginning a call with. With less the budget counts as
// spent.
const minTime = time.Second

// timeLeft is how much driven time the tree's budget still has. It is asked for after a refusal; if it
// cannot be read, that refusal stands.
func (d *drive) timeLeft() time.Duration {
	d.flush() // what earlier calls gave back
	ledger, err := d.opts.Store.Ledger(context.Background(), d.id.Root())
	if err != nil {
		return 0
	}
	return time.Duration(ledger.Cap.DrivenMS-ledger.Used.DrivenMS) * time.Millisecond
}

// takeAhead pays for a call with what the model call before it reserved. Once the drive is over it does
// not: the step would exit before it is recorded, and what it took would never be given back.
func (s *toolStep) takeAhead(bound rein.Amount) bool {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	return s.run.state <= draining && s.run.purse.takeAhead(bound)
}
