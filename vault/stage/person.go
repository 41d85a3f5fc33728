package stage

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// A Person is somebody who sits at the desk without a run. They see their own changes and commits only,
// and the rules, the lock and the checks are those that hold for the tools of a run.
type Person struct {
	Desk      *Desk
	Household string
	User      string
	Reach     rein.Reach // what they may use; nil: nothing
	// Deny names the tools that the policy refuses in this place. What a run may not do there with a tool, its
	// user may not do by command: the settings say what happens to these notes.
	Deny []string
}

// may refuses what the policy denies to runs.
func (p Person) may(tool string) error {
	if slices.Contains(p.Deny, tool) {
		return rein.Errorf(rein.CodeForbidden, "nothing was done: %s is denied by the policy for these notes", tool)
	}
	return p.mayUse(".")
}

// A Draft is what a session has staged, as a person sees it before they agree.
type Draft struct {
	Session string
	Changes []Change
	Shown   string // names exactly these changes: Commit writes them or nothing
}

// maxDiff is how many bytes of a diff a person is shown. Nobody agrees to what they were not shown, so a
// longer one cannot be committed at once.
const maxDiff = 16 << 20

// Diff shows the changes whole.
func (d Draft) Diff() string { return Whole(d.Changes, maxDiff) }

// ownPrefix begins the ID of a commit that a person made without a run. The ID of a run's call has a
// colon in it.
const ownPrefix = "own-"

// Run returns the run that made a commit; empty: its user did, without one.
func (c Commit) Run() rein.RunID {
	run, _, ok := strings.Cut(c.ID, ":")
	if !ok {
		return ""
	}
	return rein.RunID(run)
}

// Sessions lists the sessions of the person that have something staged, the oldest change first. They may
// work in other vaults than this desk's.
func (p Person) Sessions(ctx context.Context) ([]string, error) {
	return Sessions(ctx, p.Desk.tables, p.Household, p.User)
}

