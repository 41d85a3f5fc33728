package shown

import (
	"context"

	"rein"
	"rein/server/port"
	"rein/store"
)

// Open returns the ask of a slip if the caller may answer it and it is open. One that was answered is
// CodeClosed: the same answer again is not an answer to whatever is asked next.
func (s Slip) Open(ctx context.Context, views store.Views, who rein.Identity) (rein.Ask, error) {
	ask, err := port.Answerable(ctx, views, s.Ask, who)
	switch {
	case err != nil:
		return ask, err
	case ask.State != rein.AskPending:
		return ask, Closed(ask)
	case ask.Shown != s.Shown:
		return ask, rein.Errorf(rein.CodeConflict, "the ask has changed since you read it: read it again")
	}
	return ask, nil
}

// Reply is the command that answers what the slip shows.
func (s Slip) Reply(answer rein.Answer) rein.Command {
	return rein.Ask{ID: s.Ask, Run: s.Run, Shown: s.Shown}.Reply(answer)
}

// Closed says that an ask takes no answer any more, and why.
func Closed(ask rein.Ask) error {
	switch ask.State {
	case rein.AskExpired:
		return rein.Errorf(rein.CodeClosed, "nobody answered in time, so the ask is closed")
	case rein.AskWithdrawn:
		return rein.Errorf(rein.CodeClosed, "the ask was withdrawn, so you cannot answer it")
	}
	by := ""
	if ask.Answer.By != "" {
		by = " by " + ask.Answer.By
	}
	return rein.Errorf(rein.CodeClosed, "the ask is already answered: it is %s%s", ask.State, by)
}
