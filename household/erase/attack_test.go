package erase_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/household/erase"
	"rein/household/people"
	"rein/store"
	"rein/store/sqlite"
)

// A run of the same session that starts in the moment of an erasure either comes before it, and then nothing
// is erased, or after it, and then it finds the run erased. There is no moment between.
func TestStartAndEraseAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	budget := rein.DefaultBudget()
	for i := range 15 {
		session, run, next := fmt.Sprint("s", i), rein.RunID(fmt.Sprint("r", i)), rein.RunID(fmt.Sprint("n", i))
		h.said(run, "ann", session, "Said.")
		plan, err := h.eraser.Plan(t.Context(), owner, erase.Target{Run: run})
		h.check(err)
		task := rein.Task{Flow: "assist", Household: "home", User: "ann", Session: session, Budget: &budget}
		var erased, started error
		var both sync.WaitGroup
		both.Go(func() { _, erased = h.eraser.Erase(t.Context(), owner, erase.Target{Run: run}, plan.Shown) })
		both.Go(func() {
			_, _, started = h.store.Start(t.Context(), store.Start{Run: next, At: h.clock, Claim: true, Start: rein.RunStart{Task: task}})
		})
		both.Wait()
		h.check(started)
		info, err := h.store.Run(t.Context(), run)
		h.check(err)
		if info.Erased != (erased == nil) || erased != nil && rein.CodeOf(erased) != rein.CodeBusy {
			t.Errorf("erased %v: %v", info.Erased, erased)
		}
		if erased != nil && !strings.Contains(erased.Error(), string(next)) {
			t.Errorf("the error does not name the run: %v", erased)
		}
		h.epochs[next] = 1
		h.end(next, "Done.")
	}
	h.sound(rein.Hash{})
}

// A child cannot be in another session than its parent, so a tree is erased whole.
func TestChildInAnotherSession(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.start("r", "ann", "s1", task("Said."))
	_, _, err := h.store.Start(t.Context(), store.Start{Run: "r.c", At: h.clock, Start: rein.RunStart{Task: rein.Task{Flow: "f", Household: "home", User: "ann", Session: "s2"}}})
	if rein.CodeOf(err) != rein.CodeForbidden {
		t.Error(err)
	}
}

// A backup that is restored holds what was erased since. It can be erased there again, and a head from before
// the backup still holds.
func TestRestoredBackup(t *testing.T) {
	t.Parallel()
	h := plant(t)
	head := h.head()
	backup := filepath.Join(t.TempDir(), "rein.db")
	h.check(h.store.Backup(t.Context(), backup))
	h.erases(owner, erase.Target{Run: "r1"})
	h.dir = filepath.Dir(backup)
	h.check(h.store.Close())
	h.open()
	if len(h.everywhere(planted("answer"))) == 0 {
		t.Fatal("the backup does not hold it: this test shows nothing")
	}
	h.erases(owner, erase.Target{Run: "r1"})
	if got := h.everywhere("PLANTED"); len(got) > 0 {
		t.Error(got)
	}
	h.sound(head)
}

// Who erased what is recorded, and a store that is read only erases nothing.
func TestErasureIsRecorded(t *testing.T) {
	t.Parallel()
	h := plant(t)
	h.erases(member("ann"), erase.Target{Run: "r1"})
	changes, err := h.people.Changes(t.Context(), owner, 0, 0)
	h.check(err)
	last := changes[len(changes)-1]
	if last.What != rein.DataErased || last.By != "ann" || last.On != "ann" || !strings.HasPrefix(last.Detail, "run r1, with ") {
		t.Errorf("%+v", last)
	}
	reader, err := sqlite.OpenReader(t.Context(), filepath.Join(h.dir, "rein.db"))
	h.check(err)
	defer reader.Close()
	e := &erase.Eraser{Store: reader, People: &people.People{Tables: reader}}
	plan, err := e.Plan(t.Context(), owner, erase.Target{Run: "o1"})
	h.check(err)
	if _, err := e.Erase(t.Context(), owner, erase.Target{Run: "o1"}, plan.Shown); rein.CodeOf(err) != rein.CodeReadOnly {
		t.Error(err)
	}
}

// A commit whose copies were erased cannot be undone. What it left in the work folder goes with the next
// sweep, and then its entry too.
func TestErasedCommit(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.start("r0", "ann", "s0", task("Said."))
	h.stages("r0", "ann", "s0", "garden.md", "Old.")
	h.commits("r0", "ann", "s0")
	h.end("r0", "Said.")
	h.start("r1", "ann", "s1", task("Said."))
	h.stages("r1", "ann", "s1", "garden.md", planted("committed"))
	h.commits("r1", "ann", "s1")
	h.end("r1", "Said.")
	h.erases(owner, erase.Target{Run: "r1"})
	if _, _, err := h.desk.Undoable(t.Context(), rein.Place{Household: "home", User: "ann", Session: "s1"}, "r1:7"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("it can be undone: %v", err)
	}
	if _, _, err := h.desk.Undoable(t.Context(), rein.Place{Household: "home", User: "ann", Session: "s0"}, "r0:7"); err != nil {
		t.Errorf("another cannot be undone: %v", err)
	}
	h.clock = time.Now().Add(10 * time.Minute)
	kept, err := h.desk.Sweep(t.Context())
	if err != nil || len(kept) > 0 {
		t.Errorf("%q %v", kept, err)
	}
	if got := h.inTables("r1:7"); len(got) > 0 {
		t.Errorf("its entry is in %q", got)
	}
	if got := h.inTables("r0:7"); len(got) == 0 {
		t.Error("the entry of another went too")
	}
	h.sound(rein.Hash{})
}
