package notes

import (
	"context"
	_ "embed"
	"encoding/json"
	"time"

	"rein"
	"rein/tool"
	"rein/vault/stage"
)

//go:embed staged_changes.md
var stagedChangesText string

//go:embed discard_staged_changes.md
var discardText string

//go:embed commit_staged_changes.md
var commitText string

//go:embed undo_commit.md
var undoText string

const (
	maxModelDiff  = 10_000  // bytes of a diff for a model
	maxPersonDiff = 1 << 20 // and for a person who must agree: more than the engine would show, so that it is whole or refused
	showLimit     = 8 * time.Second
)

// Changes is the Data of staged_changes.
type Changes struct {
	OK      bool         `json:"ok"`
	Changes string       `json:"changes,omitempty"` // names them: another one as soon as anything is different
	Notes   []StagedNote `json:"notes"`
	Diff    string       `json:"diff"`
}

// A StagedNote is one note of them.
type StagedNote struct {
	Path   string `json:"path"`
	New    bool   `json:"new,omitempty"`
	Denied bool   `json:"denied,omitempty"` // its folder may not be used any more
}

func (w writer) stagedChanges() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "staged_changes", Text: stagedChangesText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, _ struct{}) (rein.Done, error) {
		place, err := stage.PlaceOf(inv.Task)
		if err != nil {
			return rein.Done{}, err
		}
		staged, err := w.desk.List(ctx, place)
		if err != nil {
			return rein.Done{}, err
		}
		notes := make([]StagedNote, len(staged))
		for i, c := range staged {
			notes[i] = StagedNote{c.Path, c.BaseHash == "", c.Denied}
		}
		return answer(Changes{true, stage.ID(staged), notes, stage.Diff(staged, maxModelDiff)}, nil)
	})
}

type discardArgs struct {
	Paths []string `json:"paths,omitempty" jsonschema:"the notes; without it all" max:"500"`
}

// Discarded is the Data of discard_staged_changes.
type Discarded struct {
	OK        bool     `json:"ok"`
	Discarded []string `json:"discarded"`
}

func (w writer) discard() (rein.Tool, error) {
	return newTool(tool.Spec{Name: "discard_staged_changes", Text: discardText, Effect: rein.Pure, Writes: true}, func(ctx context.Context, inv rein.Invocation, args discardArgs) (rein.Done, error) {
		place, err := stage.PlaceOf(inv.Task)
		if err != nil {
			return rein.Done{}, err
		}
		paths, drop, err := w.desk.Discard(ctx, place, args.Paths)
		if err != nil {
			return rein.Done{}, err
		}
		return answer(Discarded{true, paths}, drop)
	})
}

type commitArgs struct {
	Changes   string `json:"changes,omitempty" jsonschema:"the name that staged_changes gave the changes" max:"64"`
	Shown     string `json:"shown" pinned:"true"`
	Household string `json:"household" trusted:"household"`
	User      string `json:"user" trusted:"user"`
	Session   string `json:"session" trusted:"session"`
}

// Committed is the Data of commit_staged_changes and undo_commit.
type Committed struct {
	OK     bool            `json:"ok"`
	ID     string          `json:"id"`               // undo_commit takes it
	Undoes string          `json:"undoes,omitempty"` // the commit that was taken back
	Notes  []stage.Written `json:"notes"`
}

// committed is the result; what was written is off the stage with it.
func committed(c stage.Commit) (rein.Done, error) {
	return answer(Committed{true, c.ID, c.Undoes, c.Notes}, func(ctx context.Context, tx rein.Tx) error { return stage.Settle(ctx, tx, c) })
}

