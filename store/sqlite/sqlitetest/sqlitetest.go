// Package sqlitetest makes empty stores for tests, faster than Open: the migrations run once per
// process, and every other store starts as a copy of that file.
package sqlitetest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"rein/store/sqlite"
)

// Open opens the store in a file. If there is no such file, it begins as a copy of an empty store.
func Open(t testing.TB, path string, options sqlite.Options) (*sqlite.Store, error) {
	t.Helper()
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		bytes, err := empty()
		if err == nil {
			err = os.WriteFile(path, bytes, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return sqlite.Open(context.Background(), path, options)
}

// empty returns the bytes of a store without runs.
var empty = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "sqlitetest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "empty.db")
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil { // a closed store is one file
		return nil, err
	}
	return os.ReadFile(path)
})
