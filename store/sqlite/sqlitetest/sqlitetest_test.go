package sqlitetest_test

import (
	"path/filepath"
	"testing"
	"time"

	"rein"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// The first Open gives an empty store, another one what was written, and each file is on its own.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	budget := rein.DefaultBudget()
	start := store.Start{Run: "r1", At: time.Now(), Start: rein.RunStart{Task: rein.Task{Flow: "answer", Budget: &budget}}}
	for _, c := range []struct {
		file   string
		before int
	}{{"a.db", 0}, {"a.db", 1}, {"b.db", 0}} {
		s := open(t, filepath.Join(dir, c.file))
		if got := count(t, s); got != c.before {
			t.Errorf("%s has %d runs, want %d", c.file, got, c.before)
		}
		if _, _, err := s.Start(t.Context(), start); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlitetest.Open(t, path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func count(t *testing.T, s *sqlite.Store) (n int) {
	t.Helper()
	for _, err := range s.Runs(t.Context(), store.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}
