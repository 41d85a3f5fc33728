package engine

import (
	"fmt"

	"rein"
	"rein/engine/work/pace"
	"rein/store"
)

// A step is one verb of one branch, with what the log holds of it. It lives as long as the verb takes, or
// until its goroutine exits; the next drive makes another one from the same record.
type step struct {
	run    *drive
	branch *branch
	key    rein.StepKey
	req    request
	rec    *record
	flight *pace.Flight // the place of its call among those under way; nil: it has none
	server string       // whose tool a call names, if it is known
}

// isNew reports whether the log holds nothing of the step yet.
func (s *step) isNew() bool { return s.rec.start == nil && s.rec.done == nil }

// maxIdle is how many verbs a flow may still ask for after it was told that the run has ended, or
// that it must read its Inbox.
const maxIdle = 1000

// gate decides whether a step that is not done may go on, and waits while the run is paused. If not it
// returns the error for the flow, which refuse records if it has to be.
//
// The first reason counts, by how final it is: the run is ending; its budget is spent, except for one
// closing call; its model repeats itself; or a modify has to be read first. A flow that goes on asking
// after it was told is stopped after maxIdle verbs: it would never end otherwise.
func (s *step) gate(closing bool) error {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	s.run.exitIfLeaving()
	if !s.isAsking() {
		s.run.waitWhilePausedLocked()
	}
	var err *rein.Error
	switch {
	case s.run.mail.ending != "":
		err = sticky(s.run.mail.ending)
	case s.run.purse.spent && !(closing && (!s.run.purse.reserveUse || s.rec.start != nil)):
		err = rein.ErrBudget
	case s.run.history.stuck && !closing:
		err = errStuck
	case s.run.mail.interrupted:
		err = rein.ErrInterrupted
	default:
		return nil
	}
	if s.branch.idle++; s.branch.idle > maxIdle {
		s.endStubborn(err)
	}
	return err
}

// endStubborn ends a run whose flow does not listen. If the run is ending anyway it is ended without its
// flow; else the flow has a bug, and the panic makes that its failure. It is called with mu held.
func (s *step) endStubborn(err *rein.Error) {
	if s.run.mail.ending == "" {
		panic(fmt.Sprintf("the flow made %d steps without heeding %q", maxIdle, err))
	}
	s.run.stubborn = true
	s.run.unwindLocked(letGo, nil)
	exit()
}

// end records how the step ended, with the change of the ledger that goes with it. A step that has
// not been started is recorded whole. It does not wait for the disk: what is lost by a crash is done again,
// and whatever cannot be done again is written, not noted.
func (s *step) end(e rein.StepEnd, spend rein.Amount) {
	s.run.note(s.doneDraft(e, spend))
}

// doneDraft is the event that ends the step. If it is the step's only one, it carries the signature.
func (s *step) doneDraft(e rein.StepEnd, spend rein.Amount) store.Draft {
	if s.rec.start == nil {
		e.Sig, e.Verb, e.Tool, e.Server, e.Call = s.req.sig, s.req.verb, s.req.tool, s.server, s.req.call
	}
	return store.Draft{Kind: rein.StepDone, Step: s.key, Data: &e, Spend: spend}
}

// refuse ends a step that gate did not let pass. What is new and must be read again (the run is
// ending, the budget is spent) is not recorded: the log says it already. An interruption is, because a
// replay cannot see when it came.
func (s *step) refuse(err error, e rein.StepEnd) {
	if s.isNew() && rein.CodeOf(err) != rein.CodeInterrupted {
		return
	}
	e.Failure = rein.FailureOf(err)
	s.end(e, rein.Amount{})
}

// adopt makes the record that the log now has the step's own. It is called after the first event of a step
// that the log did not know, which begin gave an empty record.
func (s *step) adopt() {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	s.rec = s.run.log.steps[s.key]
	s.rec.used = true
}

// isAsking reports whether the step waits for a person. A pause does not keep it from that: the ask
// stays open and its deadline runs. It is called with mu held.
func (s *step) isAsking() bool {
	if len(s.rec.asks) == 0 {
		return false
	}
	_, closed := s.run.mail.answers[s.rec.asks[len(s.rec.asks)-1].ID]
	return !closed
}
