package app

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"rein/app/config"
	"rein/vault"
)

// checkNotes looks for notes that are not searched as others are.
func (d *doctor) checkNotes(settings *config.Config) {
	if settings == nil || !hasNotes(settings) {
		return
	}
	path, err := RealPath(settings.Notes.Vault)
	if err != nil {
		d.find(Wrong, "notes", "set vault to a folder that exists", "cannot open the vault %s: %v", settings.Notes.Vault, err)
		return
	}
	large, err := vault.TooLarge(indexFolder(d.Folder, path))
	switch {
	case err != nil:
		d.find(Warn, "notes", d.tip("notes index")+" makes it again", "the index cannot be read: %v", err)
	case len(large) > 0:
		d.find(Warn, "notes", "split them; "+d.tip("notes")+" says what is left out", "%d notes are too large to be searched in full: %s", len(large), strings.Join(large[:min(3, len(large))], ", "))
	default:
		d.find(Fine, "notes", "", "%s", path)
	}
	for _, name := range slices.Concat(settings.Notes.Exclude, settings.Notes.Include) {
		if _, err := os.Stat(filepath.Join(path, filepath.FromSlash(name))); err != nil {
			d.find(Warn, "notes", "correct its name in notes.exclude or notes.include", "the vault has no folder %q", name)
		}
	}
}
