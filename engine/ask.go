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
	return b.ask(askRequest(q), q.About, func(s *step) (rein.Ask, error) { return s.questionOf(q), checkQuestion(q) })
}

// ask puts to a person what made returns, unless it is recorded that somebody was asked, and waits for the answer.
func (b *branch) ask(r request, about rein.About, made func(*step) (rein.Ask, error)) (rein.Answer, error) {
	s := b.begin(r)
	if s.rec.done != nil {
		return s.answer(), s.rec.done.Failure.Err()
	}
	// An answer that came while it waited counts, whatever came after it.
	if s.rec.start == nil || !s.run.mail.isAnswered(s.rec.asks[0]) {
		if err := s.gate(false); err != nil {
			s.refuse(err, rein.StepEnd{Answer: withdrawn})
			return *withdrawn, err
		}
	}
	// A replay does not check the question again: it was opened, people have seen it, and a later program may
	// have other limits.
	if s.rec.start == nil {
		ask, err := made(s)
		if err != nil {
			s.end(rein.StepEnd{Answer: withdrawn, Failure: rein.FailureOf(err)}, rein.Amount{})
			return *withdrawn, err
		}
		if err := s.openAsk("ask", ask, store.Draft{
			Kind: rein.StepStarted, Step: s.key, Data: &rein.StepStart{Sig: s.req.sig, Verb: s.req.verb, About: about},
		}); err != nil {
			s.refuse(err, rein.StepEnd{Answer: withdrawn})
			return *withdrawn, err
		}
	}
	answer, err := s.awaitAnswer(s.rec.asks[0])
	s.end(rein.StepEnd{Answer: &answer, Failure: rein.FailureOf(err)}, rein.Amount{})
	return answer, err
}

// questionOf is the ask that puts a question to a person. Its text was written by a model, so what cannot
// be seen in it is made visible.
func (s *step) questionOf(q rein.Question) rein.Ask {
	ask := rein.Ask{Kind: rein.AskQuestion, Text: visible.Lines(normalText(q.Text)), Choices: q.Choices, For: q.For, OnExpiry: q.OnExpiry}
	if q.Timeout > 0 {
		ask.Deadline = s.run.opts.Now().Add(q.Timeout).UTC()
	}
	return ask
}

// withdrawn is the answer to a question that nobody will be asked any more.
var withdrawn = &rein.Answer{State: rein.AskWithdrawn}

// answer answers the step from the log.
func (s *step) answer() rein.Answer {
	if s.rec.done.Answer == nil {
		return *withdrawn
	}
	return *s.rec.done.Answer
}

// checkQuestion says what is wrong with a question that a flow or a tool asks, if anything.
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

// openAsk opens an ask as a sub-event of the step, together with the given events before it.
//
// The ask is refused by the store if a command has come that this drive has not read: it could be one that
// withdraws open asks, and this one would stay open beside it. Then the command is read and the step looks
// again. The error is an interruption. A paused run opens nothing until it is resumed.
func (s *step) openAsk(name string, ask rein.Ask, before ...store.Draft) error {
	// The number counts this step's asks in the log, so that the ID is the same in every replay and nobody's
	// answer can reach another question.
	n := 1
	for s.hasAsk(rein.NewAskID(s.run.id, s.key.Sub(name, n))) {
		n++
	}
	sub := s.key.Sub(name, n)
	ask.ID, ask.Run, ask.Step, ask.State = rein.NewAskID(s.run.id, sub), s.run.id, s.key, rein.AskPending
	ask.Opened, ask.Language = s.run.opts.Now().UTC(), s.run.task.Language
	if ask.Shown == "" {
		ask.Shown = shownOf(ask, nil, "")
	}
	opened := store.Draft{Kind: rein.AskOpened, Step: sub, Data: &ask, Opens: &ask}
	for {
		var interrupted error
		var held bool
		err := s.run.writeAsSeen(func() []store.Draft {
			if interrupted = s.run.mail.interruptedNow(); interrupted != nil {
				return nil // what came first would have withdrawn it
			}
			if held = s.run.mail.heldNow(); held {
				return nil
			}
			return append(before, opened)
		})
		switch {
		case interrupted != nil:
			return interrupted
		case held:
			s.run.waitWhilePaused()
			continue
		case err == nil:
			s.adopt()
			return nil
		case rein.CodeOf(err) != rein.CodeUnseen:
			s.run.fail(err)
		}
		s.run.refresh()
	}
}

func (s *step) hasAsk(id rein.AskID) bool {
	return slices.ContainsFunc(s.rec.asks, func(a rein.Ask) bool { return a.ID == id })
}

// awaitAnswer waits until the ask is closed, or the run is interrupted. It may take days, during which the
// run is parked. The answer is what the log says; when the deadline passes, the log is made to say so, for
// a person may answer at the same moment and only the store can tell who was first.
func (s *step) awaitAnswer(ask rein.Ask) (rein.Answer, error) {
	// An ask that parks on expiry has a deadline for people to see; the run does not act on it.
	deadline := ask.Deadline
	if ask.OnExpiry == rein.ExpiryPark {
		deadline = time.Time{}
	}
	for {
		var answer rein.Answer
		var closed bool
		var err error
		s.run.await("an answer to "+string(ask.ID), deadline, func() bool {
			answer, closed = s.run.mail.answers[ask.ID]
			if closed && answer.State != rein.AskExpired {
				return true // what a person said counts, whatever came after it
			}
			if err = s.run.mail.interruption(); closed {
				return true
			}
			return err != nil || !deadline.IsZero() && !s.run.opts.Now().Before(deadline)
		})
		switch {
		case closed && s.run.waitWhilePaused(): // what was said takes effect when the run goes on
			continue
		case closed:
			return answer, err
		case err != nil:
			return *withdrawn, err
		}
		s.expire(ask)
	}
}

// expire closes an ask whose deadline has passed. If somebody was faster, that is in the log.
func (s *step) expire(ask rein.Ask) {
	// It goes the way of every command, through the store, and not into mail directly: law 10, an answer is
	// always read from the log. The key makes a second driver's attempt the same command.
	_, err := s.run.engine.command(context.Background(), rein.Command{
		Kind: rein.CommandExpire, Run: s.run.id, Ask: ask.ID, By: bySystem, Key: "expire " + ask.ID.Sub(),
	})
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed:
		s.run.refresh()
	default:
		s.run.fail(err)
	}
}

// bySystem signs commands that no person sent.
const bySystem = "system"
