package undo

import (
	"context"
	"slices"
	"strings"

	"rein"
	"rein/household/changes"
	"rein/vault/stage"
)

// A target is what is to be undone, the newest first.
type target struct {
	changes []changes.Change
	notes   []note
}

// A note is a commit of notes, with what it changed.
type note struct {
	commit  stage.Commit
	changes []stage.Change
}

// mostNotes is how many commits of notes are looked at.
const mostNotes = 500

// find resolves what a call names.
func (s Sources) find(ctx context.Context, inv rein.Invocation, change string) (target, error) {
	switch run, step, isStep := strings.Cut(change, ":"); {
	case change == "":
		return s.last(ctx, inv)
	case isStep:
		return s.step(ctx, inv, rein.RunID(run), rein.StepKey(step))
	}
	return s.run(ctx, inv, rein.RunID(change))
}

func filter(inv rein.Invocation) changes.Filter {
	return changes.Filter{Household: inv.Task.Household, User: inv.Task.User}
}

// last is the newest change of the session that stands, and is not an undo.
func (s Sources) last(ctx context.Context, inv rein.Invocation) (found target, err error) {
	f := filter(inv)
	f.Session = inv.Task.Session
	list, err := s.Book.List(ctx, f)
	if err != nil {
		return found, err
	}
	for _, c := range list {
		if len(c.Undoes) > 0 || len(c.Files) == 0 || InBackground(c) { // others may have made these: they have to be named
			continue
		}
		stands, err := s.Book.InEffect(ctx, c)
		if err != nil {
			return found, err
		}
		if stands {
			found.changes = []changes.Change{c}
			break
		}
	}
	commits, err := s.commits(ctx, inv)
	if err != nil {
		return found, err
	}
	i := slices.IndexFunc(commits, func(c stage.Commit) bool {
		return c.Place.Session == inv.Task.Session && c.Undoes == "" && c.UndoneBy == ""
	})
	if i >= 0 && (len(found.changes) == 0 || commits[i].At.After(found.changes[0].At)) {
		found.changes = nil
		err = s.addNote(ctx, inv, &found, commits[i].ID)
	}
	if err == nil && len(found.changes)+len(found.notes) == 0 {
		err = rein.Errorf(rein.CodeNotFound, "nothing was undone: no change of this session can be undone")
	}
	return found, err
}

// step is what one call changed.
func (s Sources) step(ctx context.Context, inv rein.Invocation, run rein.RunID, step rein.StepKey) (found target, err error) {
	key := string(run) + ":" + string(step)
	c, err := s.Book.Find(ctx, inv.Task.Household, inv.Task.User, key)
	switch {
	case err == nil:
		if err := s.stands(ctx, c); err != nil {
			return found, err
		}
		found.changes = []changes.Change{c}
	case rein.CodeOf(err) != rein.CodeNotFound:
		return found, err
	}
	commits, err := s.commits(ctx, inv)
	if err != nil {
		return found, err
	}
	for _, c := range commits {
		if c.ID == key || strings.HasPrefix(c.ID, key+"/") {
			if err := s.addNote(ctx, inv, &found, c.ID); err != nil {
				return found, err
			}
		}
	}
	return found, s.some(found, "step "+string(step)+" of run "+string(run))
}

// stands refuses a change that was undone.
func (s Sources) stands(ctx context.Context, c changes.Change) error {
	stands, err := s.Book.InEffect(ctx, c)
	if err == nil && !stands {
		err = rein.Errorf(rein.CodeConflict, "nothing was undone: %s was undone before, by %s; undo that one to get the change back", c.ID, c.UndoneBy)
	}
	return err
}

// run is what a run and its children changed, as far as nobody else has undone it.
func (s Sources) run(ctx context.Context, inv rein.Invocation, run rein.RunID) (found target, err error) {
	if err := run.Check(); err != nil {
		return found, err
	}
	f := filter(inv)
	f.Run = run
	list, err := s.Book.List(ctx, f)
	if err != nil {
		return found, err
	}
	for _, c := range list {
		own := slices.ContainsFunc(list, func(other changes.Change) bool { return other.ID == c.UndoneBy })
		if !own {
			stands, err := s.Book.InEffect(ctx, c)
			if err != nil {
				return found, err
			}
			if !stands {
				continue
			}
		}
		found.changes = append(found.changes, c)
	}
	commits, err := s.commits(ctx, inv)
	if err != nil {
		return found, err
	}
	commits = slices.DeleteFunc(commits, func(c stage.Commit) bool {
		return c.Run() != run && !strings.HasPrefix(string(c.Run()), string(run)+rein.Separator)
	})
	for _, c := range commits {
		own := slices.ContainsFunc(commits, func(other stage.Commit) bool { return other.ID == c.Undoes })
		if c.UndoneBy != "" || own { // what the run took back itself is as it was
			continue
		}
		if err := s.addNote(ctx, inv, &found, c.ID); err != nil {
			return found, err
		}
	}
	return found, s.some(found, "run "+string(run))
}

func (s Sources) some(found target, what string) error {
	if len(found.changes)+len(found.notes) == 0 {
		return rein.Errorf(rein.CodeNotFound, "nothing was undone: %s changed nothing that can be undone, or it was undone before", what)
	}
	return nil
}

// commits are those of notes, of the user, the newest first.
func (s Sources) commits(ctx context.Context, inv rein.Invocation) ([]stage.Commit, error) {
	if s.Desk == nil {
		return nil, nil
	}
	return s.Desk.Commits(ctx, inv.Task.Household, inv.Task.User, "", mostNotes)
}

func (s Sources) addNote(ctx context.Context, inv rein.Invocation, found *target, id string) error {
	c, changed, err := s.Desk.Undoable(ctx, inv.Task.Place(), id)
	if err == nil {
		found.notes = append(found.notes, note{c, changed})
	}
	return err
}
