package notes

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"

	"rein"
	"rein/tool"
	"rein/vault/stage"
)

// Writing returns the tools that change notes: write_note, append_note, link_notes,
// upsert_frontmatter and render_mindmap stage changes and need no approval; staged_changes shows them
// and discard_staged_changes takes them back; commit_staged_changes and undo_commit write to the disk
// and ask first. A commit can be undone, so modes that let edits through do not ask about it, except where heed says of
// a note why a person has to look at it (nil: of none).
func Writing(d *stage.Desk, heed func(name string, write bool) string) ([]rein.Tool, error) {
	w := writer{d, heed}
	var tools []rein.Tool
	for _, make := range []func() (rein.Tool, error){
		w.writeNote, w.appendNote, w.linkNotes, w.upsertFrontmatter, w.renderMindmap,
		w.stagedChanges, w.discard, w.commit, w.undo,
	} {
		t, err := make()
		if err != nil {
			return nil, err
		}
		tools = append(tools, inReach(d, t))
	}
	return tools, nil
}

// A writer has the tools that write.
type writer struct {
	desk *stage.Desk
	heed func(name string, write bool) string
}

// hazard says why a person is asked in every mode; empty: the mode decides.
func (w writer) hazard(all []stage.Change) string {
	for _, c := range all {
		if w.heed == nil {
			break
		}
		if why := w.heed(c.Path, true); why != "" {
			return c.Path + ": " + why
		}
	}
	return ""
}

// newTool makes a tool whose errors read like its results.
func newTool[Args any](s tool.Spec, do func(context.Context, rein.Invocation, Args) (rein.Done, error)) (rein.Tool, error) {
	s.Family = "notes"
	return tool.New(s, func(ctx context.Context, inv rein.Invocation, args Args) (rein.Done, error) {
		done, err := do(ctx, inv, args)
		if err != nil {
			return rein.Done{}, told{err}
		}
		return done, nil
	})
}

// told is an error as a model is told it: {"ok":false,"error":"…"}.
type told struct{ err error }

func (t told) Error() string {
	return marshal(struct {
		OK    bool      `json:"ok"`
		Code  rein.Code `json:"code"`
		Error string    `json:"error"`
	}{false, rein.CodeOf(t.err), t.err.Error()})
}

func (t told) Unwrap() error { return t.err }

// marshal writes JSON as people read it.
func marshal(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return `{"ok":false,"error":"the result cannot be written as JSON"}`
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// cited is answer for what a flow may cite.
func cited(e rein.Evidence, v any) (rein.Done, error) {
	done, err := answer(v, nil)
	done.Evidence = e
	return done, err
}

// answer is the result of a tool: the same for the model and for programs.
func answer(v any, commit func(context.Context, rein.Tx) error) (rein.Done, error) {
	text := marshal(v)
	return rein.Done{Text: text, Data: json.RawMessage(text), Commit: commit}, nil
}

// Staged is the Data of the tools that stage a change.
type Staged struct {
	OK      bool   `json:"ok"`
	Path    string `json:"path"`
	Changed bool   `json:"changed"` // false: the note says so already
	New     bool   `json:"new,omitempty"`
	Bytes   int    `json:"bytes"`
	Diff    string `json:"diff,omitempty"` // of all that is staged of the note
	Notice  string `json:"notice,omitempty"`
}

// maxStagedDiff is how much of a diff the model is shown that has just made the change.
const maxStagedDiff = 2000

// stage stages a change for a tool.
func (w writer) stage(ctx context.Context, inv rein.Invocation, path string, edit stage.Edit) (rein.Done, error) {
	change, write, err := w.desk.Stage(ctx, inv, path, edit)
	if err != nil {
		return rein.Done{}, err
	}
	s := Staged{OK: true, Path: change.Path, Changed: true, New: change.BaseHash == "", Bytes: len(change.Content)}
	if change.Hash == change.BaseHash {
		s.Changed, s.Notice = false, "the note on the disk says so already: nothing is staged for it"
		return answer(s, write)
	}
	s.Diff = stage.Diff([]stage.Change{change}, maxStagedDiff)
	s.Notice = "staged, not yet on the disk: commit_staged_changes writes it"
	return answer(s, write)
}
