package notify

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"rein"
	"rein/internal/outbound"
	"rein/store"
)

// parallel is how many deliveries of one target are under way at once. A target that does not answer
// keeps nobody waiting but itself.
const parallel = 8

// A courier delivers what is for one target.
type courier struct {
	*Notifier
	Target
	address *url.URL
	client  *http.Client
	wake    chan struct{} // holds one token when there may be something to do
}

func newCourier(n *Notifier, t Target, address *url.URL) *courier {
	return &courier{
		Notifier: n, Target: t, address: address, wake: make(chan struct{}, 1),
		client: newClient(t.Private, nil),
	}
}

// newClient makes what speaks to one target. Each try has a time limit of its own.
func newClient(private bool, resolver *net.Resolver) *http.Client {
	return outbound.New(outbound.Options{
		Trusted: private, AnyPort: true, NoRedirects: true, Resolver: resolver,
		Timeout: -1, Header: 16 << 10, Body: maxAnswer, PerHost: parallel,
	})
}

func (c *courier) rouse() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// serve delivers what is due until the context ends.
func (c *courier) serve(ctx context.Context) {
	defer c.client.CloseIdleConnections()
	for ctx.Err() == nil {
		due, next, err := c.due(ctx, time.Now())
		if err == nil && len(due) > 0 {
			err = c.deliverAll(ctx, due)
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			c.warn("webhooks: the outbox cannot be used", "target", c.Name, "error", err)
			after(ctx, firstPause, nil)
		case len(due) == 0:
			after(ctx, time.Until(next), c.wake)
		}
	}
}

// due returns what is to be tried now, and when to look again if there is nothing.
func (c *courier) due(ctx context.Context, now time.Time) (due []rein.Delivery, next time.Time, err error) {
	next = now.Add(sweepEvery)
	err = c.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) error {
		disabled, err := number(ctx, q, 0, `SELECT disabled FROM notify_targets WHERE name = ?`, c.Name)
		if err != nil || disabled != 0 {
			return err
		}
		list, err := deliveries(ctx, q, ` WHERE target = ? AND state = 'waiting' ORDER BY next_at LIMIT ?`, c.Name, parallel)
		for _, d := range list {
			if d.Next.After(now) {
				next = d.Next
				break
			}
			due = append(due, d)
		}
		return err
	})
	return due, next, err
}

// deliverAll tries deliveries side by side and records what came of them. A try that was cut off by
// shutting down is not recorded: it is made again.
func (c *courier) deliverAll(ctx context.Context, due []rein.Delivery) error {
	results := make([]result, len(due))
	var wait sync.WaitGroup
	for i, d := range due {
		wait.Go(func() { results[i] = c.try(ctx, d) })
	}
	wait.Wait()
	err := c.opts.Store.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error {
		for i, r := range results {
			if r.cut {
				continue
			}
			d, settled := r.applyTo(due[i], c.opts.Pause, time.Now())
			if err := record(ctx, tx, d, settled); err != nil {
				return err
			}
			if r.gone {
				if err := disable(ctx, tx, c.Name, time.Now()); err != nil {
					return err
				}
			}
		}
		return nil
	})
	var runs []rein.RunID // whose asks may have been closed while they were told
	for _, d := range due {
		if d.Kind == rein.WebhookAskOpened {
			runs = append(runs, d.Run)
		}
	}
	c.notes.Note(func(held *news) bool { return held.again(runs) })
	return err
}
