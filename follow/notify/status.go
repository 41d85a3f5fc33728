package notify

import (
	"context"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// shownDeliveries is how many deliveries a status shows.
const shownDeliveries = 200

// Status returns what became of what was to be told of a household; of all, if it is empty. A target
// that is told nothing of the household is not in it.
func (n *Notifier) Status(ctx context.Context, household string) (rein.Deliveries, error) {
	s := rein.Deliveries{Targets: []rein.WebhookStatus{}}
	err := n.opts.Store.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		for _, c := range n.couriers {
			if household != "" && c.Household != "" && c.Household != household {
				continue
			}
			t, err := c.status(ctx, q, household)
			if err != nil {
				return err
			}
			s.Targets = append(s.Targets, t)
		}
		s.Deliveries, err = deliveries(ctx, q, ` WHERE household = ? OR ? = '' ORDER BY changed DESC, id LIMIT ?`, household, household, shownDeliveries)
		return err
	})
	return s, err
}

func (c *courier) status(ctx context.Context, q store.Query, household string) (rein.WebhookStatus, error) {
	t := rein.WebhookStatus{Name: c.Name, Host: c.address.Host, Events: c.Events, Private: c.Private, Content: c.Content, Counts: map[rein.DeliveryState]int{}}
	if t.Events == nil {
		t.Events = []rein.WebhookEvent{rein.WebhookAskOpened}
	}
	rows, err := q.QueryContext(ctx, `SELECT state, count(*) FROM notify_deliveries WHERE target = ? AND (household = ? OR ? = '') GROUP BY state`, c.Name, household, household)
	if err != nil {
		return t, err
	}
	defer rows.Close()
	for rows.Next() {
		var state rein.DeliveryState
		var count int
		if err := rows.Scan(&state, &count); err != nil {
			return t, err
		}
		t.Counts[state] = count
	}
	if err := rows.Err(); err != nil {
		return t, err
	}
	return t, c.readDisabled(ctx, q, &t)
}

func (c *courier) readDisabled(ctx context.Context, q store.Query, t *rein.WebhookStatus) error {
	rows, err := q.QueryContext(ctx, `SELECT disabled, why FROM notify_targets WHERE name = ? AND disabled <> 0`, c.Name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var since int64
		if err := rows.Scan(&since, &t.Why); err != nil {
			return err
		}
		t.Disabled = timeOf(since)
	}
	return rows.Err()
}

func disable(ctx context.Context, tx rein.Tx, target string, now time.Time) error {
	return exec(ctx, tx, `UPDATE notify_targets SET disabled = ?, why = 'it answered 410 Gone' WHERE name = ?`, now.UnixMicro(), target)
}

// adoptTargets writes the targets down. One whose URL is another than before is a new one, and enabled.
func (n *Notifier) adoptTargets(ctx context.Context) error {
	return n.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		for _, c := range n.couriers {
			err := exec(ctx, tx, `INSERT INTO notify_targets (name, url_sha256, disabled, why) VALUES (?, ?, 0, '')
				ON CONFLICT (name) DO UPDATE SET url_sha256 = excluded.url_sha256, disabled = 0, why = '' WHERE notify_targets.url_sha256 <> excluded.url_sha256`,
				c.Name, digest.Joined(digest.Size, c.URL))
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Retry enables a target again and has what was given up tried anew, for as long as at first.
func (n *Notifier) Retry(ctx context.Context, target string) error {
	c := n.courierOf(target)
	if c == nil {
		return rein.Errorf(rein.CodeNotFound, "there is no webhook %.80q", target)
	}
	now := time.Now().UnixMicro()
	err := n.opts.Store.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		if err := exec(ctx, tx, `UPDATE notify_targets SET disabled = 0, why = '' WHERE name = ?`, target); err != nil {
			return err
		}
		return exec(ctx, tx, `UPDATE notify_deliveries SET state = ?, created = ?, next_at = ?, settled = 0 WHERE target = ? AND state IN (?, ?)`,
			string(rein.DeliveryWaiting), now, now, target, string(rein.DeliveryGivenUp), string(rein.DeliveryWaiting))
	})
	c.rouse()
	return err
}
