package notify

import (
	"context"

	"rein"
	"rein/store"
)

// settle looks at deliveries that are over. Those of an ask that is still pending stay, so that it is
// not told twice; when it is closed, the targets that may know of it are told.
func (n *Notifier) settle(ctx context.Context, where string, args ...any) error {
	var list []rein.Delivery
	err := n.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		list, err = deliveries(ctx, q, where, args...)
		return err
	})
	if err != nil {
		return err
	}
	var over []string
	var told []rein.Delivery
	for _, d := range list {
		closed, err := n.isClosed(ctx, d)
		if err != nil {
			return err
		}
		if !closed {
			continue
		}
		over = append(over, d.ID)
		if c := n.courierOf(d.Target); c != nil && mayBeKnown(d) && c.wants(rein.WebhookAskClosed, d.Household, d.User) {
			d.ID, d.Kind = c.deliveryID(rein.WebhookAskClosed, d.Run, d.Ask), rein.WebhookAskClosed
			told = append(told, d)
		}
	}
	if len(over) == 0 {
		return nil
	}
	if err := n.put(ctx, told); err != nil {
		return err
	}
	return n.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, id := range over {
			if err := settle(ctx, tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// isClosed reports whether a delivery is over and so is what it was about.
func (n *Notifier) isClosed(ctx context.Context, d rein.Delivery) (bool, error) {
	if d.State == rein.DeliveryWaiting {
		return false, nil
	}
	if d.Kind != rein.WebhookAskOpened {
		return true, nil
	}
	ask, err := n.opts.Store.Ask(ctx, d.Ask)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return true, nil
	}
	return ask.State != rein.AskPending, err
}

func (n *Notifier) courierOf(target string) *courier {
	for _, c := range n.couriers {
		if c.Name == target {
			return c
		}
	}
	return nil
}

// mayBeKnown reports whether the target may have got the delivery.
func mayBeKnown(d rein.Delivery) bool {
	return d.Kind == rein.WebhookAskOpened && (d.State == rein.Delivered || d.State == rein.DeliveryDropped && d.Tries > 0)
}
