package notify

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/store"
)

const selectDeliveries = `SELECT id, target, kind, household, user_name, run, ask, state, tries, created, changed, next_at, last_error FROM notify_deliveries`

func deliveries(ctx context.Context, q store.Query, where string, args ...any) ([]rein.Delivery, error) {
	rows, err := q.QueryContext(ctx, selectDeliveries+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []rein.Delivery{}
	for rows.Next() {
		d, err := scanDelivery(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, rows.Err()
}

func scanDelivery(rows *sql.Rows) (d rein.Delivery, err error) {
	var created, changed, next int64
	err = rows.Scan(&d.ID, &d.Target, &d.Kind, &d.Household, &d.User, &d.Run, &d.Ask, &d.State, &d.Tries, &created, &changed, &next, &d.Error)
	d.Created, d.Changed = timeOf(created), timeOf(changed)
	if d.State == rein.DeliveryWaiting {
		d.Next = timeOf(next)
	}
	return d, err
}

func timeOf(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// add writes a new delivery, due at once; one that is there already stays as it is.
func add(ctx context.Context, tx rein.Tx, d rein.Delivery, at time.Time) error {
	return exec(ctx, tx, `INSERT INTO notify_deliveries
		(id, target, kind, household, user_name, run, ask, state, tries, created, changed, next_at, last_error, settled)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, '', 0) ON CONFLICT DO NOTHING`,
		d.ID, d.Target, string(d.Kind), d.Household, d.User, string(d.Run), string(d.Ask), string(rein.DeliveryWaiting),
		at.UnixMicro(), at.UnixMicro(), at.UnixMicro())
}

// record writes what became of a try.
func record(ctx context.Context, tx rein.Tx, d rein.Delivery, settled bool) error {
	done := 0
	if settled {
		done = 1
	}
	return exec(ctx, tx, `UPDATE notify_deliveries SET state = ?, tries = ?, changed = ?, next_at = ?, last_error = ?, settled = ? WHERE id = ? AND state = ?`,
		string(d.State), d.Tries, d.Changed.UnixMicro(), d.Next.UnixMicro(), d.Error, done, d.ID, string(rein.DeliveryWaiting))
}

// settle says that nothing can follow from a delivery any more.
func settle(ctx context.Context, tx rein.Tx, id string) error {
	return exec(ctx, tx, `UPDATE notify_deliveries SET settled = 1 WHERE id = ?`, id)
}

// keepFor is how long what is over stays to be looked at. What has waited longer, for a target that is
// not there any more, is of no use to anyone.
const keepFor = 30 * 24 * time.Hour

func prune(ctx context.Context, tx rein.Tx, now time.Time) error {
	return exec(ctx, tx, `DELETE FROM notify_deliveries WHERE changed < ? AND (settled = 1 OR state = ?)`, now.Add(-keepFor).UnixMicro(), string(rein.DeliveryWaiting))
}

// progress returns how far the ends of runs have been looked at; -1: they never were.
func progress(ctx context.Context, q store.Query) (act int64, err error) {
	return number(ctx, q, -1, `SELECT act FROM notify_progress WHERE name = 'ends'`)
}

func setProgress(ctx context.Context, tx rein.Tx, act int64) error {
	return exec(ctx, tx, `INSERT INTO notify_progress (name, act) VALUES ('ends', ?) ON CONFLICT (name) DO UPDATE SET act = excluded.act`, act)
}

// number reads one number, or returns what to take if there is none.
func number(ctx context.Context, q store.Query, none int64, query string, args ...any) (n int64, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n = none
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return 0, err
		}
	}
	return n, rows.Err()
}

func exec(ctx context.Context, tx rein.Tx, query string, args ...any) error {
	_, err := tx.ExecContext(ctx, query, args...)
	return err
}
