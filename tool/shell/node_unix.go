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
