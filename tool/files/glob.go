package files

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/tool"
	"rein/tool/files/match"
)

//go:embed glob.md
var globText string

type globArgs struct {
	Pattern string `json:"pattern" jsonschema:"the glob, such as *.go or src/**/*.ts" min:"1" max:"1000"`
	Path    string `json:"path,omitempty" jsonschema:"the folder to search, relative to the allowed folder or absolute inside it" max:"4096" default:"."`
	Limit   int    `json:"limit,omitempty" jsonschema:"how many paths to return" min:"1" max:"1000" default:"200"`
	Hidden  bool   `json:"hidden,omitempty" jsonschema:"also find names that begin with a dot"`
	Ignored bool   `json:"ignored,omitempty" jsonschema:"also find what .gitignore leaves out"`
}

// Glob is the tool glob. Its Data is a list of paths from the root, with slashes.
func (r *Root) Glob() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "glob", Family: "files", Text: globText, Effect: rein.Pure, Code: true, Timeout: searchTimeout, Like: "list_directory"}, r.glob)
}

func (r *Root) glob(ctx context.Context, inv rein.Invocation, args globArgs) (rein.Done, error) {
	filter, err := globFilter(args.Pattern)
	if err != nil {
		return rein.Done{}, err
	}
	top, err := r.folderToSearch(inv, args.Path)
	if err != nil {
		return rein.Done{}, err
	}
	found, more := []string{}, 0
	h := hunt{root: r, inv: inv, hidden: args.Hidden, ignored: args.Ignored, filters: []match.Filter{filter}}
	h.visit = func(_ context.Context, local string) error {
		if r.seen(inv, local) != nil {
			return nil
		}
		if len(found) == args.Limit {
			more++
			return nil
		}
		found = append(found, filepath.ToSlash(local))
		return nil
	}
	if err := h.run(ctx, top); err != nil {
		return rein.Done{}, err
	}
	data, err := json.Marshal(found)
	return rein.Done{Text: globLines(found, more, &h), Data: data}, err
}

// globLines is the result for the model.
func globLines(found []string, more int, h *hunt) string {
	var lines []string
	for _, name := range found {
		lines = append(lines, quoted(name))
	}
	if len(found) == 0 {
		lines = append(lines, "[no file matches]")
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("[%d more match: set a higher limit, or a narrower pattern]", more))
	}
	return strings.Join(append(lines, h.notes()...), "\n")
}

// globFilter reads the pattern of glob. It refuses what could never match a file.
func globFilter(pattern string) (match.Filter, error) {
	switch {
	case strings.HasPrefix(pattern, "!"):
		return match.Filter{}, rein.Errorf(rein.CodeInvalid, `pattern %.200q: a "!" in front leaves out, and nothing is chosen; \! is the character itself`, pattern)
	case strings.HasSuffix(pattern, "/"):
		return match.Filter{}, rein.Errorf(rein.CodeInvalid, "pattern %.200q matches folders only, and only files are found: add ** for all files in it", pattern)
	}
	return newFilter(pattern)
}

func newFilter(globs ...string) (match.Filter, error) {
	for _, glob := range globs {
		if slices.Contains(strings.Split(glob, "/"), "..") {
			return match.Filter{}, rein.Errorf(rein.CodeInvalid, "glob %.200q: a path has no .. in it; set path to the folder to search", glob)
		}
	}
	f, err := match.NewFilter(globs...)
	if e, ok := errors.AsType[*match.Error](err); ok {
		return f, rein.Errorf(rein.CodeInvalid, "glob %.200q cannot be read: %w", e.Glob, e.Err)
	}
	return f, err
}

// folderToSearch is where the folder that a model named really is, below the root.
func (r *Root) folderToSearch(inv rein.Invocation, path string) (string, error) {
	if path == "" {
		path = "."
	}
	f, _, err := r.opened(inv, path, folderOnly)
	if err != nil {
		return "", err
	}
	f.Close()
	local, err := r.within(path)
	if err != nil {
		return "", err
	}
	return r.inside(local)
}
