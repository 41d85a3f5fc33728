// Package files has the tools that look into one folder and nothing outside it: read_file and
// list_directory. They change nothing.
package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"rein"
)

// Root is the folder that the tools may look into. Every path is opened through an os.Root, so that
// no "..", symbolic link or rename meanwhile leads out of it.
type Root struct {
	dir     string // as it was given, made absolute
	real    string // the same with its symbolic links resolved
	root    *os.Root
	outside error // how os.Root says that a path leads out
}

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
func (r *Root) Close() error { return r.root.Close() }

// Tools returns all tools of this package.
func (r *Root) Tools() ([]rein.Tool, error) {
	read, err := r.ReadFile()
	if err != nil {
		return nil, err
	}
	list, err := r.ListDirectory()
	return []rein.Tool{read, list}, err
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

// opened opens the path that a model gave, if it is of the wanted kind.
func (r *Root) opened(path string, want wanted) (*os.File, fs.FileInfo, error) {
	local, err := r.within(path)
	if err != nil {
		return nil, nil, err
	}
	f, info, err := r.open(local, want)
	if err != nil {
		return nil, nil, r.explain(path, local, err)
	}
	return f, info, nil
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
