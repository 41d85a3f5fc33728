package workers

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestGoroutinesAreUsedAgain runs functions one after the other: they share a goroutine, which ends with the pool.
func TestGoroutinesAreUsedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pool
		before, ran := runtime.NumGoroutine(), 0
		for range 100 {
			p.Go(func() { ran++ })
			synctest.Wait()
		}
		if got := left(before, 1); ran != 100 || got != 1 {
			t.Errorf("%d of 100 functions ran, and %d goroutines are left; want 1", ran, got)
		}
		p.Close()
		synctest.Wait()
		if got := left(before, 0); got != 0 {
			t.Errorf("%d goroutines are left of a closed pool", got)
		}
		p.Go(func() { ran++ })
		synctest.Wait()
		if got := left(before, 0); ran != 101 || got != 0 {
			t.Errorf("a function of a closed pool ran: %v; %d goroutines are left", ran == 101, got)
		}
	})
}

// left returns how many goroutines there are beyond those of before. One that has ended is counted until the runtime has put it
// away, so it looks again if there are more than expected.
func left(before, want int) (n int) {
	for range 100_000 {
		if n = runtime.NumGoroutine() - before; n <= want {
			break
		}
		runtime.Gosched()
	}
	return n
}

// TestNoFunctionWaitsForAnother runs functions that wait for each other.
func TestNoFunctionWaitsForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p Pool
		defer p.Close()
		var ran atomic.Int64
		all := make(chan struct{})
		for range 50 {
			p.Go(func() {
				if ran.Add(1) == 50 {
					close(all)
				}
				<-all
			})
		}
		<-all
	})
}

// TestFewGoroutinesWait runs many functions at once in a pool that keeps few goroutines.
func TestFewGoroutinesWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := Pool{Idle: 3}
		before, goOn := runtime.NumGoroutine(), make(chan struct{})
		for range 50 {
			p.Go(func() { <-goOn })
		}
		close(goOn)
		synctest.Wait()
		if got := left(before, 3); got != 3 {
			t.Errorf("%d goroutines wait for a function, want 3", got)
		}
		p.Close()
		synctest.Wait()
		if got := left(before, 0); got != 0 {
			t.Errorf("%d goroutines are left of a closed pool", got)
		}
	})
}

// TestFunctionEndsItsGoroutine holds that the next function runs all the same.
func TestFunctionEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := 0
		for _, p := range []*Pool{{}, nil} {
			for range 3 {
				p.Go(func() {
					ran++
					runtime.Goexit()
				})
				synctest.Wait()
			}
		}
		if ran != 6 {
			t.Errorf("%d of 6 functions ran", ran)
		}
	})
}
