package notify

import (
	"context"

	"rein"
	"rein/store"
)

// DeliveriesOf returns the deliveries of a household, the oldest first.
func DeliveriesOf(ctx context.Context, q store.Query, household string) ([]rein.Delivery, error) {
	return deliveries(ctx, q, ` WHERE household = ? ORDER BY created, id`, household)
}

// Erase takes deliveries away. One that waits is not sent any more.
func Erase(ctx context.Context, tx rein.Tx, list []rein.Delivery) error {
	for _, d := range list {
		if err := exec(ctx, tx, `DELETE FROM notify_deliveries WHERE id = ?`, d.ID); err != nil {
			return err
		}
	}
	return nil
}
