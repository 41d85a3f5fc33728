package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rein/internal/labs"
)

// memoryDisk is where Linux keeps files in memory.
const memoryDisk = "/dev/shm"

// enough is the memory that must be free before tests put their files there. They use far less.
const enough = 4 << 30

// prepare sets up the environment of the tests.
//
// Their temporary files are in memory if there is room: a store commits hundreds of times in a test, and
// each commit waits for the disk. Tests that are about the disk ask labs.Disk for a folder. The go command
// keeps its own files, which are large, where they were.
//
// A program that was built with the race detector sleeps for a second before it exits, to catch races of
// goroutines that are left over. Our tests wait for their goroutines, and there are a hundred packages.
func prepare(w io.Writer, memory string) {
	setDefault("GORACE", "atexit_sleep_ms=0")
	if os.Getenv("TMPDIR") != "" || room(memory) < enough {
		return
	}
	dir, err := place(memory)
	if err != nil {
		fmt.Fprintln(w, "tests keep their files on the disk:", err)
		return
	}
	disk := os.TempDir()
	setDefault("GOTMPDIR", disk)
	setDefault(labs.DiskFolder, disk)
	os.Setenv("TMPDIR", dir)
	fmt.Fprintf(w, "tests keep their files in memory, in %s (TMPDIR=%s: on the disk)\n", dir, disk)
}

// place makes a folder that has the same name each time: go test remembers the result of a test only
// for the environment that it had. It stays, empty, since other tests may be about to use it. As in /tmp, all users may write: some tests are another user.
func place(memory string) (string, error) {
	dir := filepath.Join(memory, fmt.Sprintf("rein-test-%d", os.Getuid()))
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return "", errors.Join(fmt.Errorf("%s is no folder", dir), err)
	}
	return dir, os.Chmod(dir, 0o777|os.ModeSticky) // whose it is not may not
}

func setDefault(name, value string) { os.Setenv(name, cmp.Or(os.Getenv(name), value)) }
