package texts

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// hiddenFolders are the only hidden folders that a workspace's texts are read from.
var hiddenFolders = []string{".rein", ".claude"}

// mayRead says why a file that is open is not to be read, if it is not. A link must not make something a text that nobody
// who works in the folder could see, such as a key.
func (p Place) mayRead(file string, open *os.File) error {
	real, err := filepath.EvalSymlinks(filepath.Join(p.Root, filepath.FromSlash(file)))
	if err != nil {
		return err
	}
	there, err := os.Stat(real)
	if err != nil {
		return err
	}
	info, err := open.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(there, info) {
		return errors.New("it changed while it was read")
	}
	inside, err := filepath.Rel(p.Root, real)
	if err != nil || !filepath.IsLocal(inside) {
		return errors.New("it leads out of the folder")
	}
	first, _, _ := strings.Cut(filepath.ToSlash(inside), "/")
	own := slices.Contains(hiddenFolders, first) || inside == ServersFile
	if !own && p.isHidden(inside) {
		return errors.New("it leads to a hidden file")
	}
	if p.Shows == nil || own {
		return nil
	}
	return p.Shows(real)
}

// isHidden reports whether a path has a part that is hidden.
func (p Place) isHidden(inside string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(inside), "/"), func(part string) bool { return strings.HasPrefix(part, ".") })
}
