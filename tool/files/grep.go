package files

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"

	"rein"
	"rein/tool"
	"rein/tool/files/match"
)

//go:embed grep.md
var grepText string

type grepArgs struct {
	Pattern    string   `json:"pattern" jsonschema:"the regular expression (RE2), or the text if fixed is set" min:"1" max:"1000"`
	Path       string   `json:"path,omitempty" jsonschema:"the folder or file to search, relative to the allowed folder or absolute inside it" max:"4096" default:"."`
	Fixed      bool     `json:"fixed,omitempty" jsonschema:"the pattern is plain text"`
	IgnoreCase bool     `json:"ignore_case,omitempty" jsonschema:"upper and lower case are the same"`
	Glob       []string `json:"glob,omitempty" jsonschema:"only files that match one of these; with ! in front: not those" max:"50"`
	Type       string   `json:"type,omitempty" jsonschema:"only files of this type, such as go, py or markdown" max:"100"`
	Output     string   `json:"output,omitempty" jsonschema:"what to return" enum:"lines,files,count" default:"lines"`
	Context    int      `json:"context,omitempty" jsonschema:"lines to show before and after each match" min:"0" max:"20" default:"0"`
	Limit      int      `json:"limit,omitempty" jsonschema:"how many matching lines, or files, to return" min:"1" max:"1000" default:"100"`
	Hidden     bool     `json:"hidden,omitempty" jsonschema:"also search names that begin with a dot"`
	Ignored    bool     `json:"ignored,omitempty" jsonschema:"also search what .gitignore leaves out"`
}

// Grep is the tool grep.
func (r *Root) Grep() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "grep", Family: "files", Text: grepText, Effect: rein.Pure, Code: true, Timeout: searchTimeout, Like: "read_file"}, r.grep)
}

func (r *Root) grep(ctx context.Context, inv rein.Invocation, args grepArgs) (rein.Done, error) {
	g := grep{args: args, out: report{data: []Found{}}}
	var err error
	if g.needle, err = newNeedle(args.Pattern, args.Fixed, args.IgnoreCase); err != nil {
		return rein.Done{}, err
	}
	g.hunt = hunt{root: r, inv: inv, hidden: args.Hidden, ignored: args.Ignored, visit: g.visit}
	if g.hunt.filters, err = args.filters(); err != nil {
		return rein.Done{}, err
	}
	if err := g.run(ctx); err != nil {
		return rein.Done{}, err
	}
	data, err := json.Marshal(g.out.data)
	return rein.Done{Text: g.text(), Data: data}, err
}

// filters are the globs and the type that were asked for.
func (a grepArgs) filters() ([]match.Filter, error) {
	var all []match.Filter
	if len(a.Glob) > 0 {
		f, err := newFilter(a.Glob...)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	if a.Type != "" {
		f, err := typeFilter(a.Type)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// run searches the folder, or the one file, that was named.
func (g *grep) run(ctx context.Context) error {
	r, inv, path := g.hunt.root, g.hunt.inv, g.args.Path
	if path == "" {
		path = "."
	}
	f, info, err := r.opened(inv, path, fileOrFolder)
	if err != nil {
		return err
	}
	f.Close()
	local, err := r.within(path)
	if err == nil {
		local, err = r.inside(local)
	}
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return g.hunt.run(ctx, local)
	}
	g.named = true
	limited, cancel := context.WithTimeoutCause(ctx, searchTime, errTime)
	defer cancel()
	return g.ended(ctx, g.visit(limited, local))
}

// ended tells the end of a call from the end of its search.
func (g *grep) ended(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == errBinary:
		return rein.Errorf(rein.CodeInvalid, "%.200q is not text: it has NUL bytes in it, and is not searched", g.args.Path)
	case err == errEnough, err == errTime:
		g.hunt.stopped = err
		return nil
	}
	return err
}

// fileOrFolder accepts both.
func fileOrFolder(mode fs.FileMode) error {
	if mode.IsRegular() || mode.IsDir() {
		return nil
	}
	return fmt.Errorf("is a %s, neither a file nor a folder", kindOf(mode))
}

// visit searches a file.
func (g *grep) visit(ctx context.Context, local string) error {
	h := &g.hunt
	f, info, err := h.root.open(local, fileOnly)
	if err != nil {
		h.unread(local)
		return nil
	}
	defer f.Close()
	if !h.root.isSeen(h.inv, f, local) {
		return nil
	}
	defer unblock(ctx, f)()
	if g.bytes+info.Size() > maxSearched && !g.named {
		g.large++
		return nil
	}
	s := lineSearch{needle: g.needle, around: g.args.Context}
	g.begin(&s, filepath.ToSlash(local))
	err = s.run(ctx, f)
	g.bytes += s.bytes
	return g.done(ctx, err)
}
