package undo

import (
	"context"
	"strconv"

	"rein"
)

// noteKey is the ID of the commit that undoes the nth commit of a call.
func noteKey(inv rein.Invocation, n int) string { return inv.Key + "/" + strconv.Itoa(n) }

// undoNotes undoes commits of notes, the newest first. If one fails, those before it are done again.
func (s Sources) undoNotes(ctx context.Context, inv rein.Invocation, all []notePin) error {
	for i, n := range all {
		if _, err := s.Desk.Undo(ctx, inv.Task.Place(), noteKey(inv, i), n.Commit, n.Shown); err != nil {
			return s.redoNotes(ctx, inv, all[:i], err)
		}
	}
	return nil
}

// redoNotes takes back what undoNotes did, because something after it failed.
func (s Sources) redoNotes(ctx context.Context, inv rein.Invocation, all []notePin, cause error) error {
	ctx = context.WithoutCancel(ctx)
	for i := len(all) - 1; i >= 0; i-- {
		c, changed, err := s.Desk.Undoable(ctx, inv.Task.Place(), noteKey(inv, i))
		if err == nil {
			_, err = s.Desk.Undo(ctx, inv.Task.Place(), noteKey(inv, i)+"/back", c.ID, s.Desk.PinUndo(c, changed))
		}
		if err != nil {
			return rein.Errorf(rein.CodeOf(cause), "%w; and the notes of commit %s, which were put back before that, stay so: %w", cause, all[i].Commit, err)
		}
	}
	return cause
}

// check says how far a call came that was cut, and finishes one that was cut between notes and files.
func (s Sources) check(ctx context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
	all, err := pinOf(inv)
	if err != nil || inv.Task == nil {
		return rein.CheckUnknown, rein.Done{}, err
	}
	if len(all.Notes) > 0 && s.Desk == nil {
		return rein.CheckUnknown, rein.Done{}, nil
	}
	notes := 0
	for i := range all.Notes {
		state, _, err := s.Desk.Check(ctx, noteKey(inv, i))
		if err != nil || state == rein.CheckUnknown {
			return rein.CheckUnknown, rein.Done{}, err
		}
		if state == rein.CheckHappened {
			notes++
		}
	}
	state, err := s.checkFiles(ctx, inv, all, notes > 0)
	if err != nil || state == rein.CheckUnknown {
		return rein.CheckUnknown, rein.Done{}, err
	}
	if notes == 0 && state == rein.CheckNot {
		return rein.CheckNot, rein.Done{}, nil
	}
	if err := s.undoNotes(ctx, inv, all.Notes); err != nil { // what is done is not done twice
		return rein.CheckUnknown, rein.Done{}, err
	}
	d, err := s.done(inv, all)
	return rein.CheckHappened, d, err
}

// checkFiles is check for files. If notes were put back already, the files follow.
func (s Sources) checkFiles(ctx context.Context, inv rein.Invocation, all pin, must bool) (rein.CheckState, error) {
	if len(all.Files) == 0 {
		return rein.CheckNot, nil
	}
	state, err := s.Files.Again(ctx, inv, s.Book)
	if err != nil || state != rein.CheckNot || !must {
		return state, err
	}
	list, err := s.changesOf(ctx, inv, all.Changes)
	if err != nil {
		return rein.CheckUnknown, err
	}
	undo, err := s.Files.PlanUndo(ctx, inv, s.Book, list)
	if err != nil {
		return rein.CheckUnknown, nil // somebody has changed a file since
	}
	return rein.CheckHappened, undo.Do(ctx, inv)
}
