package vault

import "path/filepath"

// Allows reports whether a note is among those that the vault shows, by its path.
func (v *Vault) Allows(path string) bool {
	_, err := v.folder.cleanPath(path)
	return err == nil
}

// Locate returns where a note is on the disk, by its path; "." is the vault itself.
func (v *Vault) Locate(path string) string {
	return filepath.Join(v.folder.root.Name(), filepath.FromSlash(path))
}
