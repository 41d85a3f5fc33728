//go:build unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file to the owner of the one that it replaces, or else of the folder that it is in, if this program
// may.
func keepOwner(f *os.File, dir *os.Root, name string) {
	info, err := dir.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = dir.Lstat(".")
	}
	if err != nil || os.Geteuid() != 0 {
		return
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(s.Uid), int(s.Gid))
	}
}

// ownAs gives a folder that was made again to the owner of the one that it is in, if this program may.
func ownAs(dir *os.Root, name string) {
	info, err := dir.Lstat(".")
	if err != nil || os.Geteuid() != 0 {
		return
	}
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		_ = dir.Lchown(name, int(s.Uid), int(s.Gid))
	}
}
