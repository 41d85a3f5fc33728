package files

import (
	"context"
	_ "embed"

	"rein"
	"rein/tool"
	"rein/tool/files/edit"
)

//go:embed edit_file.md
var editFileText string

type editArgs struct {
	Path  string     `json:"path" jsonschema:"the file, relative to the allowed folder or absolute inside it" min:"1" max:"4096"`
	Edits []editPart `json:"edits" jsonschema:"what to replace, in this order; each works on what those before it made" min:"1" max:"100"`
	Shown string     `json:"shown" pinned:"true"`
}

type editPart struct {
	Old        string `json:"old" jsonschema:"text of the file, exactly as it stands there, with enough around it to be there once"`
	New        string `json:"new" jsonschema:"what to put in its place; empty removes it"`
	ReplaceAll bool   `json:"replace_all,omitempty" jsonschema:"true: replace it wherever it is"`
}

// editFile is the tool edit_file.
func (w writer) editFile() (rein.Tool, error) {
	w = w.as("edit_file")
	t, err := tool.New(tool.Spec{Name: w.tool, Family: "files", Text: editFileText, Effect: rein.Checkable, Approval: true, Code: true},
		func(ctx context.Context, inv rein.Invocation, args editArgs) (rein.Done, error) {
			changes, err := w.planEdit(ctx, inv, args)
			if err != nil {
				return rein.Done{}, err
			}
			return w.write(ctx, inv, changes, args.Shown)
		})
	t.Show, t.Check = show(w.planEdit), w.check(nil)
	return t, err
}

func (w writer) planEdit(_ context.Context, inv rein.Invocation, args editArgs) ([]change, error) {
	c, err := w.root.target(inv, args.Path)
	if err != nil {
		return nil, err
	}
	if c.before == nil {
		return nil, w.root.missing(inv, args.Path, c.local)
	}
	edits := make([]edit.Edit, len(args.Edits))
	for i, e := range args.Edits {
		edits[i] = edit.Edit{Old: e.Old, New: e.New, All: e.ReplaceAll}
	}
	after, err := edit.Apply(c.before.bytes, edits)
	if err != nil {
		return nil, rein.Errorf(rein.CodeOf(err), "%.200q: %w", args.Path, err)
	}
	c.after = &content{bytes: after, mode: c.before.mode}
	return []change{c}, nil
}
