package sqlite

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// heavyNote appends a text that is long enough to wait for its turn.
func heavyNote(ctx context.Context, s *Store, id rein.RunID) error {
	_, err := s.Append(ctx, store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{{
		Kind: rein.StepDone, Step: "1", At: time.Now(), Data: &rein.StepEnd{Message: &rein.Message{Text: strings.Repeat("long ", heavy/5+1)}},
	}}})
	return err
}

// TestHeavyBatches lets as many wait as there are turns: one more is not prepared, and does not keep a light one
// waiting.
func TestHeavyBatches(t *testing.T) {
	t.Parallel()
	s := openTest(t, newPath(t), Options{})
	drive(t, s, "r")
	for range maxHeavy {
		s.heavy <- struct{}{}
	}
	given, cancel := context.WithCancel(t.Context())
	cancel()
	if err := heavyNote(given, s, "r"); !errors.Is(err, context.Canceled) {
		t.Errorf("a heavy batch without a turn: %v", err)
	}
	must(t, func() error { return note(s, "r", "light") })
	for range maxHeavy {
		<-s.heavy
	}
	var all sync.WaitGroup
	for range 3 * maxHeavy {
		all.Go(func() {
			if err := heavyNote(t.Context(), s, "r"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if v := wantSound(t, s, "r"); v.Events != 3*maxHeavy+2 || len(s.heavy) != 0 {
		t.Errorf("%d events were written, and %d turns are not given back", v.Events, len(s.heavy))
	}
}

// TestHeavyBatchOfAReader is refused as any other is, and does not wait.
func TestHeavyBatchOfAReader(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	drive(t, openTest(t, path, Options{}), "r")
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	wantCode(t, heavyNote(t.Context(), r, "r"), rein.CodeReadOnly, path)
}
