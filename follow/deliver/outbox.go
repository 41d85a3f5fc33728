package deliver

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// A Delivery is one message at one address.
type Delivery struct {
	ID              string // follows from message and channel; the ID of the Message that is sent
	Message         string
	Channel         string
	Household, User string
	State           rein.DeliveryState
	Tries           int
	Created         time.Time
	Due             time.Time // when it could be sent first
	Next            time.Time // when it is tried next
	Changed         time.Time
	Receipt         string // what the other side called it
	Error           string // why the last try failed, or why it was dropped
}

func deliveryID(message, channel string) string { return digest.Joined(16, message, channel) }

const selectDeliveries = `SELECT id, message, channel, household, user_name, state, tries, created, due, next_at, changed, receipt, last_error FROM deliveries`

func list(ctx context.Context, q store.Query, where string, args ...any) ([]Delivery, error) {
	rows, err := q.QueryContext(ctx, selectDeliveries+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []Delivery
	for rows.Next() {
		d, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (d Delivery, err error) {
	var created, due, next, changed int64
	err = rows.Scan(&d.ID, &d.Message, &d.Channel, &d.Household, &d.User, &d.State, &d.Tries, &created, &due, &next, &changed, &d.Receipt, &d.Error)
	d.Created, d.Due, d.Next, d.Changed = timeOf(created), timeOf(due), timeOf(next), timeOf(changed)
	return d, err
}

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// add writes a delivery that is due at a time; one that is there already stays as it is.
func add(ctx context.Context, tx rein.Tx, d Delivery, now time.Time) error {
	return exec(ctx, tx, `INSERT INTO deliveries
		(id, message, channel, household, user_name, state, tries, created, due, next_at, claimed_by, changed, receipt, last_error)
		VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, '', ?, '', '') ON CONFLICT DO NOTHING`,
		deliveryID(d.Message, d.Channel), d.Message, d.Channel, d.Household, d.User, string(rein.DeliveryWaiting),
		now.UnixMicro(), d.Due.UnixMicro(), d.Due.UnixMicro(), now.UnixMicro())
}

// claim takes up to so many deliveries that are due for a kind of channel. Nobody else takes them until the lease is over;
// whoever is killed before that leaves them to the next.
func claim(ctx context.Context, tx rein.Tx, kind, by string, now time.Time, lease time.Duration, most int) ([]Delivery, error) {
	due, err := list(ctx, tx, ` WHERE state = ? AND next_at <= ? AND channel IN (SELECT id FROM channels WHERE kind = ?) ORDER BY next_at, id LIMIT ?`,
		string(rein.DeliveryWaiting), now.UnixMicro(), kind, most)
	for _, d := range due {
		if err := exec(ctx, tx, `UPDATE deliveries SET claimed_by = ?, next_at = ? WHERE id = ?`, by, now.Add(lease).UnixMicro(), d.ID); err != nil {
			return nil, err
		}
	}
	return due, err
}

// record writes what became of a try. A success counts whoever made the try; anything else only from the one who has the
// claim.
func record(ctx context.Context, tx rein.Tx, by string, d Delivery) error {
	return exec(ctx, tx, `UPDATE deliveries SET state = ?, tries = ?, due = ?, next_at = ?, claimed_by = '', changed = ?, receipt = ?, last_error = ?
		WHERE id = ? AND state = ? AND (claimed_by = ? OR ? = ?)`,
		string(d.State), d.Tries, d.Due.UnixMicro(), d.Next.UnixMicro(), d.Changed.UnixMicro(), d.Receipt, d.Error,
		d.ID, string(rein.DeliveryWaiting), by, string(d.State), string(rein.Delivered))
}

// next returns when the first delivery is due that some channel here can send; ok is false if none waits.
func (p *Post) next(ctx context.Context, q store.Query) (at time.Time, ok bool, err error) {
	for _, c := range p.couriers {
		waiting, err := list(ctx, q, ` WHERE state = ? AND channel IN (SELECT id FROM channels WHERE kind = ?) ORDER BY next_at LIMIT 1`, string(rein.DeliveryWaiting), c.to.Name())
		if err != nil {
			return at, false, err
		}
		for _, d := range waiting {
			if !ok || d.Next.Before(at) {
				at, ok = d.Next, true
			}
		}
	}
	return at, ok, nil
}

// drop ends the deliveries of what nobody is to be told any more.
func drop(ctx context.Context, tx rein.Tx, why string, now time.Time, where string, args ...any) error {
	return exec(ctx, tx, `UPDATE deliveries SET state = ?, changed = ?, claimed_by = '', last_error = ? WHERE state = ? AND `+where,
		append([]any{string(rein.DeliveryDropped), now.UnixMicro(), why, string(rein.DeliveryWaiting)}, args...)...)
}

// keepFor is how long what is over can be looked at.
const keepFor = 30 * 24 * time.Hour

func prune(ctx context.Context, tx rein.Tx, now time.Time) error {
	return exec(ctx, tx, `DELETE FROM deliveries WHERE changed < ? AND state <> ?`, now.Add(-keepFor).UnixMicro(), string(rein.DeliveryWaiting))
}

// Of returns what became of the messages of a user, the newest first.
func Of(ctx context.Context, q store.Query, household, user string, most int) ([]Delivery, error) {
	return list(ctx, q, ` WHERE household = ? AND user_name = ? ORDER BY created DESC, id LIMIT ?`, household, user, most)
}

// KeptOf returns the deliveries of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Delivery, error) {
	return list(ctx, q, ` WHERE household = ? ORDER BY created, id`, household)
}

// Erase removes deliveries, in the transaction of an erasure. One that waits is not sent any more.
func Erase(ctx context.Context, tx rein.Tx, gone []Delivery) error {
	for _, d := range gone {
		if err := exec(ctx, tx, `DELETE FROM deliveries WHERE id = ?`, d.ID); err != nil {
			return err
		}
	}
	return nil
}

func exec(ctx context.Context, tx rein.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}
