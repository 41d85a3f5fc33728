package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is erased while a service owns the folder goes through it, and nothing of it stays in any file of the
// folder: not in the database, its write-ahead log, or an index.
//
// Covers: ENG-36
func TestEraseThroughOwner(t *testing.T) {
	t.Parallel()
	h := newHome(t, "")
	s := h.serve().withToken()
	run := s.start("Hello, PLANTED.").ID
	s.finished(run)
	s.finished(s.start("KEPT for later.").ID)
	head := s.ok("audit", "head")
	if len(s.holding("PLANTED")) == 0 {
		t.Fatal("nothing holds it: this test shows nothing")
	}
	if out := s.ok("erase", string(run), "--yes"); !strings.HasPrefix(out, "erased run "+string(run)+": 1 run") {
		t.Error(out)
	}
	for _, when := range []string{"while it serves", "after it has ended"} {
		if found := s.holding("PLANTED"); len(found) > 0 {
			t.Errorf("%s: %q hold it", when, found)
		}
		if found := s.holding("KEPT"); len(found) == 0 {
			t.Errorf("%s: another run went too", when)
		}
		if when == "while it serves" {
			if out := s.ok("audit", "verify", "--head", head); !strings.Contains(out, ": all is there") || !strings.HasSuffix(out, "nothing is wrong") {
				t.Error(out)
			}
			s.end(syscall.SIGTERM)
		}
	}
}

// holding returns the files of the data folder that hold a text.
func (h *home) holding(text string) (found []string) {
	h.Helper()
	err := filepath.WalkDir(filepath.Join(h.dir, ".local", "share", "rein"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			found = append(found, d.Name())
		}
		return err
	})
	h.check(err)
	return found
}
