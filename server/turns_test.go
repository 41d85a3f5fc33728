package server

import (
	"context"
	"testing"
	"testing/synctest"

	"rein"
)

// TestTurns lets a user have two, others theirs, and the rest wait; nothing of it is kept.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var all turns
		ann, bob := rein.Identity{Household: "home", User: "ann"}, rein.Identity{Household: "home", User: "bob"}
		var done []func()
		for range maxTurns {
			d, err := all.take(t.Context(), ann)
			if err != nil {
				t.Fatal(err)
			}
			done = append(done, d)
		}
		if d, err := all.take(t.Context(), bob); err != nil {
			t.Errorf("bob waits for ann: %v", err)
		} else {
			d()
		}
		if _, err := all.take(t.Context(), ann); rein.CodeOf(err) != rein.CodeRateLimited {
			t.Errorf("ann has one too many: %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := all.take(gone, ann); err == nil {
			t.Error("who has gone gets a turn")
		}
		got := make(chan error, 1)
		go func() {
			d, err := all.take(t.Context(), ann)
			if err == nil {
				d()
			}
			got <- err
		}()
		synctest.Wait()
		for _, d := range done {
			d()
		}
		if err := <-got; err != nil {
			t.Errorf("who waited: %v", err)
		}
		if len(all.of) != 0 {
			t.Errorf("kept: %v", all.of)
		}
	})
}
