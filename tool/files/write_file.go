package files

import (
	"context"
	_ "embed"
	"strings"

	"rein"
	"rein/tool"
	"rein/tool/files/edit"
)

//go:embed write_file.md
var writeFileText string

type writeArgs struct {
	Path      string `json:"path" jsonschema:"the file, relative to the allowed folder or absolute inside it" min:"1" max:"4096"`
	Content   string `json:"content" jsonschema:"all of the file"`
	Overwrite bool   `json:"overwrite,omitempty" jsonschema:"true: replace a file that exists" default:"false"`
	Shown     string `json:"shown" pinned:"true"`
}

// writeFile is the tool write_file.
func (w writer) writeFile() (rein.Tool, error) {
	w = w.as("write_file")
	t, err := tool.New(tool.Spec{Name: w.tool, Family: "files", Text: writeFileText, Effect: rein.Checkable, Approval: true, Code: true},
		func(ctx context.Context, inv rein.Invocation, args writeArgs) (rein.Done, error) {
			changes, err := w.planWrite(ctx, inv, args)
			if err != nil {
				return rein.Done{}, err
			}
			return w.write(ctx, inv, changes, args.Shown)
		})
	t.Show, t.Check = show(w.planWrite), w.check(nil)
	return t, err
}

func (w writer) planWrite(_ context.Context, inv rein.Invocation, args writeArgs) ([]change, error) {
	c, err := w.root.target(inv, args.Path)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.ContainsRune(args.Content, 0):
		return nil, rein.Errorf(rein.CodeInvalid, "the content holds a NUL character: a file is text")
	case len(args.Content) > maxWrite:
		return nil, rein.Errorf(rein.CodeLimit, "the content has %d bytes, and at most %d MiB are written", len(args.Content), maxWrite>>20)
	case c.before == nil:
		c.after = &content{bytes: []byte(args.Content), mode: 0o666}
		return []change{c}, nil
	case !args.Overwrite:
		return nil, rein.Errorf(rein.CodeConflict, "%.200q exists: change a part of it with edit_file, or set overwrite to replace all of it", args.Path)
	}
	c.after = &content{bytes: []byte(edit.As(string(c.before.bytes), args.Content)), mode: c.before.mode}
	if c.after.mark() == c.before.mark() {
		return nil, rein.Errorf(rein.CodeInvalid, "%.200q has this content already", args.Path)
	}
	return []change{c}, nil
}
