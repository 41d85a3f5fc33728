package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

// A reader who goes away at any moment of a view leaves nothing behind for the next.
func TestCutViews(t *testing.T) {
	s, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range 3_000 {
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for end := time.Now().Add(time.Duration(i%60) * time.Microsecond); time.Now().Before(end); {
			}
			cancel()
		}()
		_, _ = s.Run(ctx, rein.RunID("r1"))
		cancel()
		for _, err := range s.Runs(context.Background(), store.Filter{}) {
			if err != nil {
				t.Fatalf("after %d cuts: %v", i, err)
			}
		}
	}
}
