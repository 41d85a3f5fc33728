package linear_test

import (
	"testing"
	"testing/synctest"
	"time"

	"rein/internal/linear"
)

// failing keeps whether a test was failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.failed = true }

func TestCheck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // with a clock that only work moves
		for _, c := range []struct {
			name   string
			work   func(size int) time.Duration
			failed bool
		}{
			{"linear", func(size int) time.Duration { return time.Duration(size) * time.Microsecond }, false},
			{"nearly linear", func(size int) time.Duration { return time.Duration(size) * 3 * time.Microsecond }, false},
			{"with the square", func(size int) time.Duration { return time.Duration(size*size) * time.Microsecond }, true},
		} {
			f := &failing{TB: t}
			linear.Check(f, c.name, 1<<14, func(size int) { time.Sleep(c.work(size)) })
			if f.failed != c.failed {
				t.Errorf("work that grows %s: failed is %v", c.name, f.failed)
			}
		}
	})
}
