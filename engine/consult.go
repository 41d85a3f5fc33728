package engine

import (
	"context"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/store"
)

// A consult is a model call inside a step, which the flow does not see: it mends arguments or sums
// up a history. It is recorded under a key of its own and, like the step, answered from the log.
type consult struct {
	name   string
	n      int // which of the step's consults with this name it is; 0: the first
	prompt rein.Prompt
	folds  *rein.Folded
	limit  time.Duration
	// read makes the reply what is recorded of it, or says what is wrong with it: then the consult
	// has failed.
	read func(rein.Message) (rein.Message, error)
	// keep, if not nil, returns what writes a good reply to our own tables, in the append that records
	// the reply.
	keep func(rein.Message) func(context.Context, rein.Tx) error
	// wanted, if not nil, ends when nobody waits for the reply any more.
	wanted context.Context
}

// errUnwanted ends a consult that nobody waits for any more.
var errUnwanted = rein.Errorf(rein.CodeTimeout, "nobody waits for the reply any more")

// consult asks the model. A budget that does not reach, a provider's error and a useless reply are
// failures of the consult alone: the step goes on without. An interruption is the step's as well. What came
// of a call that was made is recorded, good or bad, and a replay does not make it again.
func (s *step) consult(c consult) (rein.Message, error) {
	key := s.key.Sub(c.name, max(c.n, 1))
	if sub := s.rec.subs[key]; sub != nil && sub.done != nil {
		if sub.done.Message == nil {
			return rein.Message{}, sub.done.Failure.Err()
		}
		return *sub.done.Message, sub.done.Failure.Err()
	}
	m, _, err := s.lookUp(c.prompt, c.prompt.Model, guard.InputBound(c.prompt.Messages, nil, nil))
	if err != nil {
		return rein.Message{}, err
	}
	if err := s.run.awaitResume(); err != nil {
		return rein.Message{}, err
	}
	if s.run.opts.Worker.Pace != nil {
		if err := s.board(m.Info(), s.want(m.Info(), false), func() {}); err != nil {
			return rein.Message{}, err
		}
		defer s.land()
	}
	bound := guard.ModelBound(c.prompt, nil, m.Info(), c.limit)
	start := &rein.StepStart{Sig: s.req.sig, Verb: rein.VerbModel, About: c.prompt.About, Prompt: new(talk).pack(c.prompt), Folds: c.folds, Bound: bound}
	if err := s.run.write(store.Draft{Kind: rein.SubStarted, Step: key, Data: start, Spend: bound, Reserve: true}); err != nil {
		return rein.Message{}, err
	}
	s.adopt()
	return s.generateSub(key, m, c, bound)
}

// generateSub makes the call of a consult and records what came of it. There is one attempt and no retry:
// the step can go on without.
func (s *step) generateSub(key rein.StepKey, m rein.Model, c consult, bound rein.Amount) (rein.Message, error) {
	ctx, release := s.run.beginTimed(c.limit)
	defer release()
	if c.wanted != nil {
		defer context.AfterFunc(c.wanted, release)()
	}
	began := time.Now()
	request := rein.ModelRequest{Prompt: c.prompt, Run: s.run.id, Step: key, Attempt: 1}
	reply, err := s.run.opts.Worker.Generate(ctx, &s.run.workers, m, request, nil)
	took := time.Since(began)
	cause := context.Cause(ctx)
	switch {
	case err != nil && cause == errLetGo:
		exit()
	case err != nil && cause == context.Canceled:
		err = errUnwanted
	case err != nil && cause != nil:
		err = cause
	}
	if err == nil && guard.InputBound([]rein.Message{reply.Message}, nil, nil) > maxText {
		err = rein.Errorf(rein.CodeProvider, "the model's reply is larger than can be recorded")
	}
	end := rein.StepEnd{Duration: took}
	if err == nil {
		end.Model, end.Usage = reply.Model, spentOf(bound, m.Info(), reply.Usage)
		var message rein.Message
		message, err = c.read(normalMessage(reply.Message))
		end.Message = &message
	} else {
		end.Usage = usedBy(bound, request, m.Info(), err, "")
	}
	change, overrun := guard.Settle(bound, end.Usage, took)
	end.Failure, end.Overrun = rein.FailureOf(err), overrun != rein.Amount{}
	s.endSub(c, &end, store.Draft{Kind: rein.SubDone, Step: key, Data: &end, Spend: change})
	if end.Message == nil {
		return rein.Message{}, end.Failure.Err()
	}
	return *end.Message, end.Failure.Err()
}

// endSub records the end of a consult, and with it what is kept of its reply. If that cannot be kept,
// the run goes on with its reply all the same.
func (s *step) endSub(c consult, end *rein.StepEnd, draft store.Draft) {
	if c.keep == nil || end.Failure != nil || end.Message == nil {
		s.run.note(draft)
		return
	}
	draft.Commit = c.keep(*end.Message)
	err := s.run.write(draft)
	if err == nil {
		return
	}
	if !isCommitFailure(err) {
		s.run.fail(err)
	}
	s.run.opts.Log.Warn("a summary of earlier runs is not kept for later ones", "run", string(s.run.id), "step", string(s.key), "error", err)
	draft.Commit = nil
	s.run.note(draft)
}

// priced returns what a call took with what it cost.
func priced(info rein.ModelInfo, u *rein.Usage) *rein.Usage {
	if u == nil || u.Micros != 0 {
		return u
	}
	p := *u
	p.Micros = guard.Cost(info, *u)
	return &p
}

// spentOf is what a reply took and, if its provider reports nothing, what was reserved for it: that counts as spent, and
// whoever adds up the log is to come to the number of the ledger.
func spentOf(bound rein.Amount, info rein.ModelInfo, u *rein.Usage) *rein.Usage {
	if u == nil {
		return &rein.Usage{Input: bound.Tokens, Micros: bound.Micros}
	}
	return priced(info, u)
}

// interrupts reports whether the error is the run's and not the consult's.
func interrupts(err error) bool { return rein.CodeOf(err).Interrupts() }
