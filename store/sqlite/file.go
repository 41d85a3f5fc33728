package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"rein"
)

// applicationID marks the file as ours, in its header ("rein").
const applicationID = 0x7265696e

// takeLock makes this process the file's owner until the returned file is closed or it dies. The
// lock is the kernel's; the pid in the file is only there to be shown.
func takeLock(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fileError(filepath.Dir(path), err)
	}
	name := path + ".lock"
	lock, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fileError(name, err)
	}
	if err := flock(lock); err != nil {
		defer lock.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fileError(name, err)
		}
		pid, _ := io.ReadAll(io.LimitReader(lock, 32))
		return nil, rein.Errorf(rein.CodeLocked,
			"%s is owned by process %s: stop it, or talk to it instead of opening its file", path, bytes.TrimSpace(pid))
	}
	err = errors.Join(lock.Truncate(0), writePID(lock))
	if err != nil {
		return nil, errors.Join(fileError(name, err), lock.Close())
	}
	return lock, nil
}

// deadLock is how long the lock of a process that has died is waited for. A program that it was just starting has the
// lock too, until it has become that program.
const deadLock = 10 * time.Second

// flock locks the file, unless a living process has it locked.
func flock(lock *os.File) error {
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) || !hasDied(lock) || time.Since(began) > deadLock {
			return err
		}
	}
}

// hasDied reports whether the process that a lock names is gone.
func hasDied(lock *os.File) bool {
	text := make([]byte, 32)
	n, _ := lock.ReadAt(text, 0)
	pid, err := strconv.Atoi(string(bytes.TrimSpace(text[:n])))
	return err == nil && pid > 0 && errors.Is(unix.Kill(pid, 0), unix.ESRCH)
}

// roomToFold reports whether the disk could hold the write-ahead log once more. Writing it back into
// the file of a full disk would take the room that opening it again needs.
func roomToFold(path string) bool {
	log, err := os.Stat(path + "-wal")
	if err != nil {
		return false
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(path, &disk); err != nil {
		return false
	}
	return disk.Bavail > uint64(log.Size())/uint64(disk.Bsize)
}

func writePID(lock *os.File) error {
	_, err := fmt.Fprintf(lock, "%d\n", os.Getpid())
	return err
}

// makeFile creates the file if there is none, because SQLite would let everyone read it.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return fileError(path, err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return fileError(path, err)
	}
	return checkFile(path, info)
}

// checkFile finds what SQLite would pass over in silence: it deletes the WAL of an empty file.
func checkFile(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return rein.Errorf(rein.CodeInvalid, "%s is not a file: name the file that the store is in", path)
	}
	wal, err := os.Stat(path + "-wal")
	if err == nil && wal.Size() > 0 && info.Size() == 0 {
		return damaged(path, "it is empty but has a write-ahead log")
	}
	return nil
}

// identify refuses a file that is a database of someone else, and marks a new one as ours.
func identify(ctx context.Context, path string, db *sql.DB) error {
	var id, tables int64
	if err := db.QueryRowContext(ctx, `PRAGMA application_id`).Scan(&id); err != nil {
		return err
	}
	if id == applicationID {
		return nil
	}
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
		return err
	}
	if id != 0 || tables != 0 {
		return rein.Errorf(rein.CodeDamaged,
			"%s is an SQLite file but not a store of rein: name another file, or restore a backup", path)
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf(`PRAGMA application_id = %d`, applicationID))
	return err
}

func damaged(path, what string) error {
	return rein.Errorf(rein.CodeDamaged, "%s is damaged (%s): restore a backup", path, what)
}

// fileError gives an error of the file system its code.
func fileError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return rein.Errorf(rein.CodeNotFound, "%s does not exist: %w", path, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EROFS):
		return rein.Errorf(rein.CodeReadOnly, "%s cannot be written: give this user the right to, or choose another folder with --data DIR: %w", path, err)
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return rein.Errorf(rein.CodeDiskFull, "%s: the disk is full: make room and try again: %w", path, err)
	}
	return rein.Errorf(rein.CodeUnavailable, "%s: %w", path, err)
}

// fault gives an error of SQLite its code; other errors stay as they are.
func (s *Store) fault(doing string, err error) error {
	if _, ok := errors.AsType[*rein.Error](err); ok || err == nil {
		return err
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		if errors.Is(err, sql.ErrConnDone) || strings.Contains(err.Error(), "database is closed") {
			return closedError(s.path)
		}
		return fmt.Errorf("%s %s: %w", doing, s.path, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return rein.Errorf(rein.CodeDiskFull, "%s %s: the disk is full; nothing was written: make room and try again: %w", doing, s.path, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return rein.Errorf(rein.CodeDamaged, "%s %s: the file is damaged: restore a backup: %w", doing, s.path, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return rein.Errorf(rein.CodeReadOnly, "%s %s: it cannot be written: give this user the right to, or choose another folder: %w", doing, s.path, err)
	case sqlite3.SQLITE_IOERR:
		if e.Code() == sqlite3.SQLITE_IOERR_WRITE || e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE {
			return rein.Errorf(rein.CodeDiskFull, "%s %s: the disk does not take what is written; nothing was: make room and try again: %w", doing, s.path, err)
		}
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("%s %s: %w", doing, s.path, err)
	}
	return rein.Errorf(rein.CodeUnavailable, "%s %s: %w", doing, s.path, err)
}

// openFault is fault for a file that is being opened. Statements of our own that SQLite does not
// understand then mean that the schema is not what was written.
func (s *Store) openFault(err error) error { // goose keeps of some errors only the text
	if _, ok := errors.AsType[*rein.Error](err); !ok && strings.Contains(err.Error(), "SQL logic error") {
		return rein.Errorf(rein.CodeDamaged, "%s is damaged (its tables are not what they should be): restore a backup: %w", s.path, err)
	}
	return s.fault("open", err)
}

func closedError(path string) error {
	return rein.Errorf(rein.CodeUnavailable, "%s is closed", path)
}
