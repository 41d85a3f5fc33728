package schedule

import (
	"context"

	"rein"
	"rein/store"
)

// Kept is a job as an erasure lists it.
type Kept struct {
	ID, User, Session, Label string
	Run                      rein.RunID // that made it
}

// KeptOf returns the jobs of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Kept, error) {
	all, err := jobs(ctx, q, `household = ? ORDER BY user_name, created, id`, household)
	kept := make([]Kept, 0, len(all))
	for _, j := range all {
		kept = append(kept, Kept{ID: j.ID, User: j.User, Session: j.Session, Label: j.Label, Run: j.Run})
	}
	return kept, err
}

// Erase removes jobs with their slots, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Kept) error {
	for _, k := range gone {
		if _, err := exec(ctx, tx, `DELETE FROM schedule_slots WHERE job = ?`, k.ID); err != nil {
			return err
		}
		if _, err := exec(ctx, tx, `DELETE FROM schedule_jobs WHERE id = ?`, k.ID); err != nil {
			return err
		}
	}
	return nil
}

// EraseUser forgets how many jobs a user made.
func EraseUser(ctx context.Context, tx rein.Tx, household, user string) error {
	_, err := exec(ctx, tx, `DELETE FROM schedule_days WHERE household = ? AND user_name = ?`, household, user)
	return err
}

// EraseErrors removes what slots say about runs that are erased: why one failed may quote it.
func EraseErrors(ctx context.Context, tx rein.Tx, run rein.RunID) error {
	_, err := exec(ctx, tx, `UPDATE schedule_slots SET error = '' WHERE run = ?`, string(run))
	return err
}
