package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/household/changes"
)

// readAny returns what is at a path: a file, a link or a folder; nil: nothing.
func readAny(dir *os.Root, local string) (*content, error) {
	name := path.Base(local)
	info, err := dir.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, putError(local, err)
	case info.IsDir():
		return &content{mode: fs.ModeDir | info.Mode().Perm()}, nil
	case info.Mode()&fs.ModeSymlink != 0:
		to, err := dir.Readlink(name)
		return &content{bytes: []byte(to), mode: fs.ModeSymlink}, putError(local, err)
	case !info.Mode().IsRegular() || info.Size() > maxWrite:
		return &content{mode: info.Mode().Type() | info.Mode().Perm(), unread: changes.Unread(stampOf(info))}, nil
	}
	return read(dir, local)
}

// lookAny is look for whatever can be restored. What lies below something that is not a folder is not there.
func (r *Root) lookAny(inv rein.Invocation, local string) (*content, error) {
	if r == nil {
		return nil, noFolder()
	}
	if err := r.mayRestore(inv, local); err != nil {
		return nil, err
	}
	dir, err := r.folder(inv, local)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoFolder) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return readAny(dir, local)
}

// mayRestore asks whether the call may change what is at a path. A link is judged by where it is and not by where it
// leads: it is not followed.
func (r *Root) mayRestore(inv rein.Invocation, local string) error {
	err := r.seen(inv, local)
	if info, failed := r.root.Lstat(filepath.FromSlash(local)); err != nil && failed == nil && info.Mode()&fs.ModeSymlink != 0 {
		err = r.seen(inv, path.Dir(local))
	}
	if err != nil {
		return rein.Errorf(rein.CodeForbidden, "%.200q may not be changed: %w", local, err)
	}
	return nil
}

// restore makes all changes, or none: what goes goes first, from the deepest on, so that a file can take the place of a
// folder and the other way round. If one fails, those before it are taken back.
func (r *Root) restore(ctx context.Context, inv rein.Invocation, all []change) error {
	slices.SortStableFunc(all, inOrder)
	var made []*place
	defer func() {
		for _, p := range made {
			p.close()
		}
	}()
	for _, c := range all {
		p, err := r.restoreOne(ctx, inv, c)
		if p != nil {
			made = append(made, p)
		}
		if err != nil {
			if p != nil {
				made = made[:len(made)-1]
				defer p.close()
			}
			return takeBack(made, err)
		}
	}
	return r.sync(made)
}

func (r *Root) restoreOne(ctx context.Context, inv rein.Invocation, c change) (*place, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	p, err := r.place(inv, c)
	if err != nil {
		return nil, err
	}
	p.any = true
	if err := p.prepare(); err != nil {
		return p, err
	}
	return p, p.swap(p.before, p.after)
}

// inOrder sorts changes so that each is possible when its turn comes.
func inOrder(a, b change) int {
	rank := func(c change) int {
		switch {
		case c.before != nil && (c.after == nil || c.before.kind() != c.after.kind()):
			return 0 // something goes
		case c.after.isFolder():
			return 1
		case c.before != nil && c.before.unread != "":
			return 3 // nothing brings it back if a later one fails
		}
		return 2
	}
	if ra, rb := rank(a), rank(b); ra != rb {
		return ra - rb
	}
	depth := strings.Count(a.local, "/") - strings.Count(b.local, "/")
	if rank(a) == 0 {
		depth = -depth
	}
	if depth != 0 {
		return depth
	}
	return strings.Compare(a.local, b.local)
}

func (c *content) kind() fs.FileMode {
	if c == nil {
		return fs.ModeIrregular
	}
	return c.mode.Type()
}

func (c *content) isFolder() bool { return c != nil && c.mode.IsDir() }

// contentAs is a kept content with its mode.
func contentAs(as changes.Content, bytes []byte) *content {
	switch {
	case as.Mark == "":
		return nil
	case as.Mark == changes.Folder:
		return &content{mode: fs.ModeDir | as.Mode.Perm()}
	case as.Mark.IsLink():
		return &content{bytes: bytes, mode: fs.ModeSymlink}
	}
	return &content{bytes: bytes, mode: as.Mode.Perm()}
}
