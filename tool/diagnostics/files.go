package diagnostics

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/tool/diagnostics/lsp"
)

// What one call looks at.
const (
	maxFiles   = 50
	maxFile    = 1 << 20
	maxEntries = 20_000
)

// A batch is the files of one server.
type batch struct {
	server
	project string // the folder that the server opens
	files   []lsp.File
}

// resolve returns where a path below the root really is.
func (c *Checks) resolve(inv rein.Invocation, path string) (string, error) {
	local := filepath.FromSlash(path)
	if !filepath.IsAbs(local) {
		local = filepath.Join(c.root, local)
	}
	real, err := filepath.EvalSymlinks(local)
	if err != nil {
		return "", rein.Errorf(rein.CodeNotFound, "%.200q does not exist in %s: list_directory shows what does", path, c.root)
	}
	if rel, err := filepath.Rel(c.root, real); err != nil || !filepath.IsLocal(rel) {
		return "", rein.Errorf(rein.CodeForbidden, "%.200q is outside the allowed folder %s: use a path below it", path, c.root)
	}
	return real, inv.MayUse(real)
}

// collect finds the files to check, by their servers. more is how many there was no room for.
func (c *Checks) collect(inv rein.Invocation, path string) (all []batch, more int, err error) {
	top, err := c.resolve(inv, path)
	if err != nil {
		return nil, 0, err
	}
	info, err := os.Stat(top)
	if err != nil {
		return nil, 0, err
	}
	if !info.IsDir() {
		if _, ok := serverOf(top); !ok {
			return nil, 0, rein.Errorf(rein.CodeInvalid, "no language server is known for %.200q; files that can be checked end in %s", path, languages())
		}
	}
	names := c.names(inv, top)
	slices.SortStableFunc(names, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	more = max(0, len(names)-maxFiles)
	for _, name := range names[:len(names)-more] {
		if all, err = c.add(all, top, name); err != nil {
			return nil, 0, err
		}
	}
	return all, more, nil
}

// names lists the files that can be checked, and that the call may see. It follows no links.
func (c *Checks) names(inv rein.Invocation, top string) (names []string) {
	seen := 0
	_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error { // what cannot be read is not checked
		if seen++; seen > maxEntries {
			return fs.SkipAll
		}
		hidden := path != top && strings.HasPrefix(e.Name(), ".")
		switch {
		case err != nil:
			return nil
		case e.IsDir() && (hidden || e.Name() == "node_modules" || e.Name() == "vendor" || inv.MayUse(path) != nil):
			return fs.SkipDir
		case !e.Type().IsRegular() || hidden || inv.MayUse(path) != nil:
			return nil
		}
		if _, ok := serverOf(path); ok {
			names = append(names, path)
		}
		return nil
	})
	return names
}

// add puts a file into the batch of its server.
func (c *Checks) add(all []batch, top, name string) ([]batch, error) {
	s, _ := serverOf(name)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return all, nil // it is gone, or no source that people write
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return all, rein.Errorf(rein.CodeUnavailable, "%.200q cannot be read: %w", name, err)
	}
	at := slices.IndexFunc(all, func(b batch) bool { return b.Name == s.Name })
	if at < 0 {
		at, all = len(all), append(all, batch{server: s, project: c.project(s, top)})
	}
	all[at].files = append(all[at].files, lsp.File{Path: name, Language: s.Languages[filepath.Ext(name)], Text: string(text)})
	return all, nil
}

// project is the folder of the project that a path belongs to: the nearest one with a file that marks one.
func (c *Checks) project(s server, path string) string {
	for dir := path; ; dir = filepath.Dir(dir) {
		for _, mark := range s.Project {
			if info, err := os.Lstat(filepath.Join(dir, mark)); err == nil && info.Mode().IsRegular() {
				return dir
			}
		}
		if dir == c.root || len(dir) <= len(c.root) {
			return c.root
		}
	}
}
