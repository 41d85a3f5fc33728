package engine

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestStopwatch stands still while a call waits, and ends the call when it has run for its limit.
//
// Covers: TREE-41
func TestStopwatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var late atomic.Bool
		w := startWatch(10*time.Second, func() { late.Store(true) })
		time.Sleep(4 * time.Second)
		w.stop()
		w.stop()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := w.measured(); got != 4*time.Second || late.Load() {
			t.Fatalf("it measured %s, and the call was late: %v", got, late.Load())
		}
		w.run()
		w.run()
		time.Sleep(5 * time.Second)
		if got := w.measured(); got != 9*time.Second || late.Load() {
			t.Fatalf("it measured %s, and the call was late: %v", got, late.Load())
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if w.stop(); !late.Load() || w.measured() != 10*time.Second {
			t.Errorf("it measured %s, and the call was late: %v", w.measured(), late.Load())
		}
	})
}
