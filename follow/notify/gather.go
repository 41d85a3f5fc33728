package notify

import (
	"context"
	"time"

	"rein"
	"rein/store"
)

// gather writes into the outbox what is to be told, until the context ends. What cannot be read or
// written now is found by the next sweep, which then comes soon.
func (n *Notifier) gather(ctx context.Context) {
	var sweep, prune time.Time // when they are due
	for ctx.Err() == nil {
		found := n.notes.Read()
		ok := n.attempt(ctx, "note", func(ctx context.Context) error { return n.look(ctx, found) })
		now := time.Now()
		if found.missed || !now.Before(sweep) {
			ok = n.attempt(ctx, "sweep", n.sweep) && ok
			sweep = now.Add(sweepEvery)
		}
		if !now.Before(prune) {
			n.attempt(ctx, "prune", n.prune)
			prune = now.Add(pruneEvery)
		}
		if !ok {
			sweep = now.Add(sweepSoon)
		}
		after(ctx, time.Until(sweep), n.notes.Some)
	}
}

// attempt reports whether it worked; if not, it says why.
func (n *Notifier) attempt(ctx context.Context, what string, do func(context.Context) error) bool {
	err := do(ctx)
	if err != nil && ctx.Err() == nil {
		n.warn("webhooks: cannot "+what+"; it is tried again", "error", err)
	}
	return err == nil
}

// look takes up what was noted.
func (n *Notifier) look(ctx context.Context, found news) error {
	var add []rein.Delivery
	for _, id := range found.opened {
		ask, err := n.opts.Store.Ask(ctx, id)
		if err != nil {
			return err
		}
		more, err := n.opening(ctx, ask)
		if err != nil {
			return err
		}
		add = append(add, more...)
	}
	for _, run := range found.ended {
		more, err := n.ending(ctx, run)
		if err != nil {
			return err
		}
		add = append(add, more...)
	}
	if err := n.put(ctx, add); err != nil {
		return err
	}
	for _, run := range found.closed {
		if err := n.settle(ctx, ` WHERE settled = 0 AND run = ?`, string(run)); err != nil {
			return err
		}
	}
	return nil
}

// sweep finds all that is to be told and is not in the outbox yet, whatever was missed and why.
func (n *Notifier) sweep(ctx context.Context) error {
	asks, err := n.opts.Store.Asks(ctx, store.AskFilter{Pending: true})
	if err != nil {
		return err
	}
	known, err := n.known(ctx)
	if err != nil {
		return err
	}
	var add []rein.Delivery
	for _, ask := range asks {
		if n.allKnown(ask, known) {
			continue
		}
		more, err := n.opening(ctx, ask)
		if err != nil {
			return err
		}
		add = append(add, more...)
	}
	if err := n.put(ctx, add); err != nil {
		return err
	}
	if err := n.sweepEnds(ctx); err != nil {
		return err
	}
	return n.settle(ctx, ` WHERE settled = 0 AND state <> ?`, string(rein.DeliveryWaiting))
}

func (n *Notifier) prune(ctx context.Context) error {
	return n.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return prune(ctx, tx, time.Now()) })
}

// known returns the IDs of the openings in the outbox that are not over.
func (n *Notifier) known(ctx context.Context) (map[string]bool, error) {
	known := map[string]bool{}
	err := n.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		list, err := deliveries(ctx, q, ` WHERE settled = 0 AND kind = ?`, string(rein.WebhookAskOpened))
		for _, d := range list {
			known[d.ID] = true
		}
		return err
	})
	return known, err
}

func (n *Notifier) allKnown(ask rein.Ask, known map[string]bool) bool {
	for _, c := range n.couriers {
		if c.listens(rein.WebhookAskOpened) && !known[c.deliveryID(rein.WebhookAskOpened, ask.Run, ask.ID)] {
			return false
		}
	}
	return true
}

// opening returns what is to be told of an ask that has opened.
func (n *Notifier) opening(ctx context.Context, ask rein.Ask) ([]rein.Delivery, error) {
	if ask.State != rein.AskPending {
		return nil, nil
	}
	return n.about(ctx, rein.WebhookAskOpened, ask.Run, ask.ID)
}

func (n *Notifier) ending(ctx context.Context, run rein.RunID) ([]rein.Delivery, error) {
	return n.about(ctx, rein.WebhookRunEnded, run, "")
}

// about returns a delivery for each target that wants it.
func (n *Notifier) about(ctx context.Context, e rein.WebhookEvent, run rein.RunID, ask rein.AskID) ([]rein.Delivery, error) {
	var list []rein.Delivery
	var info rein.RunInfo
	for _, c := range n.couriers {
		if !c.listens(e) {
			continue
		}
		if info.ID == "" {
			var err error
			if info, err = n.opts.Store.Run(ctx, run); err != nil {
				return nil, err
			}
		}
		if c.wants(e, info.Household, info.User) {
			list = append(list, rein.Delivery{
				ID: c.deliveryID(e, run, ask), Target: c.Name, Kind: e,
				Household: info.Household, User: info.User, Run: run, Ask: ask,
			})
		}
	}
	return list, nil
}

// put writes deliveries into the outbox and wakes who delivers them.
func (n *Notifier) put(ctx context.Context, list []rein.Delivery) error {
	if len(list) == 0 {
		return nil
	}
	now := time.Now()
	err := n.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, d := range list {
			if err := add(ctx, tx, d, now); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range n.couriers {
		c.rouse()
	}
	return err
}
