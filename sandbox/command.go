package sandbox

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Command is what runs in the box.
type Command struct {
	Argv []string // a name without a slash is looked up in the PATH of the box
	Dir  string   // where it starts; empty: the workspace
	Env  []string // NAME=VALUE, added to the few variables that every box has; nothing is inherited

	// The streams, as in os/exec. A slow writer slows the command down. Give an *os.File to hand it over
	// as it is; its output is then not counted.
	Stdin          io.Reader
	Stdout, Stderr io.Writer

	// Files are open in the command from descriptor 3 on, as in os/exec. Give it pipes of its own and nothing else: what
	// it can reach through them no mechanism contains.
	Files []*os.File
}

// Why a box ended its command.
const (
	Canceled  = "canceled" // the context ended
	TimeLimit = "time"
	Output    = "output"
	Memory    = "memory"
	Written   = "written"
	DiskFull  = "disk"
)

// A Result says how a command ended.
type Result struct {
	ExitCode int           // 128 and the signal if a signal ended it
	Signal   int           // 0: it exited by itself
	Ended    string        // why the box ended it; empty: it ended by itself
	Wall     time.Duration // how long it ran
	User     time.Duration // time on the processor, with the children it waited for
	System   time.Duration
	MaxRSS   int64       // the most memory that one of its processes had, in bytes
	Within   []Mechanism // what contained it
}

func (c Command) check() error {
	if len(c.Argv) == 0 || c.Argv[0] == "" {
		return fmt.Errorf("sandbox: there is no command to run")
	}
	for _, s := range append(append([]string{c.Dir}, c.Argv...), c.Env...) {
		if strings.ContainsRune(s, 0) {
			return fmt.Errorf("sandbox: %q has a NUL character in it", s)
		}
	}
	for _, e := range c.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return fmt.Errorf("sandbox: the variable %q is not NAME=VALUE", e)
		}
	}
	return nil
}

// resolved returns the policy with every path absolute and free of symbolic links, because a link that
// changes later must not lead the box elsewhere. A link in the workspace is not followed to what is granted: another
// command may have just put it there.
func (p Policy) resolved() (Policy, error) {
	if p.Workspace == "" {
		return p, fmt.Errorf("sandbox: the policy names no workspace")
	}
	p.ReadOnly, p.Writable = slices.Clone(p.ReadOnly), slices.Clone(p.Writable)
	p.Hidden = slices.DeleteFunc(slices.Clone(p.Hidden), func(path string) bool {
		_, err := os.Lstat(path)
		return errors.Is(err, fs.ErrNotExist) // there is nothing to hide
	})
	paths := []*string{&p.Workspace}
	if p.Temp != "" {
		paths = append(paths, &p.Temp)
	}
	for _, list := range [][]string{p.ReadOnly, p.Writable, p.Hidden} {
		for i := range list {
			paths = append(paths, &list[i])
		}
	}
	spelled := p.Workspace
	for i, path := range paths {
		real, err := realPath(*path)
		if err != nil {
			return p, err
		}
		if isGrant := i > 0 && i < len(paths)-len(p.Hidden); isGrant && isLed(*path, real, spelled, p.Workspace) {
			return p, fmt.Errorf("sandbox: %q is behind a link in the workspace, where commands can make any: it cannot be granted", *path)
		}
		*path = real
	}
	for _, path := range append([]string{p.Workspace}, p.Writable...) {
		if path == "/" {
			return p, fmt.Errorf("sandbox: the whole file system cannot be writable: choose a folder")
		}
	}
	return p, nil
}

// isLed reports whether a link in the workspace leads a path elsewhere. Both may be spelled with links above the workspace.
func isLed(path, real, spelled, workspace string) bool {
	for _, folder := range []string{spelled, workspace} {
		if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
			return real != filepath.Join(workspace, rel)
		}
	}
	return false
}

func realPath(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("sandbox: the path %q is not absolute", path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", fmt.Errorf("sandbox: %w", err)
	}
	return filepath.Clean(real), nil
}
