package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"rein"
	"rein/household/changes"
	"rein/tool/files/patch"
)

// target returns the file that a model wants to change, as it is.
func (r *Root) target(inv rein.Invocation, name string) (change, error) {
	if r == nil {
		return change{}, noFolder()
	}
	local, err := r.within(name)
	if err != nil {
		return change{}, err
	}
	local = filepath.ToSlash(filepath.Clean(local))
	if err := patch.CheckPath(local); err != nil {
		return change{}, err
	}
	before, err := r.look(inv, local)
	return change{local: local, before: before}, err
}

// look reads a file that is to be changed; nil: there is none. No part of its path may be a link: what a person is
// shown is where it is.
func (r *Root) look(inv rein.Invocation, local string) (*content, error) {
	if r == nil {
		return nil, noFolder()
	}
	if err := r.seen(inv, local); err != nil {
		return nil, rein.Errorf(rein.CodeForbidden, "%.200q may not be changed: %w", local, err)
	}
	dir, err := r.folder(inv, local)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return read(dir, local)
}

var errNoFolder = errors.New("not a folder")

// folder opens the folder of a file: whatever becomes of the path above it meanwhile, this one is used, and the call may
// use it.
func (r *Root) folder(inv rein.Invocation, local string) (*os.Root, error) {
	for i, c := range local {
		if c != '/' {
			continue
		}
		info, err := r.root.Lstat(local[:i])
		switch {
		case err != nil:
			return nil, putError(local, err)
		case !info.IsDir():
			return nil, rein.Errorf(rein.CodeForbidden, "%.200q is a %s, %w: files below it are left alone", local[:i], kindOf(info.Mode()), errNoFolder)
		}
	}
	dir, err := r.root.OpenRoot(filepath.FromSlash(path.Dir(local)))
	if err != nil {
		return nil, putError(local, err)
	}
	f, err := dir.Open(".")
	if err != nil {
		dir.Close()
		return nil, putError(local, err)
	}
	defer f.Close()
	if !r.isSeen(inv, f, filepath.FromSlash(path.Dir(local))) {
		dir.Close()
		return nil, rein.Errorf(rein.CodeForbidden, "%.200q may not be changed: its folder is not shown here", local)
	}
	return dir, nil
}

// read returns what is in a plain file of a folder; nil: there is none.
func read(dir *os.Root, local string) (*content, error) {
	name := path.Base(local)
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, putError(local, err)
	case !info.Mode().IsRegular():
		return nil, rein.Errorf(rein.CodeForbidden, "%.200q is a %s, not a plain file: it is left alone", local, kindOf(info.Mode()))
	}
	f, err := dir.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, putError(local, err)
	}
	defer f.Close()
	opened, err := f.Stat()
	switch {
	case err != nil:
		return nil, putError(local, err)
	case !os.SameFile(info, opened):
		return nil, rein.Errorf(rein.CodeConflict, "%q was changed meanwhile; read it again", local)
	}
	bytes, err := io.ReadAll(io.LimitReader(f, maxWrite+1))
	switch {
	case err != nil:
		return nil, putError(local, err)
	case len(bytes) > maxWrite:
		return nil, rein.Errorf(rein.CodeLimit, "%.200q has %d bytes: files of more than %d MiB are not changed", local, info.Size(), maxWrite>>20)
	}
	return &content{bytes: bytes, mode: info.Mode().Perm()}, nil
}

// put makes all changes, or none. New contents are written beside their files and made durable first; then they take
// their places, and last the files go that are removed. If one fails, those before it are taken back.
func (w writer) put(ctx context.Context, inv rein.Invocation, changes []change) error {
	if err := w.root.beforehand(ctx, inv, changes); err != nil {
		return err
	}
	if w.keep != nil {
		if err := w.keep.Keep(ctx, inv, w.draft(changes)); err != nil {
			return rein.Errorf(rein.CodeOf(err), "nothing was written: what the files hold now could not be kept for an undo: %w", err)
		}
	}
	err := w.swapAll(ctx, inv, changes)
	if err != nil && w.keep != nil && !errors.Is(err, errTorn) {
		_ = w.keep.Drop(context.WithoutCancel(ctx), inv.Key) // else it is listed as cut, and an undo of it changes nothing
	}
	return err
}

// errTorn says that some files are changed and others are not.
var errTorn = errors.New("it could not be taken back")

