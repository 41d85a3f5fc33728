package secrets

import (
	"context"

	"rein"
	"rein/store"
)

// A Kept is a secret that can be erased, without its value.
type Kept struct {
	Owner
	Name string
}

// KeptOf returns the secrets of a household's users, for an erasure.
func KeptOf(ctx context.Context, q store.Query, household string) (all []Kept, err error) {
	found, err := list(ctx, q, "household = ? AND user_name <> '' ORDER BY user_name, name", household)
	for _, r := range found {
		all = append(all, Kept{r.Owner, r.name})
	}
	return all, err
}

// Erase removes secrets, in the transaction of an erasure.
func Erase(ctx context.Context, tx rein.Tx, gone []Kept) error {
	for _, k := range gone {
		if _, err := tx.ExecContext(ctx, `DELETE FROM secrets WHERE household = ? AND user_name = ? AND name = ?`, k.Household, k.User, k.Name); err != nil {
			return err
		}
	}
	return nil
}
