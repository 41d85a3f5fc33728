package stage_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
)

// What is staged counts for who staged it, up to their limit; so does what a commit keeps to be undone.
func TestQuotaOfNotes(t *testing.T) {
	r := &rig{t: t, dir: t.TempDir(), now: time.Now(), most: 10_000}
	r.open(filepath.Join(t.TempDir(), "rein.db"))
	stageNote := func(path string, size int) error { return r.stage(path, strings.Repeat("x", size)) }
	for _, path := range []string{"a.md", "b.md"} {
		if err := stageNote(path, 4000); err != nil {
			t.Fatal(err)
		}
	}
	if err := stageNote("c.md", 4000); rein.CodeOf(err) != rein.CodeQuota {
		t.Errorf("beyond the limit: %v", err)
	}
	if err := stageNote("b.md", 5000); err != nil {
		t.Errorf("in the place of another: %v", err)
	}
	if used := r.used(); used != 9000 {
		t.Errorf("%d bytes count, not 9000", used)
	}
	_, discard, err := r.desk.Discard(t.Context(), ann, []string{"b.md"})
	if err == nil {
		err = r.store.Write(t.Context(), discard)
	}
	if err != nil {
		t.Fatal(err)
	}
	if used := r.used(); used != 4000 {
		t.Errorf("%d bytes count, not 4000", used)
	}
	if _, err := r.commit("c1"); err != nil {
		t.Fatal(err)
	}
	if used := r.used(); used != 4000 {
		t.Errorf("%d bytes count after the commit, not 4000", used)
	}
	r.now = r.now.Add(100 * 24 * time.Hour)
	if _, err := r.desk.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if used := r.used(); used != 0 {
		t.Errorf("%d bytes count after the sweep", used)
	}
}

func (r *rig) used() int64 {
	r.t.Helper()
	accounts, err := r.store.Accounts(r.t.Context(), "home", "", r.now)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, a := range accounts {
		if a.User == "ann" {
			return a.Used.Bytes
		}
	}
	return 0
}
