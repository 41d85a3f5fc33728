package engine

import (
	"cmp"
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/store"
)

// awaitTurn waits until the step may be tried: for its turn, after a try that failed, or while the run is
// paused. The run may be parked meanwhile. The error is an interruption.
func (s *modelStep) awaitTurn() error {
	if s.rec.waiting == nil {
		return s.run.awaitResume()
	}
	until := s.rec.waiting.Until
	var err error
	s.run.await("another try of a model call", until, func() bool {
		err = s.run.mail.interruption()
		return err != nil || !s.run.opts.Now().Before(until)
	})
	return cmp.Or(err, s.run.awaitResume())
}

// planRetry decides what to do about a try that failed: the same again after a while, the same with a
// summary in place of what was too long, or another model. It records that, and gives back what the
// try did not use.
func (s *modelStep) planRetry(r *sending, info rein.ModelInfo, err error, said string, took time.Duration) bool {
	asText := s.turnToText(r, err)
	if !asText && (r.prompt.Closing || interrupts(err) || rein.CodeOf(err) == rein.CodeInvalid) {
		return false
	}
	next := rein.Waiting{Until: s.run.opts.Now().UTC(), Failure: s.failure(err)}
	next.Why = firstLine(next.Failure.Msg)
	if !asText && !s.retrySame(&next, err) && !s.retryShorter(&next, r, info, err) && !s.retryElsewhere(&next, r.prompt) {
		return false
	}
	next.Usage = usedBy(s.rec.bound, r.ModelRequest, info, err, said)
	change, _ := guard.Settle(s.rec.bound, next.Usage, took)
	s.run.note(store.Draft{Kind: rein.StepWaiting, Step: s.key, Data: &next, Spend: change})
	return true
}

// turnToText reports whether the try failed because the model knows no tools: then the next one has them in its
// text, and so have all later calls of the process to this model.
func (s *modelStep) turnToText(r *sending, err error) bool {
	e, ok := errors.AsType[*rein.Error](err)
	return ok && e.NoTools && len(r.Offered) > 0 && (s.run.opts.Worker.WithoutTools(cmp.Or(s.rec.model, r.prompt.Model)) || s.knowsNoTools(r))
}

// knowsNoTools reports whether it was learnt meanwhile, by another call.
func (s *modelStep) knowsNoTools(r *sending) bool {
	m, err := s.run.opts.Worker.Model(cmp.Or(s.rec.model, r.prompt.Model))
	return err == nil && m.Info().TextOnly
}

// usedBy is what a failed try took: what its model's adapter knows of it, nothing if the provider refused
// it, else its input and what it had said. Only of a try that a crash cut nobody knows even that, and its
// reservation counts as spent.
func usedBy(bound rein.Amount, r rein.ModelRequest, info rein.ModelInfo, err error, said string) *rein.Usage {
	if e, ok := errors.AsType[*rein.Error](err); ok && e.Usage != nil {
		return priced(info, e.Usage)
	}
	switch rein.CodeOf(err) {
	case rein.CodeRateLimited, rein.CodeUnauthorized, rein.CodeTooLong:
		if said == "" {
			return &rein.Usage{}
		}
	}
	used := guard.CutUsage(bound, r, said)
	return priced(info, &used)
}

// retrySame waits and tries again, if the failure may pass.
func (s *modelStep) retrySame(next *rein.Waiting, err error) bool {
	e, ok := errors.AsType[*rein.Error](err)
	if !ok {
		return false
	}
	wait, again := guard.Retry(e, s.rec.tries+1, 0, rand.Float64())
	if again {
		next.Until, next.Try = s.run.opts.Now().Add(wait).UTC(), s.rec.tries+1
	}
	return again
}

// unfit says that a prompt is too long for the model's window, if it surely is. From there on it is
// as if the provider had said so: the verdict is the failure of a try that is recorded and costs
// nothing.
func (s *modelStep) unfit(r *sending, info rein.ModelInfo) error {
	tokens := int64(0)
	estimate := func() int64 {
		tokens = s.plainTokens(r, info.Name)
		return tokens
	}
	if guard.Fits(r.bound, info.Window, estimate) {
		return nil
	}
	return rein.Errorf(rein.CodeTooLong,
		"the prompt has about %d tokens and the window of model %q has %d: it was not sent; say less, or choose a model with a larger window",
		tokens, info.Name, info.Window)
}

// retryShorter has the conversation summed up, once, if it was too long for the model.
func (s *modelStep) retryShorter(next *rein.Waiting, r *sending, info rein.ModelInfo, err error) bool {
	if rein.CodeOf(err) != rein.CodeTooLong || s.rec.folds != nil {
		return false
	}
	if made := s.rec.subs[s.key.Sub("compact", 1)]; made != nil && made.done != nil {
		next.Folds = s.unusedSummary(made)
		return next.Folds != nil
	}
	folds, err := s.fold(r.prompt, rein.Compact{Messages: 1, Keep: 2}, info)
	if err != nil || folds == nil {
		return false
	}
	next.Folds = folds
	return true
}

// unusedSummary is the step's own summary if no try was made with it yet: the process may have ended
// between the two.
func (s *modelStep) unusedSummary(made *sub) *rein.Folded {
	if made.done.Failure != nil || made.start.Folds == nil {
		return nil
	}
	if sent := s.rec.start.Prompt.Folds; sent != nil && sent.Digest == made.start.Folds.Digest {
		return nil
	}
	return made.start.Folds
}

// retryElsewhere turns to the next of the models that stand in for the one that the flow wants.
func (s *modelStep) retryElsewhere(next *rein.Waiting, p rein.Prompt) bool {
	others := s.run.opts.Worker.FallbacksOf(p.Model)
	if s.rec.model != "" {
		others = others[min(slices.Index(others, s.rec.model)+1, len(others)):]
	}
	if len(others) == 0 {
		return false
	}
	next.Model = others[0]
	return true
}
