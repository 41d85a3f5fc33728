package main

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"rein/internal/labs"
)

// memoryDisk is where Linux keeps files in memory.
const memoryDisk = "/dev/shm"

// enough is the memory that must be free before tests put their files there. They use far less.
const enough = 4 << 30

// prepare sets up the environment of the tests. The caller calls leave when they have ended.
//
// Their temporary files are in memory if there is room: a store commits hundreds of times in a test, and
// each commit waits for the disk. Tests that are about the disk ask labs.Disk for a folder. The go command
// keeps its own files, which are large, where they were.
//
// A program that was built with the race detector sleeps for a second before it exits, to catch races of
// goroutines that are left over. Our tests wait for their goroutines, and there are a hundred packages.
func prepare(w io.Writer, memory string) (leave func()) {
	setDefault("GORACE", "atexit_sleep_ms=0")
	leave = func() {}
	if os.Getenv("TMPDIR") != "" || room(memory) < enough {
		return leave
	}
	dir, err := os.MkdirTemp(memory, "rein-test")
	if err != nil {
		return leave
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil { // as /tmp is: some tests are another user
		os.RemoveAll(dir)
		return leave
	}
	disk := os.TempDir()
	setDefault("GOTMPDIR", disk)
	setDefault(labs.DiskFolder, disk)
	os.Setenv("TMPDIR", dir)
	fmt.Fprintf(w, "tests keep their files in memory, in %s (TMPDIR=%s: on the disk)\n", dir, disk)
	return func() { os.RemoveAll(dir) }
}

func setDefault(name, value string) { os.Setenv(name, cmp.Or(os.Getenv(name), value)) }
