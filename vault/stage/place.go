package stage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

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
	if w.Before != "" {
		if err := f.Chmod(fs.FileMode(w.mode).Perm()); err != nil {
			return err
		}
	}
	return f.Sync()
}

// placeAll puts the new contents in the places of the old ones. If it fails, rollback must follow.
func (d *Desk) placeAll(_ context.Context, c *Commit) error {
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
	// Somebody may have had a note open, and have written to it after it was moved away.
	for _, w := range todo {
		if _, old, _ := c.names(w); w.Before != "" && d.hashOf(old) != w.Before {
			return raced(w)
		}
	}
	return nil
}

// place gives a note its new content. What it takes the place of is kept and looked at afterwards: an
// edit of the last moment is in there.
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
	if _, old, _ := c.names(w); w.Before != "" && d.hashOf(old) != w.Before {
		return raced(w)
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

// errTorn says that a note could not be put back. The journal stays open, to try again.
var errTorn = errors.New("not all notes could be put back; it is tried again at the next start")

// rollback puts every note back that a commit has touched, and returns the cause with what could not
// be put back because somebody was quicker: their text stays.
func (d *Desk) rollback(c Commit, cause error) error {
	var left []string
	var torn error
	todo := c.todo()
	for i := len(todo) - 1; i >= 0; i-- {
		kept, err := d.restore(c, todo[i])
		if kept {
			left = append(left, fmt.Sprintf("%q", todo[i].Path))
		}
		torn = errors.Join(torn, err)
		d.at("restored")
	}
	if torn == nil {
		torn = d.syncFolders(touched(todo))
	}
	if torn != nil {
		return &rein.Error{Code: rein.CodeUnknown, Msg: fmt.Sprintf("%v; %v: %v", cause, errTorn, torn), Err: errTorn}
	}
	d.clean(c)
	if len(left) > 0 {
		return rein.Errorf(rein.CodeOf(cause), "%w (of %s what someone else wrote meanwhile was left as it is)", cause, strings.Join(left, ", "))
	}
	return cause
}

// restore puts one note back, wherever the commit was cut off. It tells whether somebody else's text
// was found in its place, which is kept.
func (d *Desk) restore(c Commit, w Written) (kept bool, err error) {
	if err := d.sort(c, w); err != nil {
		return false, err
	}
	fresh, old, back := c.names(w)
	if d.exists(back) && d.hashOf(back) != w.After && !d.exists(w.Path) {
		return true, d.move(back, w.Path) // taken away in the moment of an edit
	}
	isOurs := w.After != "" && (d.isSame(fresh, w.Path) || !d.exists(fresh) && d.hashOf(w.Path) == w.After)
	switch {
	case isOurs && d.hashOf(w.Path) != w.After:
		return true, nil
	case isOurs:
		if kept, err := d.takeBack(c, w); kept || err != nil {
			return kept, err
		}
	case w.Before == "" && d.exists(w.Path):
		return true, nil
	}
	switch {
	case w.Before == "":
		d.dropFolders(w.Path, w.made)
		return false, nil
	case !d.exists(old):
		return false, nil
	case d.isSame(old, w.Path):
		return false, d.root.Remove(old)
	case d.exists(w.Path):
		return true, nil
	}
	if err := d.makeFolders(w.Path); err != nil {
		return false, err
	}
	return false, d.move(old, w.Path)
}

// takeBack takes the new content out of its place, and the old one goes there if the disk can do both
// in one moment. An edit of that moment is kept.
func (d *Desk) takeBack(c Commit, w Written) (kept bool, err error) {
	_, old, back := c.names(w)
	err = errors.ErrUnsupported
	if d.exists(old) {
		if err = d.swap(d.root, old, w.Path); err == nil {
			d.at("swapped back")
			err = d.root.Rename(old, back)
		}
	}
	if err == errors.ErrUnsupported {
		err = d.root.Rename(w.Path, back)
	}
	d.at("back")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case d.hashOf(back) == w.After:
		return false, nil
	case d.exists(w.Path):
		return true, nil // it stays in the work folder
	}
	return true, d.move(back, w.Path)
}

// sort gives the files of a note the names that say what they are, if it was cut off between an
// exchange and the renaming that follows it.
func (d *Desk) sort(c Commit, w Written) error {
	fresh, old, back := c.names(w)
	if w.Before == "" || w.After == "" {
		return nil
	}
	if d.exists(fresh) && d.hashOf(fresh) != w.After && !d.isSame(fresh, w.Path) {
		return d.root.Rename(fresh, old)
	}
	if d.hashOf(old) == w.After {
		return d.root.Rename(old, back)
	}
	return nil
}

// move puts a file back where it belongs, if the name is free; if not, both stay.
func (d *Desk) move(from, to string) error {
	err := d.put(from, to)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	d.at("moved")
	if err == nil && d.exists(from) {
		err = d.root.Remove(from)
	}
	return err
}

// clean takes the new contents away that have a place by now, or get none. What was moved away stays
// for Sweep, in case somebody has it open.
func (d *Desk) clean(c Commit) {
	for _, w := range c.todo() {
		fresh, _, _ := c.names(w)
		if d.isSame(fresh, w.Path) || c.state == preparing || d.hashOf(fresh) == w.After {
			_ = d.root.Remove(fresh)
		}
	}
}