// draft is what the keeper is given of changes.
func (w writer) draft(all []change) changes.Draft {
	d := changes.Draft{Tool: w.tool, Root: w.root.real, Contents: map[string][]byte{}}
	for _, c := range all {
		f := changes.File{Path: c.local, Before: c.before.named(), After: c.after.named()}
		if c.before == nil {
			f.After.Mode = 0 // the umask decides
		} else {
			d.Contents[f.Before.Mark.Sum()] = c.before.bytes
		}
		d.Files = append(d.Files, f)
	}
	d.Files = append(d.Files, w.newFolders(all)...)
	return d
}

// newFolders are the folders that are made for new files: an undo removes them, if nothing else is in them.
func (w writer) newFolders(all []change) (made []changes.File) {
	seen := map[string]bool{}
	for _, c := range all {
		for dir := path.Dir(c.local); c.after != nil && dir != "." && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if _, err := w.root.root.Lstat(filepath.FromSlash(dir)); errors.Is(err, fs.ErrNotExist) {
				made = append(made, changes.File{Path: dir, After: changes.Content{Mark: changes.Folder}})
			}
		}
	}
	return made
}

// named names the content.
func (c *content) named() changes.Content {
	if c == nil {
		return changes.Content{}
	}
	return changes.Content{Mark: changes.Mark(c.mark()), Mode: c.mode.Perm()}
}

// swapAll writes new contents and puts them in place.
func (w writer) swapAll(ctx context.Context, inv rein.Invocation, changes []change) error {
	places := make([]*place, 0, len(changes))
	defer func() {
		for _, p := range places {
			p.close()
		}
	}()
	for _, c := range changes {
		p, err := w.root.place(inv, c)
		if err != nil {
			return err
		}
		places = append(places, p)
		if err := p.prepare(); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(places, func(a, b *place) int { return a.last() - b.last() })
	for i, p := range places {
		if err := p.swap(p.before, p.after); err != nil {
			return takeBack(places[:i], err)
		}
	}
	return w.root.sync(places)
}

// takeBack undoes changes that were made before one failed.
func takeBack(places []*place, cause error) error {
	for _, p := range slices.Backward(places) {
		back := &place{change: change{local: p.local, before: p.after, after: p.before}, dir: p.dir, temp: p.temp, any: p.any, trip: p.trip}
		err := back.prepare()
		if err == nil {
			err = back.swap(back.before, back.after)
		}
		if err != nil {
			return rein.Errorf(rein.CodeOf(cause), "%w; and of %q, which was written before that, %w: %w", cause, p.local, errTorn, err)
		}
	}
	return rein.Errorf(rein.CodeOf(cause), "nothing was written: %w", cause)
}

// A place is where a change is made.
type place struct {
	change
	dir  *os.Root
	temp string // the new content, beside the file
	made func() // the new content is not beside the file any more
	any  bool   // links and folders are contents too
	trip func() // see Root.Trip
}

// tripped marks a moment at which the process may die.
func (p *place) tripped() {
	if p.trip != nil {
		p.trip()
	}
}

func (p *place) read() (*content, error) {
	if p.any {
		return readAny(p.dir, p.local)
	}
	return read(p.dir, p.local)
}

// place opens the folder of a change, and makes it if need be.
func (r *Root) place(inv rein.Invocation, c change) (*place, error) {
	if above := path.Dir(c.local); c.after != nil && above != "." {
		if err := r.root.MkdirAll(filepath.FromSlash(above), 0o777); err != nil {
			return nil, putError(c.local, err)
		}
	}
	dir, err := r.folder(inv, c.local)
	if err != nil {
		return nil, err
	}
	temp := tempName(inv.Key, c.local)
	return &place{change: c, dir: dir, temp: temp, made: r.make(c.local, temp), trip: r.trip}, nil
}

// sweep removes what a call that was cut has left beside a file.
func (r *Root) sweep(inv rein.Invocation, local string) {
	if dir, err := r.folder(inv, local); err == nil {
		_ = dir.Remove(tempName(inv.Key, local))
		dir.Close()
	}
}

// tempName is the same for every attempt at a call, so that what a crash leaves is found.
func tempName(key, local string) string {
	return ".rein-" + (&content{bytes: []byte(key + "\x00" + local)}).mark()[:24] + ".tmp"
}

func (p *place) last() int {
	if p.after == nil {
		return 1
	}
	return 0
}

func (p *place) close() {
	_ = p.dir.Remove(p.temp)
	p.made()
	p.dir.Close()
}

// prepare writes the new content beside the file.
func (p *place) prepare() error {
	switch {
	case p.after == nil || p.after.isFolder():
		return nil
	case p.after.unread != "":
		return rein.Errorf(rein.CodeLimit, "%.200q was too large to keep", p.local)
	}
	_ = p.dir.Remove(p.temp)
	p.tripped()
	defer p.tripped()
	if p.after.kind() == fs.ModeSymlink {
		return putError(p.local, p.dir.Symlink(string(p.after.bytes), p.temp))
	}
	f, err := p.dir.OpenFile(p.temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, p.after.mode)
	if err != nil {
		return putError(p.local, err)
	}
	defer f.Close()
	if p.before != nil || p.any { // of a new file the umask decides
		err = f.Chmod(p.after.mode)
		keepOwner(f, p.dir, path.Base(p.local))
	}
	p.tripped()
	if err == nil {
		_, err = f.Write(p.after.bytes)
	}
	if err == nil {
		err = f.Sync()
	}
	return putError(p.local, err)
}

// swap puts the new content in place if the file is as it was shown.
func (p *place) swap(before, after *content) error {
	name := path.Base(p.local)
	now, err := p.read()
	p.tripped()
	defer p.tripped()
	switch {
	case err != nil:
		return err
	case now.mark() != before.mark():
		return rein.Errorf(rein.CodeConflict, "%q was changed meanwhile; read it again", p.local)
	case after == nil || before != nil && before.kind() != after.kind():
		if err := p.remove(name); err != nil || after == nil {
			return err
		}
		p.tripped()
	case before != nil && after.isFolder():
		return putError(p.local, p.dir.Chmod(name, after.mode.Perm()))
	case before != nil:
		return putError(p.local, p.dir.Rename(p.temp, name))
	}
	if after.isFolder() {
		return p.makeFolder(name)
	}
	err = p.dir.Link(p.temp, name) // never over another file
	if errors.Is(err, fs.ErrExist) {
		return rein.Errorf(rein.CodeConflict, "%q was made meanwhile; read it", p.local)
	}
	if err != nil { // a disk without second names
		err = p.dir.Rename(p.temp, name)
	}
	return putError(p.local, err)
}

// remove removes what is there. A folder that others put something into stays, unless something must take its place.
func (p *place) remove(name string) error {
	err := p.dir.Remove(name)
	if p.before.isFolder() && p.after == nil && (errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist)) {
		return nil
	}
	return putError(p.local, err)
}

