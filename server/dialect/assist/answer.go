package assist

import (
	"context"
	"slices"

	"rein"
	"rein/internal/consent"
	"rein/server/shown"
	"rein/store"
)

// answerOpen reads the message as an answer to what its client was shown last, if it fits that. It never
// answers something else that is open: a message has no name of what it is an answer to.
func (d *dialect) answerOpen(ctx context.Context, t *turn, active rein.RunID) (answered bool, err error) {
	if !t.who.May(rein.ScopeAnswer) {
		return false, nil
	}
	open, err := d.open(ctx, t.who, active)
	if err != nil {
		return false, err
	}
	last, ok, known := t.book.Last(t.task.Session)
	if ask := among(open, last); ok && ask != nil {
		return d.answerShown(ctx, t, active, *ask, last)
	}
	if ok {
		return false, d.answeredBefore(ctx, t, last)
	}
	if len(open) == 0 {
		return false, nil
	}
	newest := open[len(open)-1]
	_, fits := fit(newest, t)
	switch {
	case !fits:
		return false, nil
	case newest.Kind != rein.AskQuestion:
		t.unseen, t.reached = true, true // it is shown, and nothing else happens
		return true, d.catchUp(ctx, t, active)
	case known:
		return false, nil // it was shown something else: this is a message like any other
	}
	// Of a client that this process has shown nothing, a text is still an answer to a question: it may
	// have been asked before a restart, and agrees to nothing.
	slip := shown.Slip{Ask: newest.ID, Run: newest.Run, Shown: newest.Shown}
	return d.answerShown(ctx, t, active, newest, slip)
}

// open returns what waits for the caller, the newest last.
func (d *dialect) open(ctx context.Context, who rein.Identity, active rein.RunID) ([]rein.Ask, error) {
	if active == "" {
		return nil, nil
	}
	open, err := d.Store.Asks(ctx, store.AskFilter{Tree: active, Pending: true})
	return slices.DeleteFunc(open, func(a rein.Ask) bool { return a.For != "" && a.For != who.User }), err
}

// answerShown answers an ask that the client was shown, if the message fits it.
func (d *dialect) answerShown(ctx context.Context, t *turn, active rein.RunID, ask rein.Ask, slip shown.Slip) (answered bool, err error) {
	given, fits := fit(ask, t)
	if !fits {
		return false, nil
	}
	if err := d.catchUp(ctx, t, active); err != nil {
		return false, err
	}
	given.By = t.who.User
	reply := slip.Reply(given)
	reply.Key = answerKey + string(t.id)
	receipt, err := d.Engine.Command(ctx, reply)
	switch rein.CodeOf(err) {
	case rein.CodeClosed, rein.CodeFinished:
		return false, d.answeredBefore(ctx, t, slip) // someone was quicker
	}
	t.since = receipt.Command
	return err == nil, err
}

// answeredBefore refuses a message that is the answer to something that takes none any more. Any other is
// a message like any other.
func (d *dialect) answeredBefore(ctx context.Context, t *turn, slip shown.Slip) error {
	ask, err := d.Store.Ask(ctx, slip.Ask)
	if err != nil || ask.Kind == rein.AskQuestion || ask.State == rein.AskPending {
		return err
	}
	if _, fits := fit(ask, t); fits {
		return shown.Closed(ask)
	}
	return nil
}

// fit reads the message of a turn as an answer to what is asked.
func fit(ask rein.Ask, t *turn) (rein.Answer, bool) {
	return consent.Answer(ask, base(t.task.Language), t.text)
}
