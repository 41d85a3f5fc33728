package usage

import (
	"context"

	"rein"
	"rein/journal"
	"rein/store"
)

// Held reads from the log of a run what it has reserved and not spent.
func Held(ctx context.Context, s store.Reader, run rein.RunID) (rein.Amount, error) {
	var held journal.Held
	for e, err := range s.Events(ctx, run, 0) {
		if err != nil {
			return rein.Amount{}, err
		}
		held.See(e)
	}
	return held.Sum(), nil
}
