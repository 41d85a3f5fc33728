package assist

import (
	"context"

	"rein"
	"rein/journal/feed"
	"rein/server/wire"
)

// carry follows a turn to its end. If the message came too late for its run, the turn goes on with the
// run that it started. The error is the context's, the feed's or the store's.
func (d *dialect) carry(ctx context.Context, t *turn, show func([]Chunk), beat func()) (Reply, error) {
	if t.asks {
		return d.settle(ctx, t, Reply{})
	}
	if t.began {
		show(t.translator.Begin())
	}
	for {
		reply, err := d.follow(ctx, t, show, beat)
		if err != nil {
			return reply, err
		}
		if t.steers && t.translator.ended {
			if again, err := d.unread(ctx, t); again || err != nil {
				if err != nil {
					return reply, err
				}
				continue
			}
		}
		return d.settle(ctx, t, reply)
	}
}

// follow follows the run until it has ended or waits for a person.
func (d *dialect) follow(ctx context.Context, t *turn, show func([]Chunk), beat func()) (Reply, error) {
	if reply, over := t.translator.Over(); over && t.reached {
		return reply, nil
	}
	for line, err := range d.Feed.Follow(ctx, t.run, feed.Options{After: t.after, Tree: true, Idle: d.Heartbeat}) {
		if err != nil {
			return Reply{}, err
		}
		if line.Event == nil && line.Delta == nil {
			beat()
			continue
		}
		show(t.translator.See(line))
		if e := line.Event; e != nil && rein.NewCommandID(e.Run, e.Seq) == t.since {
			t.reached = true
		}
		if reply, over := t.translator.Over(); over && (t.reached || t.translator.ended) {
			return reply, nil
		}
	}
	if reply, over := t.translator.Over(); over && ctx.Err() == nil {
		return reply, nil // it had ended before
	}
	return Reply{}, ctx.Err()
}

// unread reports whether the message was not read by the run that it was sent to, and goes over to the run
// that it started. After a run that did not come to its end there is none: the message is said again.
func (d *dialect) unread(ctx context.Context, t *turn) (bool, error) {
	receipts, err := d.Store.Receipts(ctx, t.run)
	if err != nil {
		return false, err
	}
	for _, r := range receipts {
		switch {
		case r.Command != t.since:
		case r.State == rein.ReceiptStarted:
			t.started(r.Started)
			return true, nil
		case r.State == rein.ReceiptNotApplied:
			lasts, cancel := wire.Lasting(ctx)
			defer cancel()
			t.reached = false
			if t.at, err = d.standingOf(lasts, t.who, t.task.Session); err != nil {
				return false, err
			}
			return true, d.say(lasts, t)
		}
	}
	return false, nil
}
