//go:build unix

package stage_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A note that is rewritten stays its user's, and new ones belong to whom the vault belongs to, also if
// the program runs with all rights. Without them all files are the program's user's anyway.
func TestOwnerStays(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "a")
	vault, note := os.Geteuid(), os.Geteuid()
	if vault == 0 {
		vault, note = 1234, 2345
		for path, uid := range map[string]int{"": vault, "a.md": note} {
			if err := os.Chown(filepath.Join(r.dir, path), uid, uid); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.mustStage("a.md", "b")
	r.mustStage("new/b.md", "b")
	if _, err := r.commit("k"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"a.md": note, "new": vault, "new/b.md": vault} {
		info, err := os.Stat(filepath.Join(r.dir, path))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; int(got) != want {
			t.Errorf("%s belongs to %d, want %d", path, got, want)
		}
	}
}
