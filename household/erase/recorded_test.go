package erase_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/erase"
	"rein/store"
)

// Logs that real flows recorded, by an earlier program: who learnt from a run, and who read that, goes with it.
//
// Covers: ENG-36 ENG-13
func TestRecordedLogs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		log   string
		who   rein.Identity
		of    erase.Target
		runs  []string
		words []string
		left  int
	}{
		{"remember_learns", owner, erase.Target{Run: "r1"}, []string{"r1", "r2", "r3", "r4"}, []string{"vegetarian", "Jan and Els", "Lentil"}, 0},
		{"remember_learns", member("ann"), erase.Target{Run: "r1"}, []string{"r1", "r2", "r3"}, []string{"vegetarian"}, 1},
		{"remember_learns", owner, erase.Target{Run: "r3"}, []string{"r3"}, []string{"Lentils, Ann"}, 0},
		{"remember_learns", owner, erase.Target{Run: "r4"}, []string{"r4"}, []string{"Whatever the guests eat"}, 0},
	} {
		t.Run(c.log+" "+c.of.String()+" "+c.who.User, func(t *testing.T) {
			t.Parallel()
			h := recorded(t, c.log)
			for _, word := range c.words {
				if len(h.everywhere(word)) == 0 {
					t.Fatalf("%q is not there: this test shows nothing", word)
				}
			}
			if _, err := h.eraser.Plan(t.Context(), c.who, erase.Target{Run: "r4"}); c.who.User == "owner" && rein.CodeOf(err) != rein.CodeBusy {
				t.Errorf("the run that was cut off: %v", err)
			}
			h.endAll()
			plan := h.erases(c.who, c.of)
			if diff := cmp.Diff(c.runs, runsOf(plan)); diff != "" || plan.Left != c.left {
				t.Errorf("%d left, %s", plan.Left, diff)
			}
			for _, word := range c.words {
				if got := h.inTables(word); len(got) > 0 {
					t.Errorf("%q is in %q", word, got)
				}
			}
			h.sound(rein.Hash{})
		})
	}
}

// recorded opens a copy of a recorded log.
func recorded(t *testing.T, name string) *house {
	t.Helper()
	h := &house{T: t, dir: t.TempDir(), vault: t.TempDir(), clock: time.Now(), epochs: map[rein.RunID]int64{}}
	packed, err := os.Open(filepath.Join("..", "..", "flow", "testdata", "logs", name+".db.gz"))
	h.check(err)
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	h.check(err)
	data, err := io.ReadAll(unpacked)
	h.check(err)
	h.check(os.WriteFile(filepath.Join(h.dir, "rein.db"), data, 0o600))
	h.open()
	return h
}

// endAll ends the runs that were cut off.
func (h *house) endAll() {
	h.Helper()
	for info, err := range h.store.Runs(h.Context(), store.Filter{Unfinished: true}) {
		h.check(err)
		claimed, _, err := h.store.Claim(h.Context(), info.ID, time.Now())
		h.check(err)
		h.epochs[info.ID] = claimed.Epoch
		h.end(info.ID, "Whatever.")
	}
}
