package sqlite

import (
	"path/filepath"
	"testing"

	"rein/store"
	"rein/store/storetest"
)

func openTest(t *testing.T, path string, options Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// Covers: LAW-1 LAW-8 LAW-10
func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return openTest(t, filepath.Join(t.TempDir(), "rein.db"), Options{})
	})
}
