package notify

import (
	"context"

	"rein"
	"rein/store"
)

// actsAtOnce is how many acts a sweep reads at once.
const actsAtOnce = 500

// sweepEnds finds the runs that ended since the last sweep. What ended before there was a target that
// wanted to know is not told.
func (n *Notifier) sweepEnds(ctx context.Context) error {
	if !n.anyListens(rein.WebhookRunEnded) {
		return nil
	}
	var since int64
	err := n.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		since, err = progress(ctx, q)
		return err
	})
	if err != nil {
		return err
	}
	ended, newest, err := n.endsSince(ctx, since)
	if err != nil || newest == since {
		return err
	}
	var add []rein.Delivery
	for _, run := range ended {
		more, err := n.ending(ctx, run)
		if err != nil {
			return err
		}
		add = append(add, more...)
	}
	if err := n.put(ctx, add); err != nil {
		return err
	}
	return n.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return setProgress(ctx, tx, newest) })
}

// endsSince returns the roots that ended after an act, and the newest act that it saw.
func (n *Notifier) endsSince(ctx context.Context, since int64) (ended []rein.RunID, newest int64, err error) {
	newest = max(since, 0)
	for before := int64(0); ; {
		acts, err := n.opts.Store.Acts(ctx, store.ActFilter{Before: before, Limit: actsAtOnce})
		if err != nil {
			return nil, 0, err
		}
		for _, act := range acts {
			newest, before = max(newest, act.N), act.N
			if act.N <= since || since < 0 {
				return ended, newest, nil
			}
			if act.Kind.Ends() && act.Run.Depth() == 0 {
				ended = append(ended, act.Run)
			}
		}
		if len(acts) < actsAtOnce {
			return ended, newest, nil
		}
	}
}

func (n *Notifier) anyListens(e rein.WebhookEvent) bool {
	for _, c := range n.couriers {
		if c.listens(e) {
			return true
		}
	}
	return false
}
