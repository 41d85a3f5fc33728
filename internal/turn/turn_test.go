package turn

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
)

// Whoever comes is served within as many turns as there are others who wait, however much one of them
// has queued.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(1)
		first, err := g.Take(t.Context(), "bob")
		if err != nil {
			t.Fatal(err)
		}
		var served []string
		wait := func(key string) {
			go func() {
				done, err := g.Take(t.Context(), key)
				if err != nil {
					t.Error(err)
					return
				}
				served = append(served, key)
				done()
				done() // once is enough
			}()
			synctest.Wait()
		}
		for range 5 {
			wait("bob")
		}
		wait("ann")
		wait("ann")
		wait("eve")
		first()
		synctest.Wait()
		if want := []string{"bob", "ann", "eve", "bob", "ann", "bob", "bob", "bob"}; !slices.Equal(served, want) {
			t.Errorf("served %v, want %v", served, want)
		}
		if g.free != 1 || len(g.queue)+len(g.order) > 0 {
			t.Errorf("%d places are free, %v wait", g.free, g.queue)
		}
	})
}

// Who gives up leaves nothing behind.
func TestGivingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(1)
		done, _ := g.Take(t.Context(), "bob")
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan error)
		go func() {
			_, err := g.Take(ctx, "ann")
			gone <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-gone; err == nil {
			t.Error("it got a place")
		}
		if len(g.queue)+len(g.order) > 0 {
			t.Errorf("%v still wait", g.queue)
		}
		done()
		if done, err := g.Take(t.Context(), "eve"); err != nil {
			t.Error(err)
		} else {
			done()
		}
	})
}
