package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"rein/internal/labs"
)

// unset takes variables away until the test ends.
func unset(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		t.Setenv(name, "")
	}
}

func TestPrepare(t *testing.T) {
	if room(memoryDisk) < enough {
		t.Logf("%s has no room: tests keep their files on the disk", memoryDisk)
		return
	}
	unset(t, "TMPDIR", "GOTMPDIR", "GORACE", labs.DiskFolder)
	if first, err := place(t.TempDir()); err != nil || filepath.Base(first) != fmt.Sprintf("rein-test-%d", os.Getuid()) {
		t.Errorf("place: %s %v: go test remembers nothing if the name changes", first, err)
	}
	disk := os.TempDir()
	prepare(io.Discard, memoryDisk)
	dir := os.Getenv("TMPDIR")
	if filepath.Dir(dir) != memoryDisk || os.Getenv("GOTMPDIR") != disk || os.Getenv(labs.DiskFolder) != disk {
		t.Errorf("TMPDIR=%s GOTMPDIR=%s %s=%s", dir, os.Getenv("GOTMPDIR"), labs.DiskFolder, os.Getenv(labs.DiskFolder))
	}
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
}

// What lies in the place of the folder is not used.
func TestPlaceIsAFolder(t *testing.T) {
	memory := t.TempDir()
	dir, err := place(memory)
	if err != nil || os.Remove(dir) != nil || os.Symlink("/etc", dir) != nil {
		t.Fatal(err)
	}
	if again, err := place(memory); err == nil {
		t.Errorf("a link is taken for a folder: %s", again)
	}
	os.Remove(dir)
}

// Whoever chose a folder keeps it, and a disk is no memory.
func TestPrepareLeavesTheDisk(t *testing.T) {
	disk := t.TempDir()
	for _, c := range []struct{ chosen, memory string }{{disk, memoryDisk}, {"", "/proc"}, {"", "/no such folder"}} {
		unset(t, "GOTMPDIR", "GORACE", labs.DiskFolder)
		t.Setenv("TMPDIR", c.chosen)
		prepare(io.Discard, c.memory)
		if got := os.Getenv("TMPDIR"); got != c.chosen {
			t.Errorf("TMPDIR was %q and is %q", c.chosen, got)
		}
		if got := os.Getenv("GORACE"); got == "" {
			t.Error("GORACE is not set")
		}
	}
}
