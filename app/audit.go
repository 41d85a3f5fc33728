package app

import (
	"context"
	"fmt"
	"slices"

	"rein"
	"rein/household/branches"
	"rein/household/changes"
	"rein/household/people"
	"rein/household/shelf"
	"rein/internal/units"
	"rein/store"
	"rein/store/sqlite"
)

// Audited is the part of a store that can be proved: the logs, and the tables with chains of their own.
type Audited interface {
	store.Auditor
	store.Logs
	store.Snapshots
}

// Audit verifies every run, and then, as one verdict, what is no run's: sessions and which of them are branches, people, the files of
// sessions and what is kept to undo changes.
func Audit(ctx context.Context, s Audited, tell func(store.Verdict) error) error {
	return s.Audit(ctx, func(v store.Verdict) error {
		if v.Run == "" {
			about, err := people.Verify(ctx, s)
			if err != nil {
				return err
			}
			files, err := shelf.Verify(ctx, s)
			if err != nil {
				return err
			}
			kept, err := changes.Verify(ctx, s)
			if err != nil {
				return err
			}
			left, err := branches.Verify(ctx, s)
			if err != nil {
				return err
			}
			v.Wrong = slices.Concat(v.Wrong, about.Wrong, files, kept, left)
		}
		return tell(v)
	})
}

// A Verdict is what an audit of one run found.
type Verdict = store.Verdict

// RunIDs lists all runs, as far as they can be read: the audit says what is wrong with the rest.
func (d *Data) RunIDs(ctx context.Context) (ids []rein.RunID) {
	for info, err := range d.Store.Runs(ctx, store.Filter{}) {
		if err != nil {
			break
		}
		ids = append(ids, info.ID)
	}
	return ids
}

// VerifyRuns audits some runs. That one cannot be read is a finding too; only being interrupted is not.
func (d *Data) VerifyRuns(ctx context.Context, ids []rein.RunID, tell func(Verdict) error) error {
	for _, id := range ids {
		verdict, err := d.Verify(ctx, id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			verdict = Verdict{Run: id, Wrong: []string{err.Error()}}
		}
		if err := tell(verdict); err != nil {
			return err
		}
	}
	return nil
}

// AuditFile verifies a database that is no data folder's, such as a backup.
func AuditFile(ctx context.Context, file string) (sum Tally, err error) {
	s, err := sqlite.OpenReader(ctx, file)
	if err != nil {
		return sum, err
	}
	defer s.Close()
	err = Audit(ctx, s, func(v store.Verdict) error {
		sum.Add(v)
		return nil
	})
	return sum, err
}

// A Tally of verdicts.
type Tally struct {
	Runs, Events, Erased int64

	Wrong    int64 // runs with faults, and faults beside runs
	Accounts bool  // are not what the logs say
}

// Add counts a verdict.
func (t *Tally) Add(v store.Verdict) {
	if v.Run == "" {
		t.Wrong += int64(len(v.Wrong))
		return
	}
	t.Runs++
	t.Events += v.Events
	t.Erased += v.Erased
	if len(v.Wrong) > 0 {
		t.Wrong++
	}
}

// String says what was found, in a line.
func (t Tally) String() string {
	text := fmt.Sprintf("%s, %s, %s erased: ", units.Count(t.Runs, "run"), units.Count(t.Events, "event"), units.Number(t.Erased))
	switch {
	case t.Wrong > 0:
		return text + units.Number(t.Wrong) + " wrong; restore a backup"
	case t.Accounts:
		return text + "only the accounts are wrong"
	}
	return text + "nothing is wrong"
}
