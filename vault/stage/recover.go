package stage

import (
	"context"
	"errors"

	"rein"
	"rein/store"
)

// Recover ends the commits that a crash cut off: one whose notes are all in place is finished, any
// other is taken back. It is for the start of a program, before anything is committed.
func (d *Desk) Recover(ctx context.Context) error {
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return d.recover(ctx)
}

// Check tells whether the commit or undo with this ID happened. It ends one that was cut off, so the
// answer is certain unless the disk or the store cannot be read.
func (d *Desk) Check(ctx context.Context, id string) (rein.CheckState, Commit, error) {
	unlock, err := d.lock(ctx)
	if err != nil {
		return rein.CheckUnknown, Commit{}, err
	}
	defer unlock()
	c, err := d.resolved(ctx, id)
	switch {
	case err != nil:
		return rein.CheckUnknown, Commit{}, err
	case c == nil || c.state != done:
		return rein.CheckNot, Commit{}, nil
	}
	return rein.CheckHappened, *c, nil
}

// resolved returns the last entry of a commit, after all that were cut off have been ended.
func (d *Desk) resolved(ctx context.Context, id string) (*Commit, error) {
	if err := d.recover(ctx); err != nil {
		return nil, err
	}
	return d.entry(ctx, id)
}

func (d *Desk) recover(ctx context.Context) error {
	var open []Commit
	err := d.tables.Read(ctx, func(ctx context.Context, q store.Query) (err error) {
		open, err = commits(ctx, q, `WHERE vault = ? AND state IN ('preparing', 'placing') ORDER BY n`, d.vault)
		return err
	})
	if err != nil {
		return err
	}
	for i := range open {
		if err := d.end(ctx, &open[i]); err != nil {
			return err
		}
	}
	return nil
}

// end finishes a commit that was cut off, or takes it back.
func (d *Desk) end(ctx context.Context, c *Commit) error {
	cut := rein.Errorf(rein.CodeCancelled, "the commit was cut off and taken back")
	if c.state == preparing {
		d.clean(*c)
		return d.mark(ctx, c, failed, cut.Msg)
	}
	for _, w := range c.todo() {
		if err := d.sort(*c, w); err != nil {
			return wrong("recover", w.Path, err)
		}
	}
	if d.isPlaced(*c) {
		if err := d.syncFolders(touched(c.todo())); err != nil {
			return err
		}
		if err := d.mark(ctx, c, done, ""); err != nil {
			return err
		}
		d.clean(*c)
		return nil
	}
	err := d.rollback(*c, cut)
	if errors.Is(err, errTorn) {
		return err
	}
	return d.mark(ctx, c, failed, err.Error())
}

// isPlaced reports whether all notes of a commit are as it wants them, and what it moved away is what
// it meant to.
func (d *Desk) isPlaced(c Commit) bool {
	for _, w := range c.todo() {
		fresh, old, _ := c.names(w)
		if d.exists(old) && d.hashOf(old) != w.Before {
			return false
		}
		if w.After == "" && d.exists(w.Path) {
			return false
		}
		if w.After != "" && !d.isSame(fresh, w.Path) && d.hashOf(w.Path) != w.After {
			return false
		}
	}
	return true
}
