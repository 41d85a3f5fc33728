package config

import (
	"fmt"
	gopath "path"
	"strings"
)

// Notes says which notes there are, and who may see what of them.
type Notes struct {
	Vault   string   // the folder of notes; empty: there are none
	Include []string // only these folders of it; empty: all
	Exclude []string
	Vectors bool // notes are found by meaning too, not only by words
}

func notesSections() []Key {
	return []Key{
		{"notes.include", "", "", "the only folders of the vault to use, such as [\"Projects\"]; empty: all", folders(func(c *Config) *[]string { return &c.Notes.Include })},
		{"notes.exclude", "", "", "folders of the vault that nothing sees", folders(func(c *Config) *[]string { return &c.Notes.Exclude })},
		{"notes.vectors", "REIN_NOTES_VECTORS", "", "search notes by meaning too, with the built-in vectors (English only) or those of embedder; false: by words alone", boolean(func(c *Config) *bool { return &c.Notes.Vectors })},
	}
}

// folders is a list of folders within the vault.
type folders names

func (f folders) read(l *loading, n *node) error {
	if err := names(f).read(l, n); err != nil {
		return err
	}
	return f.check(l)
}

func (f folders) parse(l *loading, value string) error {
	if err := names(f).parse(l, value); err != nil {
		return err
	}
	return f.check(l)
}

func (f folders) show(c *Config) string { return names(f).show(c) }

// check brings folders into one form, and refuses what is not in the vault.
func (f folders) check(l *loading) error {
	return cleanFolders(*f(l.config))
}

// cleanFolders does so with a list, in its place.
func cleanFolders(list []string) error {
	for i, name := range list {
		clean := strings.Trim(gopath.Clean(strings.ReplaceAll(name, "\\", "/")), "/")
		if clean == "" || clean == "." || clean == ".." || strings.HasPrefix(clean, "../") {
			return fmt.Errorf("%q is not a folder inside the vault", name)
		}
		list[i] = clean
	}
	return nil
}
