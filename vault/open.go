package vault

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"

	"rein"
	"rein/vault/parse"
)

// OpenFile opens a file of the vault as it is, a note or another: only those that the vault shows, and no
// links. The caller closes it.
func (v *Vault) OpenFile(asked string) (string, *os.File, error) {
	name, err := v.folder.cleanPath(asked)
	if err != nil {
		return "", nil, err
	}
	if link, ok := v.folder.linked(name); ok {
		return "", nil, rein.Errorf(rein.CodeForbidden, "%q may not be opened: %q is a link, and links are not followed", asked, link)
	}
	file, err := v.folder.openAny(name)
	switch _, skipped := errors.AsType[skipError](err); {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, rein.Errorf(rein.CodeNotFound, "there is no file %q: use a path that a search returned", asked)
	case skipped:
		return "", nil, rein.Errorf(rein.CodeInvalid, "%q cannot be opened: it is %w", asked, err)
	case err != nil:
		return "", nil, rein.Errorf(rein.CodeForbidden, "%q cannot be opened: this process may not read it", asked)
	}
	return name, file, nil
}

// openAny opens a plain file of any size.
func (f *folder) openAny(name string) (*os.File, error) {
	before, err := f.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, skipError("not a plain file")
	}
	file, err := f.root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = skipError("replaced while it was opened")
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// IsNote reports whether a path that someone asks for can be that of a note, by its name. One without an
// ending can, unless there is a file of just this name.
func (v *Vault) IsNote(asked string) bool {
	name, err := v.folder.cleanPath(asked)
	if err != nil || isNote(name) {
		return true // Read says what is wrong with it
	}
	info, err := v.folder.root.Lstat(name)
	return path.Ext(name) == "" && (err != nil || !info.Mode().IsRegular())
}

// anchorOf returns where in a note programs should open it: the headings above a place with # between
// them, as links between notes write it.
func anchorOf(note *parse.Note, from int) string {
	anchor := ""
	for _, h := range note.Headings {
		if h.Start <= from && from < max(h.End, h.Start+1) {
			parts := make([]string, len(h.Path))
			for i, text := range h.Path {
				parts[i] = plainHeading(text)
			}
			anchor = strings.Join(parts, "#")
		}
	}
	return anchor
}

// plainHeading is a heading as a link names it: what has a meaning in links is a blank there.
func plainHeading(text string) string {
	text = strings.Map(func(c rune) rune {
		if strings.ContainsRune("#^|[]%:", c) {
			return ' '
		}
		return c
	}, text)
	return strings.Join(strings.Fields(text), " ")
}
