package agenda

import (
	"context"

	"rein"
	"rein/store"
)

// KeptOf returns the events of a household, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) ([]Event, error) {
	return list(ctx, q, "household = ? ORDER BY user_name, begins, id", household)
}

// Erase removes events and their alarms, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Event) error {
	for _, e := range gone {
		if err := remove(ctx, tx, e.ID); err != nil {
			return err
		}
	}
	return nil
}

// EraseUser removes what is kept of a user beside their events.
func EraseUser(ctx context.Context, tx rein.Tx, household, user string) error {
	return endFeed(ctx, tx, Owner{household, user})
}
