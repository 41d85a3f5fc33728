//go:build unix

package files

import (
	"os"
	"syscall"
)

// keepOwner gives a new file to the owner of the one that it replaces, if this program may.
func keepOwner(f *os.File, dir *os.Root, name string) {
	info, err := dir.Lstat(name)
	if err != nil || os.Geteuid() != 0 {
		return
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}
