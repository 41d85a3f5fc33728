package access

import (
	"context"
	"errors"
	"time"

	"rein"
)

// frames returns what waits until the sender may send one more message over an open connection. It
// counts as a request does: by credential and by user, however many connections they have.
func (a *Access) frames(who rein.Identity) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			err := a.takeOne(who, a.o.Now())
			slow, ok := errors.AsType[*rein.Error](err)
			if !ok || slow.RetryAfter <= 0 {
				return errors.Join(err, ctx.Err())
			}
			timer := time.NewTimer(slow.RetryAfter)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return ctx.Err()
			}
		}
	}
}

// takeOne counts a request or message of the sender, or says when there may be one.
func (a *Access) takeOne(who rein.Identity, now time.Time) error {
	if err := a.credentials.take(who.Via, now, "with this credential"); err != nil {
		return err
	}
	return a.users.take(who.Household+"/"+who.User, now, "as "+who.User)
}
