package files

import (
	"io"
	"path/filepath"
	"strings"

	"rein"
	"rein/tool/files/ignore"
	"rein/tool/files/match"
	"rein/tool/reach"
)

// maxIgnoreFile is how large an ignore file may be. A larger one is not read.
const maxIgnoreFile = 1 << 20

// rulesAt reads what the folder at a path below the root and those above it say of ignored files. It
// stops at the root: ignore files outside are out of reach, and settings of git are not read.
func (r *Root) rulesAt(inv rein.Invocation, local string) *ignore.Folder {
	f := ignore.Top(r.ownRules(inv, "."))
	if local == "." {
		return f
	}
	at := ""
	for name := range strings.SplitSeq(filepath.ToSlash(local), "/") {
		at = filepath.Join(at, name)
		f = f.Below(name, r.ownRules(inv, at))
	}
	return f
}

// ignoring is rulesAt, and tells whether the folder itself, or one above it, is ignored. A path with links is where it
// leads.
func (r *Root) ignoring(inv rein.Invocation, local string) (f *ignore.Folder, ignored bool) {
	if real, err := r.inside(local); err == nil && filepath.IsLocal(real) {
		local = real
	}
	f = ignore.Top(r.ownRules(inv, "."))
	if local == "." {
		return f, false
	}
	at := ""
	for name := range strings.SplitSeq(filepath.ToSlash(local), "/") {
		at = filepath.Join(at, name)
		ignored = ignored || f.Judge(name, true) == match.Yes
		f = f.Below(name, r.ownRules(inv, at))
	}
	return f, ignored
}

// ownRules reads the ignore files of one folder.
func (r *Root) ownRules(inv rein.Invocation, local string) ignore.Files {
	var own ignore.Files
	own.Rules = r.ignoreFile(inv, filepath.Join(local, ".gitignore"))
	git := filepath.Join(local, ".git")
	if _, err := r.root.Lstat(git); err == nil && !r.hides(inv, git) {
		own.Repo = true
		own.Exclude = r.ignoreFile(inv, filepath.Join(git, "info", "exclude"))
	}
	return own
}

// ignoreFile reads a file of rules. One that is a link, cannot be read, or may not be seen has none.
func (r *Root) ignoreFile(inv rein.Invocation, local string) match.Rules {
	info, err := r.root.Lstat(local)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxIgnoreFile || r.seen(inv, local) != nil {
		return nil
	}
	f, _, err := r.open(local, fileOnly)
	if err != nil {
		return nil
	}
	defer f.Close()
	if !r.isSeen(inv, f, local) {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return nil
	}
	return ignore.Parse(text)
}

// inside is where a path below the root really is, seen from the root.
func (r *Root) inside(local string) (string, error) {
	to, err := reach.Resolve(filepath.Join(r.real, local))
	if err != nil {
		return "", err
	}
	return filepath.Rel(r.real, to)
}
