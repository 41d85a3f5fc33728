//go:build unix

package stage

import (
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a file the owner that another one has, as far as this program may. A note that a
// service with all rights has rewritten must stay its user's.
func keepOwner(f *os.File, like fs.FileInfo) {
	if stat, ok := like.Sys().(*syscall.Stat_t); ok && os.Geteuid() == 0 {
		_ = f.Chown(int(stat.Uid), int(stat.Gid))
	}
}
