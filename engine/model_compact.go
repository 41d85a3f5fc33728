package engine

import (
	"context"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/household/past"
)

// The bounds of a summary.
const (
	summaryTimeout = 60 * time.Second
	summaryTokens  = 1024   // of a summary
	summaryPrompt  = 24_000 // of what is to be summed up, as an upper bound
)

// fold decides which summary stands for the older messages of a prompt, and has a new one made if
// the prompt is still too long. That it cannot be made is no reason to stop: then the prompt
// goes as it is. The error is an interruption of the run.
//
// A new summary stands for a prefix of the prompt, and so is found again by the digest of that prefix: by
// the next prompts of this run and, if it covers whole runs, by the next runs of the session. It includes
// the older summary, if there is one, so that a conversation has one at most.
func (s *modelStep) fold(p rein.Prompt, c rein.Compact, info rein.ModelInfo) (*rein.Folded, error) {
	talk := &s.branch.talk
	known := s.run.summaries.longestSummary(talk)
	if known == nil && talk.length.Fit(c, info) {
		return nil, nil
	}
	at := s.run.pinned(talk)
	messages := s.run.unfolded(talk, known)
	if known == nil {
		messages = marked(messages, at)
	}
	s.run.mu.Lock()
	failedAt := s.run.summaries.failedAt
	s.run.mu.Unlock()
	cut, tooLong := guard.Cut(messages, c, info, failedAt)
	if !tooLong || s.run.purse.isSpent() { // what is left is for the closing call alone
		return known, nil
	}
	folds := rein.Folded{From: cut.From, To: cut.To, Length: len(messages), Runs: cut.Runs, Base: cut.Base}
	sent := messages[cut.From:cut.To]
	part, earlier := sent, ""
	if known != nil { // it stands at the cut's beginning, and is folded into the next
		folds.To += known.To - known.From - 1 - guard.PinnedIn(at, known.From, known.To)
		part, earlier = part[1:], part[0].Text
	}
	prefix := p.Messages[folds.From:folds.To]
	folds.Digest = talk.fold.digest(p.Messages, folds.From, folds.To)
	most := guard.InputBound(messages[folds.From:cut.To], nil, nil)
	_, err := s.consult(consult{
		name: "compact", folds: &folds, limit: summaryTimeout, keep: s.keepFold(folds),
		prompt: rein.Prompt{
			About: rein.About{Phase: "compact", Round: p.Round, Human: "Summing up the earlier conversation"},
			Model: p.Model, MaxTokens: summaryTokens,
			Messages: guard.SummaryPrompt(part, earlier, summaryPrompt),
		},
		read: func(reply rein.Message) (rein.Message, error) {
			reply, _ = s.clean(reply)
			summary, ok := guard.Summary(reply.Text, prefix, sent)
			if !ok || guard.InputBound([]rein.Message{summary}, nil, nil) >= most {
				return summary, rein.Errorf(rein.CodeInvalid, "the summary is not shorter than what it stands for")
			}
			if len(folds.Runs) > 0 {
				summary.Past = &rein.Past{Fold: folds.Digest}
			}
			return summary, nil
		},
	})
	if interrupts(err) {
		return nil, err
	}
	if err != nil {
		s.run.opts.Log.Warn("history is not summed up", "run", string(s.run.id), "step", string(s.key), "error", err)
		return known, nil
	}
	return &folds, nil
}

// keepFold returns what keeps a fold of whole runs for the later runs of the session; nil if it is none. A
// fold inside one run is of no use to others.
func (s *modelStep) keepFold(f rein.Folded) func(rein.Message) func(context.Context, rein.Tx) error {
	if len(f.Runs) == 0 {
		return nil
	}
	return func(m rein.Message) func(context.Context, rein.Tx) error {
		place := rein.Place{Household: s.run.task.Household, User: s.run.task.User, Session: s.run.task.Session}
		fold := past.Fold{Digest: f.Digest, Base: f.Base, Runs: f.Runs, Text: m.Text}
		origin := past.Origin{Run: s.run.id, Step: s.key, At: s.run.opts.Now()}
		return func(ctx context.Context, tx rein.Tx) error { return past.Keep(ctx, tx, place, fold, origin) }
	}
}
