package stage

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"rein"
)

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
