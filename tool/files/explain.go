package files

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"rein"
	"rein/internal/near"
)

// explain says what is wrong with a path, in the words the model used.
func (r *Root) explain(inv rein.Invocation, path, local string, err error) error {
	switch {
	case errors.Is(err, r.outside):
		return rein.Errorf(rein.CodeForbidden, "%.200q leads out of the allowed folder %s through a symbolic link (one that is relative and stays inside would do)", path, r.dir)
	case errors.Is(err, fs.ErrNotExist):
		return r.missing(inv, path, local)
	case errors.Is(err, fs.ErrPermission):
		return rein.Errorf(rein.CodeForbidden, "%.200q may not be read by this program", path)
	case errors.Is(err, syscall.ELOOP):
		return rein.Errorf(rein.CodeInvalid, "%.200q: its symbolic links go round in a circle", path)
	case errors.Is(err, syscall.ENOTDIR):
		return rein.Errorf(rein.CodeInvalid, "%.200q goes through a file as if it were a folder", path)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "%.200q cannot be opened: %w", path, e.Err)
	}
	return rein.Errorf(rein.CodeInvalid, "%.200q %w", path, err) // it is not of the wanted kind
}

// missing says that a path is not there. A hidden one gets the same words, so that nobody learns what
// there is by asking.
func (r *Root) missing(inv rein.Invocation, path, local string) error {
	return rein.Errorf(rein.CodeNotFound, "%.200q does not exist in %s, or may not be seen%s", path, r.dir, r.nearest(inv, local))
}

// maxNames is how many names of a folder are compared with one that does not exist.
const maxNames = 1000

// nearest proposes, for a path that does not exist, one that does: with the first missing part
// replaced by a name like it.
func (r *Root) nearest(inv rein.Invocation, local string) string {
	const otherwise = "; list_directory shows what there is"
	parts := strings.Split(filepath.Clean(local), string(filepath.Separator))
	for i, part := range parts {
		at := filepath.Join(parts[:i+1]...)
		if _, err := r.root.Lstat(at); err == nil && !r.hides(inv, at) {
			continue
		}
		folder := filepath.Join(parts[:i]...)
		name := likely(part, r.names(inv, folder))
		if name == "" {
			return otherwise
		}
		parts[i] = name
		return "; did you mean " + quoted(filepath.ToSlash(filepath.Join(parts...))) + "?"
	}
	return otherwise
}

// likely returns the name that was probably meant; of those that differ in case only, the first.
func likely(typed string, names []string) string {
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, typed) }); i >= 0 {
		return names[i]
	}
	return near.Word(typed, names)
}

// names returns some names of a folder that may be seen, sorted, or none if it cannot be read.
func (r *Root) names(inv rein.Invocation, folder string) []string {
	if folder == "" {
		folder = "."
	}
	f, _, err := r.open(folder, folderOnly)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(maxNames)
	names = slices.DeleteFunc(names, func(name string) bool { return r.hides(inv, filepath.Join(folder, name)) })
	slices.Sort(names)
	return names
}

// cause strips an error of paths: those of the machine are no business of a model.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
