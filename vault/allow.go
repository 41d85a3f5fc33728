package vault

// Allows reports whether a note is among those that the vault shows, by its path.
func (v *Vault) Allows(path string) bool {
	_, err := v.folder.cleanPath(path)
	return err == nil
}
