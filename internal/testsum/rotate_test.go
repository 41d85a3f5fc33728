package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein/internal/labs"
)

func TestRotate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "offset")
	first := offsetOf(t, file)
	if second := offsetOf(t, file); second != first+1 {
		t.Errorf("offsets are %d and %d, want consecutive ones", first, second)
	}
	if err := os.WriteFile(file, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := offsetOf(t, file); n < 1 {
		t.Errorf("the offset is %d after the file was damaged", n)
	}
}

func offsetOf(t *testing.T, file string) (n int) {
	t.Helper()
	t.Setenv(labs.Offset, "")
	var out strings.Builder
	if err := rotate(&out, file); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(os.Getenv(labs.Offset), &n); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("make check %s=%d", labs.Offset, n); !strings.Contains(out.String(), want) {
		t.Errorf("printed %q, want %q in it", out.String(), want)
	}
	return n
}

func TestRotateRepeats(t *testing.T) {
	file := filepath.Join(t.TempDir(), "offset")
	t.Setenv(labs.Offset, "7")
	var out strings.Builder
	if err := rotate(&out, file); err != nil || os.Getenv(labs.Offset) != "7" {
		t.Errorf("the offset is %s, want the 7 that was set; error %v", os.Getenv(labs.Offset), err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a repeated run was counted")
	}
	for _, bad := range []string{"x", "-1"} {
		t.Setenv(labs.Offset, bad)
		if err := rotate(&out, file); err == nil || !strings.Contains(err.Error(), "want a number") {
			t.Errorf("offset %q: error %v", bad, err)
		}
	}
}
