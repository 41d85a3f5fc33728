package files

import (
	"context"
	_ "embed"
	"encoding/json"
	"io/fs"

	"rein"
	"rein/tool"
	"rein/tool/files/patch"
)

//go:embed apply_patch.md
var applyPatchText string

type patchArgs struct {
	Patch string `json:"patch" jsonschema:"the patch, from *** Begin Patch to *** End Patch, or a unified diff" min:"1"`
	Shown string `json:"shown" pinned:"true"`
}

// applyPatch is the tool apply_patch.
func (w writer) applyPatch() (rein.Tool, error) {
	w = w.as("apply_patch")
	t, err := tool.New(tool.Spec{Name: w.tool, Family: "files", Text: applyPatchText, Effect: rein.Checkable, Approval: true, Code: true},
		func(ctx context.Context, inv rein.Invocation, args patchArgs) (rein.Done, error) {
			changes, err := w.planPatch(ctx, inv, args)
			if err != nil {
				return rein.Done{}, err
			}
			return w.write(ctx, inv, changes, args.Shown)
		})
	t.Show, t.Check = show(w.planPatch), w.check(w.finishPatch)
	return t, err
}

func (w writer) planPatch(_ context.Context, inv rein.Invocation, args patchArgs) ([]change, error) {
	parsed, err := patch.Parse(args.Patch)
	if err != nil {
		return nil, err
	}
	changes, err := w.patched(inv, parsed)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.before.mark() == c.after.mark() {
			return nil, rein.Errorf(rein.CodeInvalid, "the patch leaves %q as it is", c.local)
		}
	}
	return changes, nil
}

// patched applies files of a patch to what is on the disk.
func (w writer) patched(inv rein.Invocation, parsed []patch.File) ([]change, error) {
	seen := map[string]change{}
	made, err := patch.Apply(parsed, func(name string) ([]byte, error) {
		c, err := w.root.target(inv, name)
		if err != nil || c.before == nil {
			seen[name] = c
			return nil, err
		}
		seen[name] = c
		return append([]byte{}, c.before.bytes...), nil
	})
	if err != nil {
		return nil, err
	}
	changes := make([]change, len(made))
	for i, m := range made {
		c := seen[m.Path]
		if m.From != "" {
			from := seen[m.From]
			c.from = &from
		}
		if m.After != nil {
			c.after = &content{bytes: m.After, mode: c.modeAfter(m.Mode)}
		}
		changes[i] = c
	}
	return changes, nil
}

// modeAfter is the mode of a file after a patch, which may say whether it is a program.
func (c change) modeAfter(says fs.FileMode) fs.FileMode {
	mode := fs.FileMode(0o666)
	switch {
	case c.before != nil:
		mode = c.before.mode
	case c.from != nil && c.from.before != nil:
		mode = c.from.before.mode
	}
	switch says {
	case 0o755:
		mode |= mode & 0o444 >> 2
	case 0o644:
		mode &^= 0o111
	}
	return mode
}

// finishPatch does what is left of a patch that a crash cut between two files. All files are as before it or as after
// it, and a person has agreed to all of it.
func (w writer) finishPatch(ctx context.Context, inv rein.Invocation, all []Written) error {
	var args patchArgs
	if err := json.Unmarshal(inv.Args, &args); err != nil {
		return err
	}
	parsed, err := patch.Parse(args.Patch)
	if err != nil {
		return err
	}
	want := map[string]Written{}
	for _, f := range all {
		want[f.Path] = f
	}
	var rest []change
	for _, f := range parsed {
		left, err := w.left(inv, f, want)
		if err != nil {
			return err
		}
		rest = append(rest, left...)
	}
	return w.swapAll(ctx, inv, rest) // what the files held was kept before the first of them was written
}

// left is what of one file of a patch has not been done.
func (w writer) left(inv rein.Invocation, f patch.File, want map[string]Written) ([]change, error) {
	at, err := w.root.target(inv, f.Path)
	if err != nil {
		return nil, err
	}
	pin := want[at.local]
	if at.before.mark() == pin.After {
		return nil, nil
	}
	if f.To != "" {
		to, err := w.root.target(inv, f.To)
		if err != nil {
			return nil, err
		}
		if to.before != nil && to.before.mark() == want[to.local].After {
			return []change{at}, nil // it goes: the new one is there
		}
	}
	changes, err := w.patched(inv, []patch.File{f})
	for _, c := range changes {
		if pin := want[c.local]; c.before.mark() != pin.Before || c.after.mark() != pin.After {
			return nil, rein.Errorf(rein.CodeConflict, "%q was changed after the patch was cut", c.local)
		}
	}
	return changes, err
}
