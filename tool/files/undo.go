package files

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/household/changes"
)

// An Undo is what it takes to put files back to what they were before some changes. It is made for the files as they
// are, and is done exactly so or not at all.
type Undo struct {
	root  *Root
	book  changes.Book
	all   []change
	draft changes.Draft
}

// Restored is what an undo does to one file; see Written.
type Restored struct {
	Written
	Mode string `json:"mode,omitempty"` // the permissions that it gets, if they change
}

// PlanUndo works out what undoing changes would do. They are the newest first, of this folder and one user. It touches
// nothing. CodeConflict names the files that are not as the changes left them.
func (r *Root) PlanUndo(ctx context.Context, inv rein.Invocation, book changes.Book, list []changes.Change) (*Undo, error) {
	if r == nil {
		return nil, noFolder()
	}
	u := &Undo{root: r, book: book, draft: changes.Draft{Tool: UndoTool, Root: r.real, Contents: map[string][]byte{}}}
	for _, c := range list {
		if c.Root != r.real {
			return nil, rein.Errorf(rein.CodeConflict, "nothing was undone: the change was made in %.200q, and this workspace is in %.200q now", c.Root, r.real)
		}
		u.draft.Undoes = append(u.draft.Undoes, c.ID)
	}
	links, err := chain(list)
	if err != nil {
		return nil, err
	}
	var conflicts []string
	for _, l := range links {
		wrong, err := u.add(ctx, inv, l)
		if err != nil {
			return nil, err
		}
		if wrong != "" {
			conflicts = append(conflicts, wrong)
		}
	}
	if len(conflicts) > 0 {
		return nil, rein.Errorf(rein.CodeConflict, "nothing was undone: %s", strings.Join(conflicts, "; "))
	}
	return u, nil
}

// UndoTool is the tool whose changes are undos.
const UndoTool = "undo_change"

// A span is what became of one file over several changes.
type span struct {
	changes.File
	cut bool // nobody saw the last of them end: the file may be as before it
	was changes.Content
}

// chain joins changes, the newest first, to one for each file. Between two of them nobody else may have changed it.
func chain(list []changes.Change) ([]*span, error) {
	byPath := map[string]*span{}
	var order []*span
	for _, c := range slices.Backward(list) {
		for _, f := range c.Files {
			s := byPath[f.Path]
			switch {
			case s == nil:
				s = &span{File: f}
				byPath[f.Path] = s
				order = append(order, s)
			case s.After.Mark != f.Before.Mark && !(s.cut && s.was.Mark == f.Before.Mark):
				return nil, rein.Errorf(rein.CodeConflict, "nothing was undone: %.200q was changed by something else between these changes: undo them one at a time, the newest first", f.Path)
			}
			s.After, s.cut, s.was = f.After, c.Begun, f.Before
		}
	}
	return order, nil
}

// add looks at one file. It says what is wrong if somebody has changed it since.
func (u *Undo) add(ctx context.Context, inv rein.Invocation, s *span) (wrong string, err error) {
	now, err := u.root.lookAny(inv, s.Path)
	if err != nil {
		return "", err
	}
	mark := changes.Mark(now.mark())
	switch {
	case s.Before.Mark == changes.Folder && mark == changes.Folder && !s.modeChanged(), s.Before.Mark == "" && mark == "" && (s.cut || s.After.Mark == changes.Folder):
		return "", nil // it is so already
	case s.cut && mark == s.was.Mark:
	case mark != s.After.Mark && mark == "":
		return fmt.Sprintf("%s is gone since", quoted(s.Path)), nil
	case mark != s.After.Mark:
		return fmt.Sprintf("%s was changed since", quoted(s.Path)), nil
	}
	if mark == s.Before.Mark && !s.modeChanged() {
		return "", nil
	}
	if s.Before.Mark.IsUnread() {
		return fmt.Sprintf("%s was too large to keep", quoted(s.Path)), nil
	}
	var bytes []byte
	if sum := s.Before.Mark.Sum(); sum != "" {
		if bytes, err = u.book.Content(ctx, inv.Task.Household, inv.Task.User, sum); err != nil {
			return "", rein.Errorf(rein.CodeOf(err), "nothing was undone: %.200q: %w", s.Path, err)
		}
	}
	c := change{local: s.Path, before: now, after: contentAs(s.Before, bytes)}
	if now != nil && c.after != nil && now.kind() == 0 && c.after.kind() == 0 && !s.modeChanged() {
		c.after.mode = now.mode
	}
	u.all = append(u.all, c)
	u.draft.Files = append(u.draft.Files, changes.File{Path: c.local, Before: now.named(), After: c.after.named()})
	if sum := mark.Sum(); sum != "" {
		u.draft.Contents[sum] = now.bytes
	}
	return "", nil
}

