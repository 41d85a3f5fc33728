package shell

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// The list of read-only commands allows a search of a whole folder. It would ask about a file with secrets that the line names,
// but a search names none. To ask about every search in a folder that has an .env would tire people, so these files are
// hidden from it.

// searches reports whether a line looks into files that it does not name.
func (p *plan) searches() bool {
	return slices.ContainsFunc(p.judgement.Findings, func(f verdict.Finding) bool {
		switch f.Part.Name() {
		case "rg":
			return true
		case "git":
			return slices.ContainsFunc(f.Part.Argv, func(w parse.Word) bool { return w.Text == "grep" })
		case "grep", "egrep", "fgrep":
			return slices.ContainsFunc(f.Part.Argv[1:], func(w parse.Word) bool { return strings.HasPrefix(w.Text, "-") && strings.Contains(w.Text, "r") })
		}
		return false
	})
}

// secrets lists the files and folders of a workspace that hold keys or passwords.
func secrets(root string) (all []string, err error) {
	err = walk(root, func(path, inside string, d fs.DirEntry) error {
		switch {
		case len(all) > maxFences:
			return rein.Errorf(rein.CodeForbidden, "the command did not run: the workspace has too many files with secrets to hide each one from a search. Approve the command")
		case d.Type()&fs.ModeSymlink != 0, !verdict.Secret(filepath.ToSlash(inside)), isInstalled(inside):
			return nil
		}
		all = append(all, path)
		if d.IsDir() {
			return fs.SkipDir
		}
		return nil
	}, func(string) error { return nil }) // a search cannot read it either
	return all, err
}
