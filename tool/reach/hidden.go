package reach

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"rein"
)

// maxFolders is how many folders of vaults are looked into for what their rules hide.
const maxFolders = 50_000

// Hidden lists what a run does not see below a folder that it may use, as paths without links. Whoever shows the folder
// as a whole to a program has to cover these.
func (b bound) Hidden(folder string) ([]string, error) {
	folder, err := Resolve(folder)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, path := range slices.Concat(b.hidden, b.excluded) {
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink == 0 && isBelow(path, folder) {
			found = append(found, path)
		}
	}
	looked := 0
	for _, v := range append([]other{{b.vault, b.filter}}, b.others...) {
		from := v.vault
		if from != "" && isBelow(folder, from) {
			from = folder
		}
		if from == "" || !isBelow(from, folder) {
			continue
		}
		if err := v.hides(from, &looked, &found); err != nil {
			return nil, err
		}
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// isBelow reports whether a path is a folder or lies in it. Both have no links.
func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// hides adds what the rules of a vault hide in one of its folders.
func (v other) hides(folder string, looked *int, found *[]string) error {
	if *looked++; *looked > maxFolders {
		return rein.Errorf(rein.CodeLimit, "the vault %s has more than %d folders: it cannot be covered", v.vault, maxFolders)
	}
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return rein.Errorf(rein.CodeUnavailable, "what is hidden in %s is not known: %w", folder, err)
	}
	for _, e := range entries {
		path := filepath.Join(folder, e.Name())
		rel, err := filepath.Rel(v.vault, path)
		if err != nil {
			return err
		}
		switch {
		case e.Type()&fs.ModeSymlink != 0: // only where it leads matters, and that has a path of its own
		case !v.filter.Shows(filepath.ToSlash(rel)):
			*found = append(*found, path)
		case e.IsDir():
			if err := v.hides(path, looked, found); err != nil {
				return err
			}
		}
	}
	return nil
}

// Hidden lists what one of the two hides.
func (t both) Hidden(folder string) ([]string, error) {
	var all []string
	for _, policy := range []rein.Reach{t.a, t.b} {
		h, ok := policy.(interface {
			Hidden(folder string) ([]string, error)
		})
		if !ok {
			continue
		}
		found, err := h.Hidden(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}