func (w writer) commit() (rein.Tool, error) {
	t, err := newTool(tool.Spec{Name: "commit_staged_changes", Text: commitText, Effect: rein.Checkable, Approval: true, Undoable: true},
		func(ctx context.Context, inv rein.Invocation, args commitArgs) (rein.Done, error) {
			place, err := w.check(inv)
			if err != nil {
				return rein.Done{}, err
			}
			c, err := w.desk.Commit(ctx, place, inv.Key, args.Shown)
			if err != nil {
				return rein.Done{}, err
			}
			return committed(c)
		})
	t.Check = w.happened
	t.Show = show(func(ctx context.Context, place rein.Place, args commitArgs) (rein.Shown, error) {
		staged, err := w.desk.List(ctx, place)
		switch {
		case err != nil:
			return rein.Shown{}, err
		case len(staged) == 0:
			return rein.Shown{}, stage.ErrNothing
		case args.Changes != "" && args.Changes != stage.ID(staged):
			return rein.Shown{}, rein.Errorf(rein.CodeConflict, "what is staged is not %.64q any more but %q; look at it with staged_changes", args.Changes, stage.ID(staged))
		}
		s := shown(stage.Whole(staged, maxPersonDiff), w.desk.Pin(staged))
		if s.Hazard = w.hazard(staged); s.Hazard != "" {
			s.Text = "Look closely at " + s.Hazard + ".\n" + s.Text
		}
		return s, nil
	})
	return t, err
}

type undoArgs struct {
	ID        string `json:"id" jsonschema:"the ID of the commit" min:"1" max:"500"`
	Shown     string `json:"shown" pinned:"true"`
	Household string `json:"household" trusted:"household"`
	User      string `json:"user" trusted:"user"`
	Session   string `json:"session" trusted:"session"`
}

func (w writer) undo() (rein.Tool, error) {
	t, err := newTool(tool.Spec{Name: "undo_commit", Text: undoText, Effect: rein.Checkable, Approval: true},
		func(ctx context.Context, inv rein.Invocation, args undoArgs) (rein.Done, error) {
			place, err := w.check(inv)
			if err != nil {
				return rein.Done{}, err
			}
			c, err := w.desk.Undo(ctx, place, inv.Key, args.ID, args.Shown)
			if err != nil {
				return rein.Done{}, err
			}
			return committed(c)
		})
	t.Check = w.happened
	t.Show = show(func(ctx context.Context, place rein.Place, args undoArgs) (rein.Shown, error) {
		c, changes, err := w.desk.Undoable(ctx, place, args.ID)
		if err != nil {
			return rein.Shown{}, err
		}
		return shown(stage.Whole(stage.Reverse(changes), maxPersonDiff), w.desk.PinUndo(c, changes)), nil
	})
	return t, err
}

// shown pins what the person sees: the call writes that, or nothing.
func shown(text, pin string) rein.Shown {
	return rein.Shown{Text: text, Pin: map[string]string{"shown": pin}}
}

// check returns whose call it is. Without a key it could not be told afterwards whether it happened.
func (w writer) check(inv rein.Invocation) (rein.Place, error) {
	if inv.Key == "" {
		return rein.Place{}, rein.Errorf(rein.CodeInvalid, "the call has no key")
	}
	return stage.PlaceOf(inv.Task)
}

// happened is the Check of both tools.
func (w writer) happened(ctx context.Context, inv rein.Invocation) (rein.CheckState, rein.Done, error) {
	state, c, err := w.desk.Check(ctx, inv.Key)
	if err != nil || state != rein.CheckHappened {
		return state, rein.Done{}, err
	}
	done, err := committed(c)
	return state, done, err
}

// show makes what a person is shown. It depends on the tables alone, which the call itself changes
// only together with its result: so it is the same for as long as the call is under way.
func show[Args any](of func(context.Context, rein.Place, Args) (rein.Shown, error)) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		ctx, cancel := context.WithTimeout(ctx, showLimit)
		defer cancel()
		place, err := stage.PlaceOf(inv.Task)
		if err != nil {
			return rein.Shown{}, err
		}
		var args Args
		if err := json.Unmarshal(inv.Args, &args); err != nil {
			return rein.Shown{}, err
		}
		return of(ctx, place, args)
	}
}
