package sqlite

import (
	"context"

	"rein"
	"rein/store"
)

// heavy is how many bytes make a batch one that waits for its turn before its payloads are written: many runs may end
// at once, and what waits for the writer is in memory a second time.
const heavy = 32 << 10

// maxHeavy is how many of them are prepared or wait for the writer.
const maxHeavy = 8

// turn waits until a batch may be prepared. The caller calls the function that it returns when the batch is written.
func (s *Store) turn(ctx context.Context, b *store.Batch) (leave func(), err error) {
	if s.heavy == nil || weight(b) < heavy { // who only reads is refused later
		return func() {}, nil
	}
	select {
	case s.heavy <- struct{}{}:
		return func() { <-s.heavy }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// weight estimates how large the payloads of a batch are, by the texts of models and tools.
func weight(b *store.Batch) (size int) {
	for i := range b.Drafts {
		d := &b.Drafts[i]
		for _, text := range d.Keep {
			size += len(text.Data)
		}
		if d.Outcome != nil {
			size += len(d.Outcome.Text) + len(d.Outcome.Data)
		}
		end, ok := d.Data.(*rein.StepEnd)
		if !ok {
			continue
		}
		size += len(end.Partial) + len(end.Whole)
		if end.Message != nil {
			size += len(end.Message.Text)
		}
		if end.Result != nil {
			size += len(end.Result.Text)
		}
	}
	return size
}
