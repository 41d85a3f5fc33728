package app

import (
	"context"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/household/changes"
	"rein/server"
	"rein/tool/undo"
	"rein/vault/stage"
)

// changeList tells what runs changed.
type changeList struct{ *owner }

var _ server.Changes = changeList{}

// List joins what was changed in files with what was committed to notes.
func (l changeList) List(ctx context.Context, household, user string, q api.ChangeQuery) ([]api.FileChange, error) {
	book := l.changes()
	list, err := book.List(ctx, changes.Filter{Household: household, User: user, Session: q.Session, Workspace: q.Workspace, Run: q.Run, Most: q.Limit})
	if err != nil {
		return nil, err
	}
	var all []api.FileChange
	for _, c := range list {
		stands, err := book.InEffect(ctx, c)
		if err != nil {
			return nil, err
		}
		all = append(all, apiFileChange(c, stands))
	}
	if q.Workspace == "" {
		notes, err := stage.CommitsOf(ctx, l.store, household, user, q.Limit)
		if err != nil {
			return nil, err
		}
		for _, c := range notes {
			if of := c.Run(); (q.Session == "" || c.Place.Session == q.Session) && (q.Run == "" || of == q.Run || strings.HasPrefix(string(of), string(q.Run)+rein.Separator)) {
				all = append(all, apiNoteChange(c))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b api.FileChange) int { return b.At.Compare(a.At) })
	return all[:min(len(all), q.Limit)], nil
}

func apiFileChange(c changes.Change, stands bool) api.FileChange {
	told := api.FileChange{
		ID: c.ID, Run: c.Run, Step: c.Step, Session: c.Session, Workspace: c.Workspace, Tool: c.Tool, At: c.At, Cut: c.Begun, Background: undo.InBackground(c),
		Files: []api.FileState{}, Undoes: c.Undoes, UndoneBy: c.UndoneBy, Undoable: stands,
	}
	for _, f := range c.Files {
		if f.Before.Mark == changes.Folder || f.After.Mark == changes.Folder && f.Before.Mark == "" {
			continue
		}
		told.Files = append(told.Files, stateOf(f.Path, string(f.Before.Mark), string(f.After.Mark)))
	}
	return told
}

func apiNoteChange(c stage.Commit) api.FileChange {
	told := api.FileChange{ID: c.ID, Run: c.Run(), Session: c.Place.Session, Tool: "commit_staged_changes", At: c.At, Notes: true, Files: []api.FileState{}, UndoneBy: c.UndoneBy, Undoable: c.UndoneBy == ""}
	if _, step, ok := strings.Cut(c.ID, ":"); ok {
		told.Step = rein.StepKey(step)
	}
	if c.Undoes != "" {
		told.Undoes, told.Tool = []string{c.Undoes}, "undo_commit"
	}
	for _, n := range c.Notes {
		told.Files = append(told.Files, stateOf(n.Path, n.Before, n.After))
	}
	return told
}

func stateOf(path, before, after string) api.FileState {
	became := "changed"
	switch {
	case before == "":
		became = "new"
	case after == "":
		became = "removed"
	}
	return api.FileState{Path: path, Became: became}
}
