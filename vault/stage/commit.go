package stage

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rein"
)

// Commit writes all that is staged in a session to the disk, or nothing. The ID is that of the call
// that does it: a commit that is done already is returned as it was. shown is the Pin of what a person
// was shown; if anything else is staged when the desk is free, or when the journal is written, that is
// CodeConflict and nothing is written. So is a note that is not as it was when it was first changed.
// What is staged stays so until Settle.
func (d *Desk) Commit(ctx context.Context, p rein.Place, id, shown string) (Commit, error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return Commit{}, err
	}
	defer unlock()
	if c, err := d.resolved(ctx, id); err != nil || c != nil && c.state == done {
		return orNone(c), err
	}
	staged, err := d.List(ctx, p)
	if err != nil {
		return Commit{}, err
	}
	if err := isPin(shown, d.Pin(staged)); err != nil {
		return Commit{}, err
	}
	if len(staged) == 0 {
		return Commit{}, ErrNothing
	}
	c := Commit{ID: id, Place: p, At: timeOf(d.now().UnixMicro()), token: newToken()}
	for _, change := range staged {
		c.Notes = append(c.Notes, Written{Path: change.Path, Before: change.BaseHash, After: change.Hash})
	}
	d.at("compared")
	return d.carryOut(ctx, c, func(ctx context.Context, tx rein.Tx, c Commit) error {
		now, err := stagedNow(ctx, tx, p)
		if err != nil {
			return err
		}
		if err := isPin(shown, d.Pin(now)); err != nil {
			return err
		}
		return begin(ctx, tx, d.vault, c)
	})
}

// ErrNothing says that there is nothing to commit.
var ErrNothing = rein.Errorf(rein.CodeInvalid, "nothing is staged: write_note, append_note and the others stage changes")

// Undo takes a commit of the same user back, if its notes are still as it left them; if not, that is
// CodeConflict and nothing is written. What the commit made is removed. An undo is a commit itself.
// shown is the PinUndo of what a person was shown, as for Commit.
func (d *Desk) Undo(ctx context.Context, p rein.Place, id, of, shown string) (Commit, error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return Commit{}, err
	}
	defer unlock()
	if c, err := d.resolved(ctx, id); err != nil || c != nil && c.state == done {
		return orNone(c), err
	}
	old, changes, err := d.Undoable(ctx, p, of)
	if err != nil {
		return Commit{}, err
	}
	if err := isPin(shown, d.PinUndo(old, changes)); err != nil {
		return Commit{}, err
	}
	c := Commit{ID: id, Place: p, Undoes: of, At: timeOf(d.now().UnixMicro()), token: newToken()}
	for _, w := range old.Notes {
		c.Notes = append(c.Notes, Written{Path: w.Path, Before: w.After, After: w.Before, made: w.made})
	}
	d.at("compared")
	return d.carryOut(ctx, c, func(ctx context.Context, tx rein.Tx, c Commit) error {
		now, err := committedNow(ctx, tx, old.token)
		if err != nil {
			return err
		}
		if err := isPin(shown, d.PinUndo(old, now)); err != nil {
			return err
		}
		return beginUndo(ctx, tx, d.vault, c, old)
	})
}

// undone says that a commit was taken back before.
func (c Commit) undone() error {
	return rein.Errorf(rein.CodeConflict, "commit %q was taken back before, by %q", c.ID, c.UndoneBy)
}

func orNone(c *Commit) Commit {
	if c == nil {
		return Commit{}
	}
	return *c
}

