package cli

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

// heads makes a checkpoint every day. When the last one was made is in the store, so a service that is
// restarted often does not make more of them.
type heads struct {
	store store.Checkpoints
	log   *slog.Logger
}

func (h heads) serve(ctx context.Context) error {
	for {
		wait, err := h.next(ctx)
		if err != nil && ctx.Err() == nil {
			h.log.Error("no checkpoint could be made", "error", err)
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
func (h heads) next(ctx context.Context) (time.Duration, error) {
	last, err := h.store.LastCheckpoint(ctx)
	if err != nil {
		return 0, err
	}
	if wait := time.Until(last.Made.Add(headEvery)); wait > 0 {
		return min(wait, headEvery), nil // not longer, if the clock was set back
	}
	made, err := h.store.Checkpoint(ctx, time.Now())
	if err == nil {
		h.log.Info("made a checkpoint", "head", made.Head.String(), "runs", made.Runs)
	}
	return headEvery, err
}
