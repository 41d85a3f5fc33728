package files

import (
	"os"
	"strconv"
)

// realPath asks the kernel where an open file is. It is not ok where there is no /proc.
func realPath(f *os.File) (path string, ok bool) {
	conn, err := f.SyscallConn()
	if err != nil {
		return "", false
	}
	asked := conn.Control(func(fd uintptr) { path, err = os.Readlink("/proc/self/fd/" + strconv.Itoa(int(fd))) })
	return path, asked == nil && err == nil
}
