package stage

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"

	"rein"
)

// A file is a note as it is on the disk. Hash is empty if there is none.
type file struct {
	content []byte
	hash    string
	mode    fs.FileMode
	missing int // how many folders above it do not exist
}

// look reads a note through the root. No part of its path may be a link: what a name says is where it
// is, for the list of allowed folders too.
func (d *Desk) look(name string) (file, error) {
	missing, err := d.folders(name)
	if err != nil || missing > 0 {
		return file{missing: missing}, err
	}
	info, err := d.root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file{}, nil
	case err != nil:
		return file{}, wrong("read", name, err)
	case !info.Mode().IsRegular():
		return file{}, rein.Errorf(rein.CodeForbidden, "%q is a %s, not a plain file: it is left alone", name, kindOf(info.Mode()))
	case info.Size() > MaxNote:
		return file{}, tooLarge(name, info.Size())
	}
	content, mode, err := d.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return file{}, nil
	}
	if err != nil {
		return file{}, err
	}
	return file{content: content, hash: Hash(content), mode: mode}, nil
}

// read returns what is in a plain file.
func (d *Desk) read(name string) ([]byte, fs.FileMode, error) {
	f, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, wrong("read", name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, 0, wrong("read", name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, rein.Errorf(rein.CodeForbidden, "%q is no plain file", name)
	}
	content, err := io.ReadAll(io.LimitReader(f, MaxNote+1))
	switch {
	case err != nil:
		return nil, 0, wrong("read", name, err)
	case len(content) > MaxNote:
		return nil, 0, tooLarge(name, info.Size())
	}
	return content, info.Mode().Perm(), nil
}

// folders checks that what is above a note are folders, and counts those that do not exist.
func (d *Desk) folders(name string) (missing int, err error) {
	for i, c := range name {
		if c != '/' {
			continue
		}
		info, err := d.root.Lstat(name[:i])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return strings.Count(name[i:], "/"), nil
		case err != nil:
			return 0, wrong("read", name, err)
		case !info.IsDir():
			return 0, rein.Errorf(rein.CodeForbidden, "%q is a %s, not a folder: notes below it are left alone", name[:i], kindOf(info.Mode()))
		}
	}
	return 0, nil
}

// makeFolders makes the folders above a note. They belong to whom the vault belongs to.
func (d *Desk) makeFolders(name string) error {
	vault, err := d.root.Lstat(".")
	if err != nil {
		return wrong("make the folder of", name, err)
	}
	for i, c := range name {
		if c != '/' {
			continue
		}
		err := d.root.Mkdir(name[:i], 0o777)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return wrong("make the folder of", name, err)
		}
		if f, err := d.root.Open(name[:i]); err == nil {
			keepOwner(f, vault)
			f.Close()
		}
	}
	return nil
}

// dropFolders removes the folders that were made for a note, if they are empty.
func (d *Desk) dropFolders(name string, made int) {
	for dir := path.Dir(name); made > 0 && dir != "."; dir = path.Dir(dir) {
		if d.root.Remove(dir) != nil {
			return
		}
		made--
	}
}

// syncFolders makes what was renamed in the folders of these files durable, up to the vault.
func (d *Desk) syncFolders(names []string) error {
	done := map[string]bool{}
	for _, name := range names {
		for dir := path.Dir(name); !done[dir]; dir = path.Dir(dir) {
			done[dir] = true
			if err := d.syncFolder(dir); err != nil {
				return wrong("make durable", name, err)
			}
		}
	}
	return nil
}

func (d *Desk) syncFolder(dir string) error {
	f, err := d.root.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its own folder is synced too
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return nil
}

// hashOf returns the hash of a file, or nothing if there is no plain file of this name.
func (d *Desk) hashOf(name string) string {
	if info, err := d.root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	content, _, err := d.read(name)
	if err != nil {
		return "unreadable"
	}
	return Hash(content)
}

func (d *Desk) exists(name string) bool {
	_, err := d.root.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// isSame reports whether two names are of one file.
func (d *Desk) isSame(a, b string) bool {
	one, err := d.root.Lstat(a)
	if err != nil {
		return false
	}
	other, err := d.root.Lstat(b)
	return err == nil && os.SameFile(one, other)
}

// put gives a file a second name that must be free: nothing is ever written over. Where a disk knows
// no second names it is a rename, right after a look whether the name is free.
func (d *Desk) put(from, to string) error {
	err := d.root.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if d.exists(to) {
		return fs.ErrExist
	}
	return d.root.Rename(from, to)
}

// wrong says what could not be done; an error that says so already stays as it is.
func wrong(what, name string, err error) error {
	if known, ok := errors.AsType[*rein.Error](err); ok {
		return known
	}
	code := rein.CodeInternal
	switch {
	case errors.Is(err, fs.ErrPermission):
		code = rein.CodeForbidden
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		code = rein.CodeDiskFull
	case errors.Is(err, syscall.EROFS):
		code = rein.CodeReadOnly
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EXDEV):
		code = rein.CodeInvalid
	}
	return rein.Errorf(code, "cannot %s %q: %w", what, name, cause(err))
}

// cause strips an error of paths: those of the machine are no business of a model.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

func tooLarge(name string, size int64) error {
	return rein.Errorf(rein.CodeLimit, "%q has %d bytes: notes of more than %d MB are not changed", name, size, MaxNote>>20)
}

func kindOf(mode fs.FileMode) string {
	switch mode.Type() {
	case 0:
		return "file"
	case fs.ModeDir:
		return "folder"
	case fs.ModeSymlink:
		return "symbolic link"
	}
	return "special file"
}
