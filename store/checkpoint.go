package store

import (
	"context"
	"time"

	"rein"
)

// Checkpoints prove that nothing was taken away since.
type Checkpoints interface {
	// Checkpoint makes one of what there is now. It holds up no append.
	Checkpoint(ctx context.Context, at time.Time) (rein.Checkpoint, error)

	// LastCheckpoint returns the newest one, or the zero value if there is none.
	LastCheckpoint(context.Context) (rein.Checkpoint, error)

	// VerifyHead looks for all that the checkpoint with this head covers and says what is no longer there.
	// That the events before these are what was written, and that people's records are what their chain
	// says, is for the other audits to prove. A head that the store does not know is CodeNotFound.
	VerifyHead(ctx context.Context, head rein.Hash) (of rein.Checkpoint, wrong []string, err error)
}
