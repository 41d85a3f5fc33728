package trust

import (
	"context"

	"rein"
	"rein/store"
)

// Kept returns the decisions of a household, for an erasure.
func Kept(ctx context.Context, q store.Query, household string) ([]Decision, error) {
	return list(ctx, q, `WHERE household = ? ORDER BY n`, household)
}

// Erase removes decisions, in the transaction of an erasure: their folders are not trusted any more.
func Erase(ctx context.Context, tx rein.Tx, gone []Decision) error {
	for _, d := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM trust WHERE id = ?`, d.ID); err != nil {
			return err
		}
	}
	return nil
}
