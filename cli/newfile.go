package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// vacant refuses the name of a file that exists.
func vacant(name string) error {
	if _, err := os.Lstat(name); err == nil {
		return usagef("%s exists already and stays as it is: name another file, or give --force to replace it", name)
	}
	return nil
}

// writeWhole writes a file for this user alone. It gets its name when it is whole, so that nobody sees half of it, and a
// file that exists is replaced only by force.
func writeWhole(name string, force bool, write func(io.Writer) error) error {
	folder, base := filepath.Split(name)
	if base == "" {
		return usagef("%s is a folder: name a file in it", name)
	}
	if _, err := os.Stat(filepath.Clean(folder)); errors.Is(err, fs.ErrNotExist) {
		return usagef("%s cannot be written: there is no folder %s", name, filepath.Clean(folder))
	}
	part, err := os.CreateTemp(filepath.Clean(folder), ".rein-export-*") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer os.Remove(part.Name())
	defer part.Close()
	if err := write(part); err != nil {
		return err
	}
	if err := errors.Join(part.Sync(), part.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := putInPlace(part.Name(), name, force); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

func putInPlace(part, name string, force bool) error {
	if force {
		return os.Rename(part, name)
	}
	err := os.Link(part, name) // unlike a rename it replaces nothing
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrExist):
		return vacant(name)
	}
	// Some file systems have no links. There the name is taken first, and what is renamed replaces that empty file.
	taken, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	taken.Close()
	return os.Rename(part, name)
}