func (p *place) makeFolder(name string) error {
	err := p.dir.Mkdir(name, p.after.mode.Perm())
	p.tripped()
	if err == nil {
		err = p.dir.Chmod(name, p.after.mode.Perm()) // whatever the umask says
		ownAs(p.dir, name)
	}
	return putError(p.local, err)
}

// sync makes renames durable, in the folders of the files and in those above, which may be new.
func (r *Root) sync(places []*place) error {
	done := map[string]bool{}
	for _, p := range places {
		for dir := path.Dir(p.local); !done[dir]; dir = path.Dir(dir) {
			done[dir] = true
			f, err := r.root.Open(filepath.FromSlash(dir))
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
				continue // it went too, and the folder above says so
			}
			if err != nil {
				return putError(p.local, err)
			}
			err = f.Sync()
			f.Close()
			if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
				return putError(p.local, err)
			}
		}
	}
	return nil
}

func noFolder() error {
	return rein.Errorf(rein.CodeUnavailable, "there are no files here: no folder of them was given (the setting tools.root names one)")
}

// putError says what could not be done; an error that says so already stays as it is.
func putError(local string, err error) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*rein.Error](err); ok {
		return known
	}
	code := rein.CodeInternal
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &fs.PathError{Op: "write", Path: local, Err: fs.ErrNotExist}
	case errors.Is(err, fs.ErrPermission):
		code = rein.CodeForbidden
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		code = rein.CodeDiskFull
	case errors.Is(err, syscall.EROFS):
		code = rein.CodeReadOnly
	case errors.Is(err, syscall.ENAMETOOLONG), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		code = rein.CodeInvalid
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		err = e.Err
	}
	return rein.Errorf(code, "%.200q cannot be written: %w", local, cause(err))
}
