package app

import (
	"context"
	"log/slog"
	"time"

	"rein/store"
)

// How often a service makes a checkpoint, and how soon it tries again.
const (
	headEvery = 24 * time.Hour
	headAgain = time.Hour
)

// checkpoints makes a checkpoint every day. When the last one was made is in the store, so a service that is
// restarted often does not make more of them.
type checkpoints struct {
	store store.Checkpoints
	log   *slog.Logger
}

func (c checkpoints) serve(ctx context.Context) error {
	for {
		wait, err := c.next(ctx)
		if err != nil && ctx.Err() == nil {
			c.log.Error("could not make a checkpoint", "error", err)
			wait = headAgain
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

// next makes a checkpoint if one is due, and returns how long it is until the next.
func (c checkpoints) next(ctx context.Context) (time.Duration, error) {
	last, err := c.store.LastCheckpoint(ctx)
	if err != nil {
		return 0, err
	}
	if wait := time.Until(last.Made.Add(headEvery)); wait > 0 {
		return min(wait, headEvery), nil // not longer, if the clock was set back
	}
	made, err := c.store.Checkpoint(ctx, time.Now())
	if err == nil {
		c.log.Info("made a checkpoint", "head", made.Head.String(), "runs", made.Runs)
	}
	return headEvery, err
}
