package sandbox_test

import (
	"io/fs"
	"os"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"rein/internal/labs"
)

func owner(f fs.FileInfo) int { return int(f.Sys().(*syscall.Stat_t).Uid) }

// onDisk returns a folder that is not in memory: the kernel counts no writes there.
func onDisk(t *testing.T) string {
	t.Helper()
	dir := labs.Disk(t)
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		t.Fatal(err)
	}
	if st.Type != unix.TMPFS_MAGIC {
		return dir
	}
	dir, err := os.MkdirTemp("/var/tmp", "rein-box-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
