package schedule

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// If the clock was ahead and jumps over a time again, what fired then does not stand for what did not: that fires.
//
// Covers: NEU-57
func TestJumpOverWhatFired(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	j, err := Make(Want{Every: "24h", Text: "x"}, amsterdam, now, DefaultRules())
	if err != nil {
		t.Fatal(err)
	}
	j.ID, j.Owner = "j1", Owner{"home", "ann"}
	day := 24 * time.Hour
	var found []Slot
	for i, ahead := range []time.Duration{0, 3*day + time.Hour, day + time.Hour, 3*day + 2*time.Hour} {
		err := s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) (err error) {
			if i == 0 {
				return Add(ctx, tx, j)
			}
			_, err = Claim(ctx, tx, now.Add(ahead))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err = s.Read(t.Context(), func(ctx context.Context, q store.Query) (err error) {
		found, err = SlotsOf(ctx, q, "j1", 10)
		return err
	})
	if err != nil || len(found) != 2 || !found[0].Instant.Equal(now.Add(3*day)) || !found[1].Instant.Equal(now.Add(2*day)) {
		t.Errorf("%+v %v", found, err)
	}
}
