package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rein/engine/guard"
	"rein/server/mask"
	"rein/store/sqlite"
)

// openCopy reads data that this user may not write, such as an archive on a read-only disk: SQLite
// wants to write beside a database even to read it. So a copy is read, in a folder that goes when
// it is closed. A database that is in use cannot be copied file by file; why says what is the
// matter then.
func openCopy(ctx context.Context, p Place, why error) (*Data, error) {
	if pid, owned, err := ownerOf(p.Path); owned || err != nil {
		return nil, fmt.Errorf("%w (process %s has it open, so it cannot be copied either: call rein as the same user)", why, pid)
	}
	temp, err := os.MkdirTemp("", "rein-")
	if err != nil {
		return nil, errors.Join(why, err)
	}
	d := &Data{Place: p, file: filepath.Join(temp, database), temp: temp}
	err = errors.Join(copyFile(d.file, p.Path), copyFile(d.file+"-wal", p.Path+"-wal"))
	if err == nil {
		d.Store, err = sqlite.OpenReader(ctx, d.file)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	d.seen = mask.New(d.Store, (*guard.Redactor)(nil))
	return d, nil
}

// copyFile copies a file, if there is one.
func copyFile(to, from string) (err error) {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
