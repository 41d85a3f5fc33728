// Package undo has the tool that undoes what other calls changed: files of the workspace, whoever wrote them, and notes.
// What they held is in household/changes and vault/stage; this package finds it, shows the diff, and puts all of it back
// or nothing.
package undo

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/household/changes"
	"rein/internal/visible"
	"rein/tool"
	"rein/tool/files"
	"rein/vault/stage"
)

//go:embed undo_change.md
var text string

// showLimit bounds how long a call may take to be shown.
const showLimit = 8 * time.Second

// maxDiff is how much of a diff of notes is shown; what is longer is refused by the engine.
const maxDiff = 1 << 20

// Sources are what changes can be undone in.
type Sources struct {
	Book  changes.Book
	Files *files.Root // nil: the workspace has no files
	Desk  *stage.Desk // nil: it has no notes
	// Finish records what commands changed that were cut; nil: there are none.
	Finish func(ctx context.Context, inv rein.Invocation) error
}

type undoArgs struct {
	Change string `json:"change,omitempty" jsonschema:"RUN:STEP, or a run's ID for everything that it changed; without it the last change of this session" max:"500"`
	Shown  string `json:"shown" pinned:"true"`
}

// Tool is the tool undo_change.
func Tool(s Sources) (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: files.UndoTool, Family: "files", Text: text, Effect: rein.Checkable, Approval: true, Undoable: true},
		func(ctx context.Context, inv rein.Invocation, args undoArgs) (rein.Done, error) {
			p, err := s.plan(ctx, inv, args.Change)
			if err != nil {
				return rein.Done{}, err
			}
			return p.do(ctx, inv, args.Shown)
		})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		ctx, cancel := context.WithTimeout(ctx, showLimit)
		defer cancel()
		var args undoArgs
		if err := json.Unmarshal(inv.Args, &args); err != nil {
			return rein.Shown{}, err
		}
		p, err := s.plan(ctx, inv, args.Change)
		if err != nil {
			return rein.Shown{}, err
		}
		return rein.Shown{Text: p.text(), Pin: map[string]string{"shown": p.pin()}, Hazard: p.hazard(inv.Task.Session)}, nil
	}
	t.Check = s.check
	return t, err
}

// A plan is what one call would undo.
type plan struct {
	Sources
	target
	files *files.Undo // nil: no files
}

// A pin names exactly what is undone.
type pin struct {
	Changes []string         `json:"changes,omitempty"` // of files
	Files   []files.Restored `json:"files,omitempty"`
	Notes   []notePin        `json:"notes,omitempty"`
}

type notePin struct {
	Commit string `json:"commit"`
	Shown  string `json:"shown"`
}

func (s Sources) plan(ctx context.Context, inv rein.Invocation, change string) (*plan, error) {
	if inv.Task == nil {
		return nil, rein.Errorf(rein.CodeForbidden, "the call belongs to no run")
	}
	if s.Finish != nil && s.Files != nil {
		if err := s.Finish(ctx, inv); err != nil {
			return nil, err
		}
	}
	found, err := s.find(ctx, inv, strings.TrimSpace(change))
	if err != nil {
		return nil, err
	}
	p := &plan{Sources: s, target: found}
	if len(found.changes) > 0 {
		if p.files, err = s.Files.PlanUndo(ctx, inv, s.Book, found.changes); err != nil {
			return nil, err
		}
	}
	if len(found.notes) == 0 && !p.files.Changes() {
		return nil, rein.Errorf(rein.CodeConflict, "nothing was undone: everything is as it was before the change already")
	}
	return p, nil
}

// hazard says why a person is asked in every mode; empty: the mode decides. In one that lets calls through, a run undoes
// what the file tools and notes of its own session changed, and nothing else.
func (p *plan) hazard(session string) string {
	for _, c := range p.changes {
		switch {
		case session == "" || c.Session != session:
			return "it undoes a change of another session"
		case c.Tool == commandTool, InBackground(c):
			return "it undoes everything that changed while a command ran, whoever changed it"
		}
	}
	for _, n := range p.notes {
		if session == "" || n.commit.Place.Session != session {
			return "it undoes a change of another session"
		}
	}
	if p.files == nil {
		return ""
	}
	var all []files.Written
	for _, f := range p.files.Restored() {
		all = append(all, f.Written)
	}
	return p.Files.Warn(all)
}

func (p *plan) pins() pin {
	var all pin
	for _, c := range p.changes {
		all.Changes = append(all.Changes, c.ID)
	}
	if p.files != nil {
		all.Files = p.files.Restored()
	}
	for _, n := range p.notes {
		all.Notes = append(all.Notes, notePin{n.commit.ID, p.Desk.PinUndo(n.commit, n.changes)})
	}
	return all
}

func (p *plan) pin() string {
	text, err := json.Marshal(p.pins())
	if err != nil {
		return ""
	}
	return string(text)
}

// text is what a person sees: which changes, then what happens to each file.
func (p *plan) text() string {
	var b strings.Builder
	for _, c := range p.changes {
		cut := ""
		if c.Begun {
			cut = ", which was cut: nobody saw it end"
		}
		fmt.Fprintf(&b, "Undo %s: %s at %s UTC%s\n", c.ID, c.Tool, c.At.Format(time.DateTime), cut)
	}
	for _, n := range p.notes {
		fmt.Fprintf(&b, "Undo %s: the commit of notes at %s UTC\n", n.commit.ID, n.commit.At.UTC().Format(time.DateTime))
	}
	if p.files.Changes() {
		b.WriteString("\n" + p.files.Text())
	}
	for _, n := range p.notes {
		b.WriteString("\n" + stage.Whole(stage.Reverse(n.changes), maxDiff))
	}
	return b.String()
}

// do undoes what was shown, or nothing.
func (p *plan) do(ctx context.Context, inv rein.Invocation, shown string) (rein.Done, error) {
	switch {
	case inv.Key == "":
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "the call has no key")
	case shown == "":
		return rein.Done{}, rein.Errorf(rein.CodeInvalid, "nothing was undone: the call does not say what the user was shown")
	case shown != p.pin():
		return rein.Done{}, rein.Errorf(rein.CodeConflict, "nothing was undone: it would not be what the user was shown, because something was changed meanwhile; try again")
	}
	all := p.pins()
	if err := p.undoNotes(ctx, inv, all.Notes); err != nil {
		return rein.Done{}, err
	}
	if p.files.Changes() {
		if err := p.files.Do(ctx, inv); err != nil {
			return rein.Done{}, p.redoNotes(ctx, inv, all.Notes, err)
		}
	}
	return p.done(inv, all)
}

// done is the result; it follows from the pin alone, so that it is the same after a crash.
func (s Sources) done(inv rein.Invocation, all pin) (rein.Done, error) {
	var lines []string
	for _, f := range all.Files {
		what := "put back"
		switch {
		case f.Before == "":
			what = "restored"
		case f.After == "" && f.Before == string(changes.Folder):
			what = "removed, unless something else is in it"
		case f.After == "":
			what = "removed"
		}
		lines = append(lines, fmt.Sprintf("%s: %s", visible.Line(f.Path), what))
	}
	for _, n := range all.Notes {
		lines = append(lines, "notes of commit "+n.Commit+": put back")
	}
	data, err := json.Marshal(all)
	return rein.Done{Text: "Undone:\n" + strings.Join(lines, "\n"), Data: data, Commit: s.Book.Done(inv.Key)}, err
}
