//go:build unix

package shell

import (
	"fmt"
	"io/fs"
	"syscall"
)

// nodeOf names a folder apart from its path.
func nodeOf(info fs.FileInfo) string {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", st.Dev, st.Ino)
	}
	return ""
}

// isOfSame reports whether two files have the same owner.
func isOfSame(a, b fs.FileInfo) bool {
	x, ok := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && x.Uid == y.Uid && x.Gid == y.Gid
}
