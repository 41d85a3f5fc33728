package usage

import (
	"context"
	"sync"

	"rein"
	"rein/journal"
	"rein/store"
)

// maxKnown bounds what a Counter remembers.
const maxKnown = 16384

// A Counter works out what runs have used. It remembers how far it has read the logs of unfinished runs, so
// that it reads each event once. The zero Counter is ready.
type Counter struct {
	mu    sync.Mutex
	known map[rein.RunID]*heldAt
}

// heldAt is what a run holds after an event.
type heldAt struct {
	mu   sync.Mutex
	seq  int64
	held journal.Held
}

// Held is what a run has reserved and not spent, after the event that the run names.
func (c *Counter) Held(ctx context.Context, s store.Reader, run store.OpenRun) (rein.Amount, error) {
	h := c.at(run.ID)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.seq > run.Seq { // somebody else has read on
		h = &heldAt{}
	}
	if h.seq == run.Seq {
		return h.held.Sum(), nil
	}
	for e, err := range s.Events(ctx, run.ID, h.seq) {
		if err != nil {
			return rein.Amount{}, err
		}
		h.held.See(e)
		if h.seq = e.Seq; h.seq == run.Seq {
			break
		}
	}
	return h.held.Sum(), nil
}

func (c *Counter) at(run rein.RunID) *heldAt {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.known[run]; h != nil {
		return h
	}
	if c.known == nil || len(c.known) >= maxKnown {
		c.known = map[rein.RunID]*heldAt{}
	}
	h := &heldAt{}
	c.known[run] = h
	return h
}
