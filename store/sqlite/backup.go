package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"rein"
)

// Backup writes a copy of the store as it is at one moment to a new file, while writes go on. The
// copy is checked before Backup returns; if it fails nothing is left at the path.
func (s *Store) Backup(ctx context.Context, path string) (err error) {
	if s.isClosed() {
		return closedError(s.path)
	}
	if _, err := os.Lstat(path); err == nil {
		return rein.Errorf(rein.CodeConflict, "%s exists: name a new file for the backup", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fileError(path, err)
	}
	// It gets its name when it is whole, so that a crash leaves nothing that looks like a backup.
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".part-*")
	if err != nil {
		return fileError(path, err)
	}
	defer func() {
		part.Close()
		for _, suffix := range []string{"", "-wal", "-shm"} {
			os.Remove(part.Name() + suffix)
		}
	}()
	if err := s.copyTo(ctx, part.Name()); err != nil {
		return s.fault("back up", err)
	}
	if err := part.Sync(); err != nil {
		return fileError(path, err)
	}
	if err := checkCopy(ctx, part.Name()); err != nil {
		return err
	}
	if err := os.Link(part.Name(), path); err != nil { // unlike a rename it replaces nothing
		return fileError(path, err)
	}
	return syncFolder(filepath.Dir(path))
}

// copyTo has a connection of its own: those of the readers may not write, not even another file. Pages of
// the copy keep nothing that was moved from them: who restores it can erase what is in it.
func (s *Store) copyTo(ctx context.Context, path string) error {
	db := connect(s.path, 1, "secure_delete(1)")
	_, err := db.ExecContext(ctx, `VACUUM INTO ?`, path)
	return errors.Join(err, db.Close())
}

func checkCopy(ctx context.Context, path string) error {
	reader, err := OpenReader(ctx, path)
	if err != nil {
		return err
	}
	return errors.Join(reader.fault("check backup", quickCheck(ctx, path, reader.read)), reader.Close())
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return fileError(path, err)
	}
	defer folder.Close()
	if err := folder.Sync(); err != nil {
		return fileError(path, err)
	}
	return nil
}
