package files

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"rein"
)

// Hazards says why a file is not written, or not even read, without a person who looks at it; empty: it may be. The name
// is relative to the folder, with slashes.
type Hazards func(name string, write bool) string

// Heed makes the folder heed hazards: writing such a file is asked in every mode, and what commands change is looked at
// without reading it. Call it before the tools are made.
func (r *Root) Heed(h Hazards) {
	if r != nil {
		r.hazards = h
	}
}

// hazard is the reason for one file.
func (r *Root) hazard(name string, write bool) string {
	if r == nil || r.hazards == nil {
		return ""
	}
	return r.hazards(name, write)
}

// Warn names the first file that a person has to look at before it is written; empty: there is none.
func (r *Root) Warn(all []Written) string {
	for _, f := range all {
		why := r.hazard(f.Path, true)
		if why == "" && r != nil && r.hazards != nil {
			why = r.onDisk(f.Path, all)
		}
		if why != "" {
			return fmt.Sprintf("%s: %s", quoted(f.Path), why)
		}
	}
	return ""
}

// onDisk finds hazards that the name of a file does not show: it is part of a repository under another name than .git, or a
// link of a name that is one leads to it. Links are looked for in the folders above it.
func (r *Root) onDisk(name string, all []Written) string {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		if r.isRepository(dir, all) {
			return "it is in a repository of git, which runs programs that are named there"
		}
		if link := r.linked(dir, name); link != "" {
			return fmt.Sprintf("%s leads there, and %s", quoted(link), r.hazard(link, true))
		}
		if dir == "." {
			return ""
		}
	}
}

// isRepository reports whether git takes a folder for a repository, once some files are written.
func (r *Root) isRepository(dir string, all []Written) bool {
	for _, part := range []string{"HEAD", "objects", "refs"} {
		at := path.Join(dir, part)
		isNew := slices.ContainsFunc(all, func(f Written) bool { return f.After != "" && (f.Path == at || strings.HasPrefix(f.Path, at+"/")) })
		if _, err := r.root.Lstat(filepath.FromSlash(at)); err != nil && !isNew {
			return false
		}
	}
	return true
}

// linked returns a link in a folder that is a hazard and leads to a file, or to a folder above it; empty: there is none.
func (r *Root) linked(dir, name string) string {
	entries, err := fs.ReadDir(r.root.FS(), dir)
	if err != nil {
		return "" // it is not there yet, and nothing leads there
	}
	for _, e := range entries {
		link := path.Join(dir, e.Name())
		if e.Type()&fs.ModeSymlink == 0 || r.hazard(link, true) == "" {
			continue
		}
		to, err := filepath.EvalSymlinks(r.absolute(link))
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(to, r.absolute(name)); err == nil && filepath.IsLocal(rel) {
			return link
		}
	}
	return ""
}

// warned adds to what is shown why a person is asked in every mode, if so.
func (w writer) warned(show func(context.Context, rein.Invocation) (rein.Shown, error)) func(context.Context, rein.Invocation) (rein.Shown, error) {
	return func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		shown, err := show(ctx, inv)
		if err != nil {
			return shown, err
		}
		var all []Written
		if err := json.Unmarshal([]byte(shown.Pin["shown"]), &all); err != nil {
			return rein.Shown{}, err
		}
		if shown.Hazard = w.root.Warn(all); shown.Hazard != "" {
			shown.Text = "Look closely at " + shown.Hazard + ".\n" + shown.Text
		}
		return shown, nil
	}
}
