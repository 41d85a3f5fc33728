package engine

import (
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine/work"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A dispatcher learns how large a run is, from the task of one that starts and from the log of any other; and
// a large task is not kept in memory until its run has its turn.
//
// Attack: 73
// Covers: ENG-29
func TestLargeRunsSayThatTheyAre(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, err := New(Options{
		Store: s, Dispatch: always{&local.Dispatcher{}}, Worker: &work.Worker{Models: map[string]rein.Model{"": silent{}}},
		Flows: map[string]rein.Flow{"f": {Do: func(rein.Run, rein.Task) (rein.Outcome, error) { return rein.Outcome{}, nil }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	budget := rein.DefaultBudget()
	for id, length := range map[rein.RunID]int{"small": 100, "medium": maxFresh / 2, "large": 4 << 20} {
		task := rein.Task{Flow: "f", Budget: &budget, User: "ann", Household: "home", Messages: []rein.Message{{Role: rein.User, Text: strings.Repeat("x", length)}}}
		size := func(when string) {
			t.Helper()
			if owner := e.Owner(t.Context(), id); owner.Size < int64(length) || owner.Size > int64(length)+1000 || owner.User != "ann" {
				t.Errorf("%s, run %s is one of %d bytes of %q, want %d", when, id, owner.Size, owner.User, length)
			}
		}
		start, err := e.startOf(id, rein.Hash{1}, task, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Start(t.Context(), start); err != nil {
			t.Fatal(err)
		}
		e.driveStarted(start)
		if held := e.fresh[id] != nil; held != (length <= maxFresh) {
			t.Errorf("the start of run %s is held in memory: %t", id, held)
		}
		size("when it starts")
		delete(e.fresh, id)
		size("later")
	}
}

// always is a dispatcher that says that it serves, and never does.
type always struct{ *local.Dispatcher }

func (always) Here() bool { return true }

// silent is a model that nobody calls.
type silent struct{ rein.Model }

func (silent) Info() rein.ModelInfo { return rein.ModelInfo{} }
