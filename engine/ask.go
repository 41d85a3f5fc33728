package engine

import (
	"context"
	"slices"
	"time"

	"rein"
	"rein/internal/visible"
	"rein/store"
)

// AskUser implements rein.Run.
func (b *branch) AskUser(q rein.Question) (rein.Answer, error) {
	s := b.begin(askRequest(q))
	if s.done != nil {
		return s.answer(), s.done.Failure.Err()
	}
	// An answer that came while it waited counts, whatever came after it.
	if s.start == nil || !s.isAnswered(s.asks[0]) {
		if err := s.gate(false); err != nil {
			s.refuse(err, rein.StepEnd{Answer: withdrawn})
			return *withdrawn, err
		}
	}
	if s.start == nil {
		if err := checkQuestion(q); err != nil {
			s.end(rein.StepEnd{Answer: withdrawn, Failure: rein.FailureOf(err)}, rein.Amount{})
			return *withdrawn, err
		}
		if err := s.open("ask", s.questionOf(q), store.Draft{
			Kind: rein.StepStarted, Step: s.key, Data: &rein.StepStart{Sig: s.req.sig, Verb: s.req.verb, About: q.About},
		}); err != nil {
			s.refuse(err, rein.StepEnd{Answer: withdrawn})
			return *withdrawn, err
		}
	}
	answer, err := s.awaitAnswer(s.asks[0])
	s.end(rein.StepEnd{Answer: &answer, Failure: rein.FailureOf(err)}, rein.Amount{})
	return answer, err
}

func (s *step) questionOf(q rein.Question) rein.Ask {
	ask := rein.Ask{Kind: rein.AskQuestion, Text: visible.Lines(normalText(q.Text)), Choices: q.Choices, For: q.For, OnExpiry: q.OnExpiry}
	if q.Timeout > 0 {
		ask.Deadline = s.Now().Add(q.Timeout).UTC()
	}
	return ask
}

var withdrawn = &rein.Answer{State: rein.AskWithdrawn}

func (s *step) answer() rein.Answer {
	if s.done.Answer == nil {
		return *withdrawn
	}
	return *s.done.Answer
}

func checkQuestion(q rein.Question) error {
	switch {
	case q.Text == "" || len(q.Text) > maxText:
		return rein.Errorf(rein.CodeInvalid, "a question needs a text, of at most %d bytes", maxText)
	case q.Timeout < 0:
		return rein.Errorf(rein.CodeInvalid, "a question's timeout is %s; it must not be negative", q.Timeout)
	}
	return checkExpiry(q.OnExpiry)
}

func checkExpiry(e rein.Expiry) error {
	switch e {
	case "", rein.ExpiryContinue, rein.ExpiryDeny, rein.ExpiryStop, rein.ExpiryPark:
		return nil
	}
	return rein.Errorf(rein.CodeInvalid, "on_expiry is %q; it must be continue, deny, stop or park", e)
}

// open opens an ask as a sub-event of the step, together with the given events before it.
func (s *step) open(name string, ask rein.Ask, before ...store.Draft) error {
	n := 1
	for s.hasAsk(rein.NewAskID(s.id, s.key.Sub(name, n))) {
		n++
	}
	sub := s.key.Sub(name, n)
	ask.ID, ask.Run, ask.Step, ask.State = rein.NewAskID(s.id, sub), s.id, s.key, rein.AskPending
	ask.Opened = s.Now().UTC()
	if ask.Shown == "" {
		ask.Shown = shownOf(ask, nil, "")
	}
	opened := store.Draft{Kind: rein.AskOpened, Step: sub, Data: &ask, Opens: &ask}
	for {
		var interrupted error
		var held bool
		err := s.writeAsSeen(func() []store.Draft {
			if interrupted = s.interruptedNow(); interrupted != nil {
				return nil // what came first would have withdrawn it
			}
			if held = s.heldNow(); held {
				return nil
			}
			return append(before, opened)
		})
		switch {
		case interrupted != nil:
			return interrupted
		case held:
			s.halt()
			continue
		case err == nil:
			s.adopt()
			return nil
		case rein.CodeOf(err) != rein.CodeUnseen:
			s.fail(err)
		}
		s.refresh()
	}
}

func (s *step) hasAsk(id rein.AskID) bool {
	return slices.ContainsFunc(s.asks, func(a rein.Ask) bool { return a.ID == id })
}

// awaitAnswer waits until the ask is closed, or the run is interrupted. The answer is what the log
// says; when the deadline passes, the log is made to say so.
func (s *step) awaitAnswer(ask rein.Ask) (rein.Answer, error) {
	deadline := ask.Deadline
	if ask.OnExpiry == rein.ExpiryPark {
		deadline = time.Time{}
	}
	for {
		var answer rein.Answer
		var closed bool
		var err error
		s.await("an answer to "+string(ask.ID), deadline, func() bool {
			answer, closed = s.answers[ask.ID]
			if closed && answer.State != rein.AskExpired {
				return true // what a person said counts, whatever came after it
			}
			if err = s.interruption(); closed {
				return true
			}
			return err != nil || !deadline.IsZero() && !s.Now().Before(deadline)
		})
		switch {
		case closed && s.halt(): // what was said takes effect when the run goes on
			continue
		case closed:
			return answer, err
		case err != nil:
			return *withdrawn, err
		}
		s.expire(ask)
	}
}

func (d *drive) isAnswered(ask rein.Ask) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	answer, closed := d.answers[ask.ID]
	return closed && answer.State != rein.AskExpired
}

// interruption returns the error that ends a wait. It is called with mu held.
func (d *drive) interruption() error {
	if d.ending != "" {
		return sticky(d.ending)
	}
	if d.interrupted {
		return rein.ErrInterrupted
	}
	return nil
}

func (d *drive) interruptedNow() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.interruption()
}

// expire closes an ask whose deadline has passed. If somebody was faster, that is in the log.
func (s *step) expire(ask rein.Ask) {
	_, err := s.command(context.Background(), rein.Command{
		Kind: rein.CommandExpire, Run: s.id, Ask: ask.ID, By: bySystem, Key: "expire " + ask.ID.Sub(),
	})
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed:
		s.refresh()
	default:
		s.fail(err)
	}
}

// bySystem signs commands that no person sent.
const bySystem = "system"
