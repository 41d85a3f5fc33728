package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

// A command that names notes is not handed to a process that has others, or none.
func TestCheckOwner(t *testing.T) {
	data, notes, other := t.TempDir(), t.TempDir(), t.TempDir()
	real, err := realPath(notes)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		has, wants, root string
		says             string // empty: it is handed over
	}{
		"the same":    {real, notes, data, ""},
		"none wanted": {real, "", data, ""},
		"others":      {real, other, data, "has the notes of " + real},
		"none there":  {"", notes, data, "has no notes"},
		"not a place": {real, filepath.Join(other, "none"), data, "has the notes of"},
		"other files": {real, notes, other, "its tools see"},
	} {
		m, err := writeMark(data, data, c.has)
		if err != nil {
			t.Fatal(err)
		}
		_, err = checkOwner(data, filesRoot{dir: c.root}, c.wants, os.Getpid())
		if (err == nil) != (c.says == "") || err != nil && (rein.CodeOf(err) != rein.CodeConflict || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
		m.remove()
	}
}
