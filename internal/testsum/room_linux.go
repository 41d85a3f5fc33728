package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// tmpfs is what statfs calls a file system in memory.
const tmpfs = 0x01021994

// room is how many bytes fit into a folder that is in memory, or 0 if it is not.
func room(dir string) uint64 {
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil || fs.Type != tmpfs {
		return 0
	}
	return min(fs.Bavail*uint64(fs.Bsize), available())
}

// available is the memory that programs can still take.
func available() uint64 {
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		var kb uint64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kb); n == 1 {
			return kb << 10
		}
	}
	return 0
}