func (s *span) modeChanged() bool {
	return s.Before.Mark != "" && s.After.Mark != "" && s.Before.Mode != s.After.Mode
}

// Restored lists what is done to each file.
func (u *Undo) Restored() []Restored {
	all := make([]Restored, len(u.all))
	for i, c := range u.all {
		all[i] = Restored{Written: Written{c.local, c.before.mark(), c.after.mark()}}
		if c.before != nil && c.after != nil && c.before.kind() == c.after.kind() && c.before.mode != c.after.mode {
			all[i].Mode = fmt.Sprintf("%04o", c.after.mode.Perm())
		}
	}
	return all
}

// Text shows a person what would be done, with the diffs.
func (u *Undo) Text() string {
	text := shown(u.all).Text
	for _, f := range u.Restored() {
		if f.Mode != "" {
			text += fmt.Sprintf("\n- %s: permissions %s", quoted(f.Path), f.Mode)
		}
	}
	return text
}

// Changes reports whether there is anything to do.
func (u *Undo) Changes() bool { return u != nil && len(u.all) > 0 }

// Do does it, and records it as a change itself, so that it can be undone.
func (u *Undo) Do(ctx context.Context, inv rein.Invocation) error {
	if err := u.book.Keep(ctx, inv, u.draft); err != nil {
		return rein.Errorf(rein.CodeOf(err), "nothing was undone: what the files hold now could not be kept: %w", err)
	}
	err := u.root.restore(ctx, inv, u.all)
	if err != nil && !errors.Is(err, errTorn) {
		_ = u.book.Drop(context.WithoutCancel(ctx), inv.Key)
	}
	return err
}

// Again says how far an undo came that was cut: not at all (CheckNot), to its end (CheckHappened), or neither, because
// somebody has changed a file since. One that was cut between two files is finished.
func (r *Root) Again(ctx context.Context, inv rein.Invocation, book changes.Book) (rein.CheckState, error) {
	c, err := book.Find(ctx, inv.Task.Household, inv.Task.User, inv.Key)
	if rein.CodeOf(err) == rein.CodeNotFound {
		return rein.CheckNot, nil // nothing is touched before it is recorded
	}
	if err != nil {
		return rein.CheckUnknown, err
	}
	var rest []change
	before := 0 // as many are as they were; one that is gone was cut between going and coming
	for _, f := range c.Files {
		now, err := r.lookAny(inv, f.Path)
		if err != nil {
			return rein.CheckUnknown, err
		}
		r.sweep(inv, f.Path)
		switch mark := changes.Mark(now.mark()); {
		case mark == f.After.Mark && !differs(f, now), f.Before.Mark == changes.Folder && f.After.Mark == "":
			if mark != f.After.Mark {
				rest = append(rest, change{local: f.Path, before: now})
			}
			continue
		case mark == f.Before.Mark:
			before++
		case mark == "" && f.Before.Mark != "" && f.After.Mark != "":
		default:
			return rein.CheckUnknown, nil
		}
		var bytes []byte
		if sum := f.After.Mark.Sum(); sum != "" {
			if bytes, err = book.Content(ctx, inv.Task.Household, inv.Task.User, sum); err != nil {
				return rein.CheckUnknown, err
			}
		}
		rest = append(rest, change{local: f.Path, before: now, after: contentAs(f.After, bytes)})
	}
	if before == len(c.Files) {
		return rein.CheckNot, nil
	}
	if err := r.restore(ctx, inv, rest); err != nil {
		return rein.CheckUnknown, err
	}
	return rein.CheckHappened, nil
}

// differs reports whether only the permissions are missing.
func differs(f changes.File, now *content) bool {
	return now != nil && (now.kind() == 0 || now.isFolder()) && f.Before.Mark == f.After.Mark && now.mode.Perm() != f.After.Mode
}
