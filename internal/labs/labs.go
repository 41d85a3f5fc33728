// Package labs keeps the fast loop fast. Tests call it to stay out of "make check" (Only) or to run a
// sample of their cells there (Cell). "make test" runs all of them.
package labs

import (
	"os"
	"strconv"
	"testing"
)

const (
	// Switch is the environment variable that turns the labs on.
	Switch = "LABS"
	// Offset is the environment variable that says where a sampled sweep starts.
	Offset = "SWEEP"
	// DiskFolder is the environment variable that names a folder on a real disk, where temporary files
	// are in memory.
	DiskFolder = "TEST_DISK" // not REIN_…: the program would take it for a setting
)

// Only skips a test that takes too long for the fast loop, unless the labs are on.
func Only(t testing.TB) {
	t.Helper()
	if os.Getenv(Switch) != "1" {
		t.Skipf("this is a lab: make test runs it, and so does %s=1 go test", Switch)
	}
}

// Cell reports whether to run cell i of a sweep. All cells run, except under -short: then one in
// every n does, starting at the offset. So n runs with consecutive offsets visit all cells.
func Cell(i, n int) bool {
	return !testing.Short() || sampled(i, n, offset())
}

func sampled(i, n, offset int) bool {
	return ((i+offset)%n+n)%n == 0
}

// offset reads the environment each time: only then does go test know that a cached result depends
// on it.
func offset() int {
	n, err := strconv.Atoi(os.Getenv(Offset))
	if err != nil {
		return 0
	}
	return n
}

// Disk is t.TempDir for tests of what is left when a process dies: it is on a disk, where commits wait
// for the device, also if other tests keep their files in memory.
func Disk(t testing.TB) string {
	t.Helper()
	parent := os.Getenv(DiskFolder)
	if parent == "" {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp(parent, "rein-disk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove the test's folder: %v", err)
		}
	})
	return dir
}
