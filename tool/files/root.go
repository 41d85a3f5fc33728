// Package files has the tools for one folder and nothing outside it. read_file, list_directory, glob and
// grep change nothing; write_file, edit_file and apply_patch show a person the diff first. The Reach of a
// call decides which files in the folder they may see.
package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"rein"
	"rein/tool/reach"
)

// Root is the folder that the tools may look into. Every path is opened through an os.Root, so that
// no "..", symbolic link or rename meanwhile leads out of it. A nil Root has the tools and no folder:
// every call of theirs says so.
type Root struct {
	dir     string // as it was given, made absolute
	real    string // the same with its symbolic links resolved
	root    *os.Root
	outside error // how os.Root says that a path leads out
	hazards Hazards
	trip    func() // see Trip
	inspect Inspector
	first   Beforehand
}

// A Beforehand is called before a call writes a file that says what git ignores: whoever covers the other files looks at
// them first. If it fails, nothing is written.
type Beforehand func(ctx context.Context, inv rein.Invocation) error

// Before has somebody called before ignore files are written. Call it before the tools are used.
func (r *Root) Before(f Beforehand) {
	if r != nil {
		r.first = f
	}
}

// beforehand calls whoever looks at the folder before ignore files change.
func (r *Root) beforehand(ctx context.Context, inv rein.Invocation, all []change) error {
	isRules := func(c change) bool { return filepath.Base(c.local) == ".gitignore" }
	if r.first == nil || !slices.ContainsFunc(all, isRules) {
		return nil
	}
	if err := r.first(ctx, inv); err != nil {
		return rein.Errorf(rein.CodeOf(err), "nothing was written: what the other files hold could not be kept for an undo: %w", err)
	}
	return nil
}

// An Inspector says something about files that a call has just written, for its result; empty: nothing. It must not take
// long.
type Inspector func(ctx context.Context, inv rein.Invocation, paths []string) string

// Inspect has files looked at when they were written. Call it before the tools are used.
func (r *Root) Inspect(i Inspector) {
	if r != nil {
		r.inspect = i
	}
}

// Trip has a function called around every step in which a call changes the disk. Labs kill the process there. Call it
// before the tools are used.
func (r *Root) Trip(f func()) { r.trip = f }

// Open opens a folder for the tools. Close it when no tool is in use any more.
func Open(dir string) (*Root, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the folder %q for files: %w", dir, err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the folder %q for files cannot be opened: %w; name a folder that exists", dir, cause(err))
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		real = abs
	}
	_, err = root.Lstat("..")
	return &Root{dir: abs, real: real, root: root, outside: cause(err)}, nil
}

// Close lets go of the folder; the tools fail after it.
func (r *Root) Close() error {
	if r == nil {
		return nil
	}
	return r.root.Close()
}

// Tools returns all tools of this package.
func (r *Root) Tools() ([]rein.Tool, error) {
	var all []rein.Tool
	for _, make := range []func() (rein.Tool, error){r.ReadFile, r.ListDirectory, r.Glob, r.Grep} {
		t, err := make()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return append(all, codebase(all)...), nil
}

// within returns the path below the root that a model means.
func (r *Root) within(path string) (string, error) {
	local := filepath.FromSlash(path)
	if filepath.IsAbs(local) {
		local = r.below(local)
	}
	switch {
	case path == "":
		return "", rein.Errorf(rein.CodeInvalid, "path is empty: name a file or folder below %s", r.dir)
	case strings.ContainsRune(path, 0):
		return "", rein.Errorf(rein.CodeInvalid, "path %.200q holds a NUL byte", path)
	case !filepath.IsLocal(local):
		return "", r.leadsOut(path)
	}
	return local, nil
}

// below returns an absolute path as seen from the root, or one that is not local.
func (r *Root) below(path string) string {
	for _, base := range []string{r.dir, r.real} {
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return ".."
}

func (r *Root) leadsOut(path string) error {
	return rein.Errorf(rein.CodeForbidden, "%.200q is outside the allowed folder %s: use a path below it", path, r.dir)
}

// opened opens the path that a model gave, if it is of the wanted kind and the call may see it.
func (r *Root) opened(inv rein.Invocation, path string, want wanted) (*os.File, fs.FileInfo, error) {
	if r == nil {
		return nil, nil, noFolder()
	}
	local, err := r.within(path)
	if err != nil {
		return nil, nil, err
	}
	switch err := r.seen(inv, local); rein.CodeOf(err) {
	case rein.CodeNotFound:
		return nil, nil, r.missing(inv, path, local)
	case rein.CodeForbidden:
		if r.leaves(local) {
			err = r.explain(inv, path, local, r.outside)
		}
		return nil, nil, err
	}
	f, info, err := r.open(local, want)
	if err != nil {
		return nil, nil, r.explain(inv, path, local, err)
	}
	if !r.isSeen(inv, f, local) { // a link has changed since we looked
		f.Close()
		return nil, nil, r.missing(inv, path, local)
	}
	return f, info, nil
}

// seen asks the call's policy about a path below the root.
func (r *Root) seen(inv rein.Invocation, local string) error {
	return inv.MayUse(filepath.Join(r.real, local))
}

// hides reports whether a path below the root must look as if it were not there.
func (r *Root) hides(inv rein.Invocation, local string) bool {
	return rein.CodeOf(r.seen(inv, local)) == rein.CodeNotFound
}

// leaves reports whether a path below the root leads out of it.
func (r *Root) leaves(local string) bool {
	to, err := reach.Resolve(filepath.Join(r.real, local))
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(r.real, to)
	return err != nil || !filepath.IsLocal(rel)
}

// wanted refuses a kind of file.
type wanted func(fs.FileMode) error

// open opens a path without waiting for whatever it may be: a pipe may have no writer, a device may
// do something. Only what is wanted is opened, and it is looked at again afterwards.
func (r *Root) open(local string, want wanted) (*os.File, fs.FileInfo, error) {
	info, err := r.root.Stat(local)
	if err != nil {
		return nil, nil, err
	}
	if err := want(info.Mode()); err != nil {
		return nil, nil, err
	}
	f, err := r.root.OpenFile(local, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = want(info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// fileOnly accepts a plain file.
func fileOnly(mode fs.FileMode) error {
	switch {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return errors.New("is a folder: list_directory shows what is in it")
	}
	return fmt.Errorf("is a %s, not a file with text", kindOf(mode))
}

// folderOnly accepts a folder.
func folderOnly(mode fs.FileMode) error {
	switch {
	case mode.IsDir():
		return nil
	case mode.IsRegular():
		return errors.New("is a file, not a folder: read_file reads it")
	}
	return fmt.Errorf("is a %s, not a folder", kindOf(mode))
}

// kindOf names what is neither a file nor a folder.
func kindOf(mode fs.FileMode) string {
	switch mode.Type() {
	case 0:
		return "file"
	case fs.ModeDir:
		return "folder"
	case fs.ModeSymlink:
		return "link"
	case fs.ModeNamedPipe:
		return "pipe"
	case fs.ModeSocket:
		return "socket"
	case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		return "device"
	}
	return "special file"
}

// Path is where the folder is, links followed.
func (r *Root) Path() string {
	if r == nil {
		return ""
	}
	return r.real
}
