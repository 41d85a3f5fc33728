package stage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"rein"
)

// workFolder is where a commit keeps files on their way, in the vault, so that a rename is all it
// takes to move them. It is hidden: nobody takes them for notes.
const workFolder = ".rein"

// names are the files of a note on its way: the new content, what was moved away for it, and the new
// content taken back.
func (c Commit) names(w Written) (fresh, old, back string) {
	stem := fmt.Sprintf("%s/%s-%d", workFolder, c.token, w.slot)
	return stem + ".new", stem + ".old", stem + ".back"
}

// prepare writes the new contents beside the notes and makes them durable. No note is touched.
func (d *Desk) prepare(ctx context.Context, c *Commit) error {
	if err := d.root.Mkdir(workFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return wrong("make the folder", workFolder, err)
	}
	if info, err := d.root.Lstat(workFolder); err != nil || !info.IsDir() {
		return rein.Errorf(rein.CodeForbidden, "nothing was written: %q in the vault must be a folder; move what it is out of the way", workFolder)
	}
	for _, w := range c.todo() {
		if w.After == "" {
			continue
		}
		content, err := d.after(ctx, c.token, w.slot)
		if err != nil {
			return err
		}
		fresh, _, _ := c.names(w)
		if err := d.write(fresh, content, w); err != nil {
			return wrong("write", w.Path, err)
		}
		d.at("new")
	}
	if err := d.syncFolders([]string{workFolder + "/"}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil { // the last chance: what follows is not left half done
		return rein.Errorf(rein.CodeCancelled, "nothing was written: %w", err)
	}
	return d.mark(ctx, c, placing, "")
}

func (d *Desk) write(name string, content []byte, w Written) (err error) {
	mode := fs.FileMode(0o666) // what the umask leaves of it
	if w.Before != "" {
		mode = 0o600
	}
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(content); err != nil {
		return err
	}
	like := "." // a new note belongs to whom the vault belongs to
	if w.Before != "" {
		like = w.Path
	}
	if info, err := d.root.Lstat(like); err == nil {
		keepOwner(f, info)
	}
	if w.Before != "" { // after the owner, whose change takes rights away
		if err := f.Chmod(fs.FileMode(w.mode).Perm()); err != nil {
			return err
		}
	}
	return f.Sync()
}

// placeAll puts the new contents in the places of the old ones. If it fails, rollback must follow.
func (d *Desk) placeAll(c *Commit) error {
	todo := c.todo()
	for _, w := range todo {
		if err := d.place(*c, w); err != nil {
			return err
		}
		d.at("placed")
	}
	if err := d.syncFolders(touched(todo)); err != nil {
		return err
	}
	// Somebody may have saved a note in the last moment, or had it open and written to it after it was
	// moved away.
	for _, w := range todo {
		if _, old, _ := c.names(w); w.Before != "" && d.hashOf(old) != w.Before {
			return raced(w)
		}
	}
	return nil
}

// place gives a note its new content. What it takes the place of is kept and looked at afterwards, by
// placeAll: an edit of the last moment is in there.
func (d *Desk) place(c Commit, w Written) error {
	if _, err := d.folders(w.Path); err != nil {
		return err
	}
	err := errors.ErrUnsupported
	if w.Before != "" && w.After != "" {
		err = d.placeAtOnce(c, w)
	}
	if err == errors.ErrUnsupported {
		err = d.placeByTurns(c, w)
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrExist) {
		return raced(w)
	}
	if err != nil {
		return wrong("write", w.Path, err)
	}
	return nil
}

// placeAtOnce exchanges the note and its new content: there is no moment without the note.
func (d *Desk) placeAtOnce(c Commit, w Written) error {
	fresh, old, _ := c.names(w)
	if err := d.swap(d.root, fresh, w.Path); err != nil {
		return err
	}
	d.at("swapped")
	if err := d.root.Rename(fresh, old); err != nil {
		return err
	}
	d.at("away")
	return nil
}

// placeByTurns moves the note away, looks at it, and puts the new content where the name is free.
func (d *Desk) placeByTurns(c Commit, w Written) error {
	fresh, old, _ := c.names(w)
	if w.Before != "" {
		if err := d.root.Rename(w.Path, old); err != nil {
			return err
		}
		d.at("away")
		if d.hashOf(old) != w.Before {
			return raced(w)
		}
	}
	if w.After == "" {
		d.dropFolders(w.Path, w.made)
		return nil
	}
	if err := d.makeFolders(w.Path); err != nil {
		return err
	}
	return d.put(fresh, w.Path)
}

func raced(w Written) error {
	return rein.Errorf(rein.CodeConflict, "nothing was written: %q was changed by someone else at the same moment", w.Path)
}

// touched lists files whose folders must be made durable.
func touched(todo []Written) []string {
	names := []string{workFolder + "/"}
	for _, w := range todo {
		names = append(names, w.Path)
	}
	return names
}
