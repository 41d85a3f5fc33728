// Package logtest opens the logs that the flows' tests keep, for tests of what draws them.
package logtest

import (
	"cmp"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

// Store opens a copy of a recorded store, such as "answer_a1_cited.db.gz".
func Store(t testing.TB, file string) *sqlite.Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rein.db")
	if err := os.WriteFile(path, unpacked(t, filepath.Join(top(t), "flow/testdata/logs", file)), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// top is the folder of the module. Tests run in the folder of their package.
func top(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
	}
}

func unpacked(t testing.TB, file string) []byte {
	t.Helper()
	packed, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	zip, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Events returns the events of a tree, or with an empty root those of all runs, in the order of time.
func Events(t testing.TB, s *sqlite.Store, root rein.RunID) (all []rein.Event) {
	t.Helper()
	for info, err := range s.Runs(t.Context(), store.Filter{Tree: root}) {
		if err != nil {
			t.Fatal(err)
		}
		for e, err := range s.Events(t.Context(), info.ID, 0) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b rein.Event) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Run, b.Run)) })
	return all
}
