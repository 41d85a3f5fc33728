package files

import (
	"fmt"
	"io/fs"
	"syscall"
)

// stampOf tells versions of a file apart without reading it.
func stampOf(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%d %d %d %d %d", s.Size, s.Mtim.Nano(), s.Ctim.Nano(), s.Ino, s.Dev)
}

// links is how many names a file has.
func links(info fs.FileInfo) uint64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Nlink)
	}
	return 1
}

// lastTouched is when a file was last changed, in nanoseconds.
func lastTouched(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return max(s.Mtim.Nano(), s.Ctim.Nano())
	}
	return info.ModTime().UnixNano()
}

// surelyTouched is a moment at or after which a file was last changed, in nanoseconds. Programs can set the one time, and
// what does not change the content changes the other.
func surelyTouched(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return min(s.Mtim.Nano(), s.Ctim.Nano())
	}
	return info.ModTime().UnixNano()
}
