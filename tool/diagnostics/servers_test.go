package diagnostics

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server for Rust sees what cargo downloaded, and not the keys that lie beside it.
func TestCargoKeysAreNotShown(t *testing.T) {
	bin, cargo := t.TempDir(), t.TempDir()
	for _, name := range []string{"rust-analyzer", "cargo", "rustc"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"registry", "git"} {
		if err := os.Mkdir(filepath.Join(cargo, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"PATH": bin, "CARGO_HOME": cargo}
	s, ok := serverOf("a.rs")
	if !ok {
		t.Fatal("there is no server for Rust")
	}
	found, err := s.find(func(name string) string { return env[name] })
	if err != nil {
		t.Fatal(err)
	}
	read := strings.Join(found.read, "\n") + "\n"
	for path, want := range map[string]bool{cargo: false, cargo + "/registry": true, cargo + "/git": true, cargo + "/bin": false} {
		if strings.Contains(read, path+"\n") != want {
			t.Errorf("%s: %v in\n%s", path, !want, read)
		}
	}
	if !strings.Contains(strings.Join(found.env, "\n"), "CARGO_HOME="+cargo) {
		t.Error(found.env)
	}
}
