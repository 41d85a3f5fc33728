package stage

import (
	"context"
	"slices"

	"rein"
	"rein/store"
)

// A Note is a note as the session sees it: as it is staged, or else as it is on the disk.
type Note struct {
	Path    string
	Content []byte
	Exists  bool
	Staged  bool
}

// An Edit makes the new content of a note. It must be pure and quick: it is called again, inside a
// transaction, if the note was staged anew meanwhile.
type Edit func(Note) ([]byte, error)

// Read returns a note as the session sees it. It may not exist; that is no error.
func (d *Desk) Read(ctx context.Context, p rein.Place, path string) (Note, error) {
	path, staged, err := d.find(ctx, p, path)
	if err != nil {
		return Note{}, err
	}
	if staged != nil {
		return staged.note(), nil
	}
	f, err := d.look(path)
	return Note{Path: path, Content: f.content, Exists: f.hash != ""}, err
}

func (d *Desk) find(ctx context.Context, p rein.Place, path string) (string, *Change, error) {
	path, err := d.allowed(path)
	if err != nil {
		return "", nil, err
	}
	if err := check(p); err != nil {
		return "", nil, err
	}
	var staged *Change
	err = d.tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		staged, err = find(ctx, q, p, path)
		return err
	})
	return path, staged, err
}

func (c Change) note() Note {
	return Note{Path: c.Path, Content: c.Content, Exists: true, Staged: true}
}

// Stage changes a note for a step of a run. It touches no disk: it returns the note as it will be
// staged, and the function that does so in the transaction that records the step. A change of a note
// that is staged already builds on what is staged; if the note has changed on the disk since, that is
// CodeConflict.
func (d *Desk) Stage(ctx context.Context, inv rein.Invocation, path string, edit Edit) (Change, func(context.Context, rein.Tx) error, error) {
	p, err := PlaceOf(inv.Task)
	if err != nil {
		return Change{}, nil, err
	}
	path, staged, err := d.find(ctx, p, path)
	if err != nil {
		return Change{}, nil, err
	}
	if err := inv.MayUse(d.Locate(path)); err != nil {
		return Change{}, nil, rein.Errorf(rein.CodeForbidden, "%.200q may not be used: %w", path, err)
	}
	f, err := d.look(path)
	if err != nil {
		return Change{}, nil, err
	}
	c := Change{Path: path, Base: f.content, BaseHash: f.hash, Run: inv.Run, Step: inv.Step, Changed: timeOf(d.now().UnixMicro())}
	now, seen := Note{Path: path, Content: f.content, Exists: f.hash != ""}, ""
	if staged != nil {
		if staged.BaseHash != f.hash {
			return Change{}, nil, rein.Errorf(rein.CodeConflict, "%q was changed on the disk after it was staged: discard its staged change (discard_staged_changes), read the note again and make the change again", path)
		}
		now, seen = staged.note(), staged.Hash
	}
	if err := c.apply(edit, now); err != nil {
		return Change{}, nil, err
	}
	return c, func(ctx context.Context, tx rein.Tx) error { return c.write(ctx, tx, p, edit, seen) }, nil
}

// apply makes the new content.
func (c *Change) apply(edit Edit, now Note) error {
	content, err := edit(now)
	if err != nil {
		return err
	}
	if len(content) > MaxNote {
		return rein.Errorf(rein.CodeLimit, "%q would have %d bytes: a note may have %d MB", c.Path, len(content), MaxNote>>20)
	}
	c.Content, c.Hash = content, Hash(content)
	return nil
}

// write stages the change. If the note is not staged as it was seen, because another step was quicker,
// the edit is made anew on what is.
func (c Change) write(ctx context.Context, tx rein.Tx, p rein.Place, edit Edit, seen string) error {
	staged, err := find(ctx, tx, p, c.Path)
	if err != nil {
		return err
	}
	switch {
	case staged == nil && seen != "": // it was discarded
		err = c.apply(edit, Note{Path: c.Path, Content: c.Base, Exists: c.BaseHash != ""})
	case staged != nil && staged.Run == c.Run && staged.Step == c.Step:
		return nil // it is this step's already
	case staged != nil && staged.Hash != seen:
		c.Base, c.BaseHash = staged.Base, staged.BaseHash
		err = c.apply(edit, staged.note())
	}
	if err != nil {
		return err
	}
	count, size, err := total(ctx, tx, p, c.Path)
	switch {
	case err != nil:
		return err
	case count >= MaxNotes:
		return rein.Errorf(rein.CodeLimit, "%d notes are staged, which is the most: commit or discard them first", count)
	case size+int64(len(c.Base)+len(c.Content)) > MaxBytes:
		return rein.Errorf(rein.CodeLimit, "what is staged has %d MB already, and at most %d MB fit: commit or discard it first", size>>20, MaxBytes>>20)
	}
	if err := store.Room(ctx, tx, p.Household, p.User, c.bytes()-staged.bytes()); err != nil {
		return err
	}
	return save(ctx, tx, p, c)
}

// bytes is what a change keeps; nil keeps nothing.
func (c *Change) bytes() int64 {
	if c == nil {
		return 0
	}
	return int64(len(c.Base) + len(c.Content))
}

// List returns what is staged in a session, in the order in which it was first staged.
func (d *Desk) List(ctx context.Context, p rein.Place) ([]Change, error) {
	if err := check(p); err != nil {
		return nil, err
	}
	var staged []Change
	err := d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		staged, err = list(ctx, q, p)
		return err
	})
	for i, c := range staged {
		if _, refused := d.allowed(c.Path); refused != nil {
			staged[i].Denied, staged[i].Base, staged[i].Content = true, nil, nil
		}
	}
	return staged, err
}

// Discard returns which of the paths are staged, all if none is named, and the function that takes
// them off the stage. A path that is not staged is CodeNotFound.
func (d *Desk) Discard(ctx context.Context, p rein.Place, paths []string) ([]string, func(context.Context, rein.Tx) error, error) {
	staged, err := d.List(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	all := make([]string, len(staged))
	for i, c := range staged {
		all[i] = c.Path
	}
	if len(paths) == 0 {
		paths = all
	}
	for i, path := range paths {
		if clean, err := Name(path); err == nil {
			paths[i] = clean
		}
		if !slices.Contains(all, paths[i]) {
			return nil, nil, rein.Errorf(rein.CodeNotFound, "%q is not staged; staged is: %q", path, all)
		}
	}
	return paths, func(ctx context.Context, tx rein.Tx) error {
		for _, path := range paths {
			if _, err := drop(ctx, tx, p, path); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
