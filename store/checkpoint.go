package store

import (
	"context"
	"time"

	"rein"
)

// A Checkpoint is one hash over all that there was at a moment: every run's ID, sequence number and
// hash, the newest entry of the chain of people's records, and the checkpoint before. Who keeps the head
// elsewhere can prove later that each of these is still there. Erasing payloads takes nothing of it away,
// and nothing else takes a run away.
type Checkpoint struct {
	N      int64     `json:"n"`
	Made   time.Time `json:"made"`
	Runs   int64     `json:"runs"`
	People int64     `json:"people"` // entries of the chain
	Head   rein.Hash `json:"head"`
}

// Checkpoints prove that nothing was taken away since.
type Checkpoints interface {
	// Checkpoint makes one of what there is now. It holds up no append.
	Checkpoint(ctx context.Context, at time.Time) (Checkpoint, error)

	// LastCheckpoint returns the newest one, or the zero value if there is none.
	LastCheckpoint(context.Context) (Checkpoint, error)

	// VerifyHead looks for all that the checkpoint with this head covers and says what is no longer there.
	// That the events before these are what was written, and that people's records are what their chain
	// says, is for the other audits to prove. A head that the store does not know is CodeNotFound.
	VerifyHead(ctx context.Context, head rein.Hash) (of Checkpoint, wrong []string, err error)
}
