package assist

import (
	"context"

	"rein"
	"rein/internal/consent"
	"rein/server/shown"
)

// answerOpen reads the message as an answer to what its client was shown last, if it fits that. It never answers
// something else that is open: a message has no name of what it is an answer to. Of several things that were shown, a
// number says which one is meant.
func (d *dialect) answerOpen(ctx context.Context, t *turn) (answered bool, err error) {
	if !t.who.May(rein.ScopeAnswer) {
		return false, nil
	}
	slips, known := t.book.LastAll(t.task.Session)
	switch {
	case len(slips) == 1:
		if ask := among(t.at.open, slips[0]); ask != nil {
			return d.answerShown(ctx, t, *ask, slips[0], t.text)
		}
		return false, d.answeredBefore(ctx, t, slips[0], t.text)
	case len(slips) > 1:
		return d.answerOneOf(ctx, t, slips)
	case len(t.at.open) == 0:
		return false, nil
	}
	newest := t.at.open[len(t.at.open)-1]
	_, fits := fit(newest, t, t.text)
	switch {
	case !fits:
		return false, nil
	case newest.Kind != rein.AskQuestion:
		t.asks, t.before = true, unseenWords // it is shown, and nothing else happens
		return true, nil
	case known:
		return false, nil // it was shown something else: this is a message like any other
	}
	// Of a client that this process has shown nothing, a text is still an answer to a question: it may
	// have been asked before a restart, and agrees to nothing.
	slip := shown.Slip{Ask: newest.ID, Run: newest.Run, Shown: newest.Shown}
	return d.answerShown(ctx, t, newest, slip, t.text)
}

// answerOneOf reads the message as an answer to one of several things that were shown: "yes 2". A yes or a no without a
// number may mean any of them, so the person is asked which.
func (d *dialect) answerOneOf(ctx context.Context, t *turn, slips []shown.Slip) (answered bool, err error) {
	n, said := numbered(t.text)
	if n >= 1 && n <= len(slips) {
		slip := slips[n-1]
		if ask := among(t.at.open, slip); ask != nil {
			return d.answerShown(ctx, t, *ask, slip, said)
		}
		return false, d.answeredBefore(ctx, t, slip, said)
	}
	if consent.Read(t.language(), t.text) == consent.Neither || len(t.at.open) == 0 {
		return false, nil
	}
	t.asks, t.before = true, whichWords
	return true, nil
}

// answerShown answers an ask that the client was shown, if what it says fits it.
func (d *dialect) answerShown(ctx context.Context, t *turn, ask rein.Ask, slip shown.Slip, said string) (answered bool, err error) {
	given, fits := fit(ask, t, said)
	if !fits {
		return false, nil
	}
	if err := d.catchUp(ctx, t, ask.Run.Root()); err != nil {
		return false, err
	}
	given.By = t.who.User
	reply := slip.Reply(given)
	reply.Key = answerKey + string(t.id)
	receipt, err := d.Engine.Command(ctx, reply)
	switch rein.CodeOf(err) {
	case rein.CodeClosed, rein.CodeFinished:
		return false, d.answeredBefore(ctx, t, slip, said) // someone was quicker
	}
	t.since = receipt.Command
	return err == nil, err
}

// answeredBefore refuses a message that is the answer to something that takes none any more. Any other is
// a message like any other.
func (d *dialect) answeredBefore(ctx context.Context, t *turn, slip shown.Slip, said string) error {
	ask, err := d.Store.Ask(ctx, slip.Ask)
	if err != nil || ask.Kind == rein.AskQuestion || ask.State == rein.AskPending {
		return err
	}
	if _, fits := fit(ask, t, said); fits {
		return shown.Closed(ask)
	}
	return nil
}

// fit reads what was said as an answer to what is asked.
func fit(ask rein.Ask, t *turn, said string) (rein.Answer, bool) {
	return consent.Answer(ask, t.language(), said)
}
