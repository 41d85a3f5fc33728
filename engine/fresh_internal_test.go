package engine

import (
	"context"
	"path/filepath"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine/work"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A caller that does not know whether its run exists starts it again after a crash. The drive that
// begins on that account, before it is known that the run exists, must leave nothing in its log: the
// crash left the run with the very epoch that this drive would have had, and a flush that comes late
// would be taken for the old driver's.
//
// Covers: ENG-23 ENG-65
func TestUnbornDriveWritesNothing(t *testing.T) {
	ctx := context.Background()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	e, err := New(Options{
		Store: s, Dispatch: &local.Dispatcher{}, Worker: &work.Worker{Models: map[string]rein.Model{"": nil}},
		Flows: map[string]rein.Flow{"f": {Do: func(rein.Run, rein.Task) (rein.Outcome, error) { return rein.Outcome{}, nil }}},
	})
	if err != nil {
		t.Fatal(err)
	}
	budget := rein.DefaultBudget()
	start := store.Start{Run: "r1", At: e.opts.Now(), Claim: true, Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}}
	if _, started, err := s.Start(ctx, start); err != nil || !started { // by the process that is gone
		t.Fatal(started, err)
	}
	d := newDrive(e, "r1")
	d.adoptStart(&fresh{start: start, born: make(chan struct{})})
	d.log.flusher.Stop()
	d.note(store.Draft{Kind: rein.StepDone, Step: "1", Data: &rein.StepEnd{Sig: inboxRequest.sig}})
	for _, when := range []string{"at once", "late"} {
		if err := d.append(); rein.CodeOf(err) != rein.CodeStale {
			t.Errorf("%s: it is told %v", when, err)
		}
	}
	for ev, err := range s.Events(ctx, "r1", 1) {
		t.Errorf("event %d is %s %s (%v)", ev.Seq, ev.Kind, ev.Step, err)
	}
}
