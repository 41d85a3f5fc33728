package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"rein"
	"rein/store"
)

// Audit implements store.Auditor. Each run is looked at on a snapshot of its own, so that a long audit
// does not hold up the checkpoints of the write-ahead log.
func (s *Store) Audit(ctx context.Context, each func(store.Verdict) error) error {
	for after := int64(0); ; {
		ids, last, err := s.runsAfter(ctx, after)
		if err != nil {
			return err
		}
		for _, id := range ids {
			verdict, err := s.verifyAny(ctx, id)
			if err == nil {
				err = each(verdict)
			}
			if err != nil {
				return err
			}
		}
		if after = last; len(ids) < page {
			break
		}
	}
	whole, err := s.verifyWhole(ctx)
	if err != nil {
		return err
	}
	return each(whole)
}

// verifyAny is Verify of a run that is there: that it cannot be read is a finding; being interrupted is
// not.
func (s *Store) verifyAny(ctx context.Context, id rein.RunID) (store.Verdict, error) {
	verdict, err := s.Verify(ctx, id)
	switch {
	case err == nil, ctx.Err() != nil:
		return verdict, ctx.Err()
	case rein.CodeOf(err) == rein.CodeNotFound:
		err = fmt.Errorf("its session or household is missing")
	}
	return store.Verdict{Run: id, Wrong: []string{err.Error()}}, nil
}

// runsAfter lists runs, also those that no view shows.
func (s *Store) runsAfter(ctx context.Context, after int64) (ids []rein.RunID, last int64, err error) {
	err = s.view(ctx, func(v *snapshot) error {
		return v.each(func(r *sql.Rows) error {
			var id rein.RunID
			err := r.Scan(&last, &id)
			ids = append(ids, id)
			return err
		}, `SELECT n, id FROM runs WHERE n > ? ORDER BY n LIMIT ?`, after, page)
	})
	return ids, last, err
}

// verifyWhole looks at what is no single run's, on one snapshot.
func (s *Store) verifyWhole(ctx context.Context) (store.Verdict, error) {
	a := &audit{}
	err := s.view(ctx, func(v *snapshot) error {
		a.snapshot = v
		for _, part := range []func() error{a.noGaps, a.noOrphans, a.sessions, a.checkpoints} {
			if err := part(); err != nil {
				return err
			}
		}
		return nil
	})
	return a.Verdict, err
}

// noGaps finds rows that were taken out: their numbers have no gaps, since nothing ever deletes them.
func (a *audit) noGaps() error {
	for _, table := range []string{"runs", "events", "sessions", "households", "asks"} {
		var rows, last int64
		if err := a.tx.QueryRowContext(a.ctx, `SELECT count(*), coalesce(max(n), 0) FROM `+table).Scan(&rows, &last); err != nil {
			return err
		}
		if rows != last {
			a.wrong("%d of %d %s were taken out", last-rows, last, table)
		}
	}
	return nil
}

// noOrphans finds what belongs to nothing.
func (a *audit) noOrphans() error {
	for _, o := range []struct{ what, from string }{
		{"events", `events x WHERE NOT EXISTS (SELECT 1 FROM runs WHERE n = x.run_n)`},
		{"asks", `asks x WHERE NOT EXISTS (SELECT 1 FROM runs WHERE n = x.run_n)`},
		{"receipts", `commands x WHERE NOT EXISTS (SELECT 1 FROM runs WHERE n = x.run_n)`},
		{"ledgers", `ledgers x WHERE NOT EXISTS (SELECT 1 FROM runs WHERE n = x.run_n AND depth = 0)`},
		{"sessions", `sessions x WHERE NOT EXISTS (SELECT 1 FROM runs WHERE session_n = x.n)`},
	} {
		var n int64
		if err := a.tx.QueryRowContext(a.ctx, `SELECT count(*) FROM `+o.from).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			a.wrong("%d %s are of runs that are missing", n, o.what)
		}
	}
	return nil
}

// sessions compares each session with its root runs. Whose it is, the audits of those say.
func (a *audit) sessions() error {
	return a.each(func(r *sql.Rows) error {
		var id string
		var started, began, has, runs int64
		var ended bool
		if err := r.Scan(&id, &started, &began, &has, &runs, &ended); err != nil {
			return err
		}
		if started != began {
			a.wrong("session %q: it began at %s; its first run says %s", id, micros(started), micros(began))
		}
		if has != runs {
			a.wrong("session %q: it has %d runs; there are %d", id, has, runs)
		}
		if !ended {
			a.wrong("session %q: no run of it began or ended when it was changed", id)
		}
		return nil
	}, `SELECT s.id, s.started, r.started, s.runs, (SELECT count(*) FROM runs WHERE session_n = s.n AND depth = 0),
			EXISTS (SELECT 1 FROM runs WHERE session_n = s.n AND depth = 0 AND (started = s.changed OR changed = s.changed AND done = 1))
		FROM sessions s JOIN runs r ON r.n = (SELECT min(n) FROM runs WHERE session_n = s.n AND depth = 0)`)
}
