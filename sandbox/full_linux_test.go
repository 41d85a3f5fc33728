package sandbox_test

import (
	"testing"

	"golang.org/x/sys/unix"

	"rein/sandbox"
)

// A disk can be full of empty files. Not all file systems count them.
func TestFull(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		blocks, files, left uint64
		full                bool
	}{{100, 1000, 500, false}, {99, 1000, 500, true}, {100, 1000, 19, true}, {100, 1000, 20, false}, {100, 0, 0, false}, {100, 999, 0, false}} {
		disk := unix.Statfs_t{Bsize: 1024, Bavail: c.blocks, Files: c.files, Ffree: c.left}
		if got := sandbox.IsFull(disk, 100<<10); got != c.full {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
