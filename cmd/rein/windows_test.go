package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A build for Windows works, and gives a program that says what to use instead.
func TestWindowsIsRefused(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "rein.exe")
	build := exec.Command("go", "build", "-o", file, ".")
	build.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(program, []byte("use the Linux binary in WSL 2")) {
		t.Error("it does not say what to use instead")
	}
}