// Sessions lists the sessions of a user that have something staged, the oldest change first.
func Sessions(ctx context.Context, tables store.Snapshots, household, user string) ([]string, error) {
	var found []string
	err := tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT session FROM staged_notes WHERE household = ? AND user_name = ? GROUP BY session ORDER BY min(n)`, household, user)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var session string
			if err := rows.Scan(&session); err != nil {
				return err
			}
			found = append(found, session)
		}
		return rows.Err()
	})
	return found, err
}

// Draft returns what a session has staged; nothing is no error.
func (p Person) Draft(ctx context.Context, session string) (Draft, error) {
	if err := p.mayUse("."); err != nil {
		return Draft{}, err
	}
	staged, err := p.Desk.List(ctx, p.place(session))
	if err != nil {
		return Draft{}, err
	}
	p.deny(staged)
	for i, c := range staged {
		if c.Denied {
			continue
		}
		now, err := p.Desk.look(c.Path)
		staged[i].Stale = err != nil || now.hash != c.BaseHash && now.hash != c.Hash
	}
	return Draft{session, staged, p.Desk.Pin(staged)}, nil
}

func (p Person) place(session string) rein.Place {
	return rein.Place{Household: p.Household, User: p.User, Session: session}
}

func (p Person) mayUse(path string) error {
	if err := (rein.Invocation{Reach: p.Reach}).MayUse(p.Desk.Locate(path)); err != nil {
		return rein.Errorf(rein.CodeForbidden, "these notes may not be used: %w", err)
	}
	return nil
}

// deny marks what the person may not use any more, and takes its contents away.
func (p Person) deny(changes []Change) {
	for i, c := range changes {
		if p.mayUse(c.Path) != nil {
			changes[i].Denied, changes[i].Base, changes[i].Content = true, nil, nil
		}
	}
}

// Commit writes what a session has staged to the disk, or nothing. shown is that of the Draft which the
// person agreed to. The same key again is the same commit.
func (p Person) Commit(ctx context.Context, session, key, shown string) (Commit, error) {
	if err := p.may("commit_staged_changes"); err != nil {
		return Commit{}, err
	}
	id := p.id("commit", session, key)
	if c, err := p.already(ctx, id); err != nil || c.ID != "" {
		return c, err
	}
	draft, err := p.Draft(ctx, session)
	switch {
	case err != nil:
		return Commit{}, err
	case len(draft.Changes) == 0:
		return Commit{}, rein.Errorf(rein.CodeNotFound, "nothing is staged in session %.100q", session)
	}
	if err := agreed(draft.Changes, shown, draft.Shown); err != nil {
		return Commit{}, err
	}
	c, err := p.Desk.Commit(ctx, p.place(session), id, shown)
	if err != nil {
		return Commit{}, err
	}
	return c, p.settle(ctx, c)
}

// agreed says what is wrong if a person agrees to something else than there is, or to what they may not.
func agreed(changes []Change, shown, now string) error {
	switch {
	case shown == "":
		return rein.Errorf(rein.CodeInvalid, "nothing was written: say what you agree to, with the digest shown that came with the diff")
	case shown != now:
		return rein.Errorf(rein.CodeConflict, "nothing was written: it is not what you were shown any more, because something was staged, discarded or undone meanwhile; look at the diff again")
	}
	for _, c := range changes {
		if c.Denied {
			return rein.Errorf(rein.CodeForbidden, "nothing was written: %.200q is in a folder that may not be used", c.Path)
		}
	}
	if len(Whole(changes, maxDiff)) > maxDiff {
		return rein.Errorf(rein.CodeLimit, "nothing was written: the diff has more than %d MB, so nobody was shown all of it; discard some of the changes", maxDiff>>20)
	}
	return nil
}

// already returns the commit with this ID if it happened before. A process that was cut off right after
// it may have left it on the stage.
func (p Person) already(ctx context.Context, id string) (Commit, error) {
	state, c, err := p.Desk.Check(ctx, id)
	if err != nil || state != rein.CheckHappened {
		return Commit{}, err
	}
	return c, p.settle(ctx, c)
}

func (p Person) settle(ctx context.Context, c Commit) error {
	return p.Desk.tables.Write(context.WithoutCancel(ctx), func(ctx context.Context, tx rein.Tx) error { return Settle(ctx, tx, c) })
}

// id names a commit of the person's own. Nobody else can have the same, whatever key they choose.
func (p Person) id(what, of, key string) string {
	if key == "" {
		key = rand.Text()
	}
	return ownPrefix + digest.Joined(8, p.Household, p.User, what, of, key, "")
}

// Discard takes notes off the stage of a session, all if none is named, and returns which.
func (p Person) Discard(ctx context.Context, session string, paths []string) ([]string, error) {
	if err := p.may("discard_staged_changes"); err != nil {
		return nil, err
	}
	gone, drop, err := p.Desk.Discard(ctx, p.place(session), paths)
	if err != nil {
		return nil, err
	}
	return gone, p.Desk.tables.Write(ctx, drop)
}

// History returns commits of the person, the newest first, before the one that is named if any is.
func (p Person) History(ctx context.Context, before string, most int) ([]Commit, error) {
	if err := p.mayUse("."); err != nil {
		return nil, err
	}
	return p.Desk.Commits(ctx, p.Household, p.User, before, most)
}

// An Undoing is a commit of the person: what it changed, and what it would take to take it back.
type Undoing struct {
	Commit  Commit
	Changes []Change
	Shown   string // names exactly what Undo would restore; empty: it was taken back
}

// Diff shows whole what the commit changed.
func (u Undoing) Diff() string { return Whole(u.Changes, maxDiff) }

// UndoDiff shows whole what taking it back would change.
func (u Undoing) UndoDiff() string { return Whole(Reverse(u.Changes), maxDiff) }

// Look returns a commit of the person.
func (p Person) Look(ctx context.Context, id string) (Undoing, error) {
	if err := p.mayUse("."); err != nil {
		return Undoing{}, err
	}
	c, changes, err := p.Desk.Changes(ctx, p.place(""), id)
	if err != nil {
		return Undoing{}, err
	}
	p.deny(changes)
	u := Undoing{Commit: c, Changes: changes}
	if c.UndoneBy == "" {
		u.Shown = p.Desk.PinUndo(c, changes)
	}
	return u, nil
}

// Undo takes a commit of the person back, or changes nothing. shown is that of the Undoing which the
// person agreed to. The same key again is the same undo.
func (p Person) Undo(ctx context.Context, of, key, shown string) (Commit, error) {
	if err := p.may("undo_commit"); err != nil {
		return Commit{}, err
	}
	id := p.id("undo", of, key)
	if c, err := p.already(ctx, id); err != nil || c.ID != "" {
		return c, err
	}
	u, err := p.Look(ctx, of)
	switch {
	case err != nil:
		return Commit{}, err
	case u.Commit.UndoneBy != "":
		return Commit{}, u.Commit.undone()
	}
	if err := agreed(Reverse(u.Changes), shown, u.Shown); err != nil {
		return Commit{}, err
	}
	return p.Desk.Undo(ctx, p.place(u.Commit.Place.Session), id, of, shown)
}
