package sqlite

import (
	"context"
	"database/sql"

	"rein"
	"rein/store"
)

// selectSent reads through the index events_sent, so that it costs what the session has sent, not all
// that it has recorded. The key of an intent or a check is that of its step, a dot and a word.
const selectSent = `SELECT s.household_n, r.id, e.seq, e.kind, e.step, e.at, e.by, e.spend, e.salt, e.data, e.digest, e.hash,
	(SELECT d.seq FROM events d WHERE d.run_n = e.run_n AND d.seq > e.seq AND d.kind = 'step.done'
		AND d.step = rtrim(rtrim(rtrim(e.step, '0123456789'), 'abcdefghijklmnopqrstuvwxyz'), '.')
		ORDER BY d.seq LIMIT 1)
	FROM sessions s JOIN runs r ON r.session_n = s.n JOIN events e ON e.run_n = r.n
	WHERE s.id = +? AND e.kind IN ('step.intent', 'step.checked') AND e.salt IS NOT NULL ORDER BY e.n`

// Sent implements store.DriverViews.
func (s *Store) Sent(ctx context.Context, session string) (sent []store.Sent, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		type row struct {
			logRow
			household int64
			done      sql.NullInt64
		}
		var rows []*row
		err := v.each(func(r *sql.Rows) error {
			l := &row{}
			err := r.Scan(&l.household, &l.Run, &l.Seq, &l.Kind, &l.Step, &l.at, &l.By, &l.spend, &l.salt, &l.blob, &l.digest, &l.hash, &l.done)
			rows = append(rows, l)
			return err
		}, selectSent, session)
		for _, l := range rows {
			if err != nil {
				return err
			}
			if err = l.restore(v.texts(l.household)); err != nil {
				return rein.Errorf(rein.CodeDamaged, "event %d of run %s is not what was written: %w", l.Seq, l.Run, err)
			}
			sent = append(sent, store.Sent{Event: l.Event, Done: l.done.Int64})
		}
		return err
	})
	return sent, err
}