// carryOut checks everything, writes the journal, and then the notes.
func (d *Desk) carryOut(ctx context.Context, c Commit, begin func(context.Context, rein.Tx, Commit) error) (Commit, error) {
	if err := d.compare(&c); err != nil {
		return Commit{}, err
	}
	todo := c.todo()
	if len(todo) == 0 { // it is so already
		return c, nil
	}
	err := d.tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error { return begin(ctx, tx, c) })
	if err != nil {
		return Commit{}, err
	}
	c.state = preparing
	d.at("journal")
	if err := d.prepare(ctx, &c); err != nil {
		d.clean(c)
		return Commit{}, d.abandon(ctx, &c, err)
	}
	if err := d.placeAll(&c); err != nil {
		return Commit{}, d.abandon(ctx, &c, d.rollback(c, err))
	}
	d.at("placed all")
	if err := d.mark(ctx, &c, done, ""); err != nil {
		return Commit{}, rein.Errorf(rein.CodeUnknown, "the notes were written, but that could not be recorded: %w", err)
	}
	d.at("done")
	d.clean(c)
	d.at("clean")
	return c, nil
}

// todo returns the notes that are not yet as they should be.
func (c Commit) todo() []Written {
	var todo []Written
	for _, w := range c.Notes {
		if w.slot >= 0 {
			todo = append(todo, w)
		}
	}
	return todo
}

// compare looks whether each note is as it was when it was changed, and finds all that are not.
func (d *Desk) compare(c *Commit) error {
	var conflicts []string
	slot := 0
	for i := range c.Notes {
		w := &c.Notes[i]
		if _, err := d.allowed(w.Path); err != nil {
			return err
		}
		now, err := d.look(w.Path)
		if err != nil {
			return err
		}
		w.slot, w.mode = -1, uint32(now.mode)
		if c.Undoes == "" {
			w.made = now.missing
		}
		switch {
		case now.hash == w.After:
		case now.hash != w.Before:
			conflicts = append(conflicts, conflict(*w, now))
		case now.hash != "" && now.mode&0o200 == 0:
			return rein.Errorf(rein.CodeForbidden, "nothing was written: %q is read-only", w.Path)
		default:
			w.slot = slot
			slot++
		}
	}
	if len(conflicts) == 0 {
		return nil
	}
	advice := "discard the staged changes, read the notes again and make the changes again"
	if c.Undoes != "" {
		advice = "what was written after the commit would be lost"
	}
	return rein.Errorf(rein.CodeConflict, "nothing was written: %s: %s", strings.Join(conflicts, "; "), advice)
}

func conflict(w Written, now file) string {
	switch {
	case now.hash == "":
		return fmt.Sprintf("%q does not exist any more", w.Path)
	case w.Before == "":
		return fmt.Sprintf("%q exists by now", w.Path)
	}
	return fmt.Sprintf("%q was changed by someone else", w.Path)
}

// abandon records that a commit did not happen, unless that is still to be brought about.
func (d *Desk) abandon(ctx context.Context, c *Commit, err error) error {
	if errors.Is(err, errTorn) {
		return err
	}
	if failure := d.mark(ctx, c, failed, err.Error()); failure != nil {
		return rein.Errorf(rein.CodeOf(err), "%w (and that could not be recorded: %v)", err, failure)
	}
	return err
}

// Settle takes what a commit wrote off the stage, in the transaction that records the commit's
// result. A note that was staged anew meanwhile stays, as a change of what was written.
func Settle(ctx context.Context, tx rein.Tx, c Commit) error {
	if c.Undoes != "" {
		return nil
	}
	for _, w := range c.Notes {
		staged, err := find(ctx, tx, c.Place, w.Path)
		switch {
		case err != nil:
			return err
		case staged == nil:
			continue
		case staged.Hash == w.After:
			_, err = drop(ctx, tx, c.Place, w.Path)
		default:
			_, err = tx.ExecContext(ctx, `UPDATE staged_notes SET base_hash = ?, base = (SELECT after FROM note_commit_files WHERE token = ? AND path = ?)
				WHERE household = ? AND user_name = ? AND session = ? AND path = ?
				AND EXISTS (SELECT 1 FROM note_commit_files WHERE token = ? AND path = ?)`,
				w.After, c.token, w.Path, c.Place.Household, c.Place.User, c.Place.Session, w.Path, c.token, w.Path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
