// Package linear tests that the time of an operation grows with its input, not with the square of
// it. It compares two sizes in one process, so a slow or busy machine makes no difference.
package linear

import (
	"testing"
	"time"
)

const (
	factor = 8          // between the two sizes: work that grows with the square takes 64 times as long
	most   = 4 * factor // how much longer the larger may take
	noise  = 20 * time.Millisecond
	tries  = 8 // the best counts: whatever else the machine does only makes things slower
)

// Check fails the test if doing the work at the size takes much more than eight times as long as at an
// eighth of it.
func Check(t testing.TB, what string, size int, do func(size int)) {
	t.Helper()
	small, large := time.Hour, time.Hour
	for range tries {
		small, large = min(small, took(do, size/factor)), min(large, took(do, size))
		if large <= most*small+noise {
			return
		}
	}
	t.Errorf("%s: %d bytes took %v, an eighth of them %v: that is not linear", what, size, large, small)
}

func took(do func(int), size int) time.Duration {
	began := time.Now()
	do(size)
	return time.Since(began)
}
