package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/internal/labs"
	"rein/store"
	"rein/store/storetest"
)

func openTest(t testing.TB, path string, options Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "data", "rein.db") }

// newDiskPath is for processes that are killed: what they committed went to a device.
func newDiskPath(t testing.TB) string { return filepath.Join(labs.Disk(t), "data", "rein.db") }

// Covers: LAW-1 LAW-8 LAW-10
func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T, limits store.Limits) store.Store {
		path := newPath(t)
		s := openTest(t, path, Options{Limits: limits})
		t.Cleanup(func() { wantReferences(t, path) })
		return s
	})
}

// TestContractForgetful has a writer that forgets the runs of the request before.
func TestContractForgetful(t *testing.T) {
	storetest.Run(t, func(t *testing.T, limits store.Limits) store.Store {
		return openTest(t, newPath(t), Options{Limits: limits, maxCached: 1})
	})
}

// drive starts and claims a root; its epoch is 1.
func drive(t testing.TB, s *Store, id rein.RunID) {
	budget := rein.DefaultBudget()
	start := store.Start{Run: id, Digest: rein.Hash{1}, At: time.Now(), Start: rein.RunStart{Task: rein.Task{Flow: "answer", Budget: &budget}}}
	must(t, func() error { _, _, err := s.Start(context.Background(), start); return err })
	must(t, func() error { _, _, err := s.Claim(context.Background(), id, time.Now()); return err })
}

// never is after everything.
var never = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// note appends an event with a text.
func note(s *Store, id rein.RunID, text string) error { return noteAs(s, id, 1, text) }

func noteAs(s *Store, id rein.RunID, epoch int64, text string) error {
	_, err := s.Append(context.Background(), store.Batch{Run: id, Epoch: epoch, Drafts: []store.Draft{
		{Kind: rein.StepDone, Step: "1", At: time.Now(), Data: rein.StepEnd{Partial: text}, Spend: rein.Amount{Tokens: 1}},
	}})
	return err
}

func wantCode(t testing.TB, err error, code rein.Code, words ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("error %v has code %q, want %q", err, rein.CodeOf(err), code)
		return
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error does not say %q: %v", word, err)
		}
	}
}

func wantSound(t testing.TB, s *Store, id rein.RunID) store.Verdict {
	t.Helper()
	verdict, err := s.Verify(context.Background(), id)
	if err != nil || len(verdict.Wrong) > 0 {
		t.Fatalf("verify %s: %q, %v", id, verdict.Wrong, err)
	}
	return verdict
}

// TestOnCommit checks that every event is told once, in the order of each log, before the one who
// wrote it knows.
//
// Covers: ENG-46
func TestOnCommit(t *testing.T) {
	var mu sync.Mutex
	told := map[rein.RunID]int64{}
	s := openTest(t, newPath(t), Options{OnCommit: func(events []rein.Event) {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range events {
			if e.Seq != told[e.Run]+1 {
				t.Errorf("event %d of %s was told after %d", e.Seq, e.Run, told[e.Run])
			}
			told[e.Run] = e.Seq
		}
	}})
	var wait sync.WaitGroup
	for i := range 16 {
		wait.Go(func() {
			id := rein.RunID(fmt.Sprintf("r%d", i%4))
			if i < 4 {
				drive(t, s, id)
			}
			for range 20 {
				err := note(s, id, "x")
				if code := rein.CodeOf(err); code != "" && code != rein.CodeNotFound && code != rein.CodeStale {
					t.Error(err)
				}
				events, err := s.Append(context.Background(), store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{{Kind: rein.StepAttempt}}})
				failing := store.Draft{Kind: rein.StepAttempt, Commit: func(context.Context, rein.Tx) error { return errors.New("no") }}
				if _, err := s.Append(context.Background(), store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{failing}}); err == nil {
					t.Error("an append whose Commit fails works")
				}
				mu.Lock()
				if err == nil && told[id] < events[0].Seq {
					t.Errorf("event %d of %s was not told when it was answered", events[0].Seq, id)
				}
				mu.Unlock()
			}
		})
	}
	wait.Wait()
	for id, seq := range told {
		if info, err := s.Run(t.Context(), id); err != nil || info.Seq != seq {
			t.Errorf("%s has %d events and %d were told, %v", id, info.Seq, seq, err)
		}
	}
}

// TestCacheIsBounded makes the writer forget runs, and checks that it still knows them.
func TestCacheIsBounded(t *testing.T) {
	var w *writer
	const bound, runs = 64, 500
	s := openTest(t, newPath(t), Options{maxCached: bound})
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			for n := i; n < runs; n += 50 {
				drive(t, s, rein.RunID(fmt.Sprintf("r%d", n)))
			}
		})
	}
	wait.Wait()
	must(t, func() error {
		return s.submit(t.Context(), &request{safe: true, do: func(own *writer) error { w = own; return nil }})
	})
	must(t, func() error { // by the next request the trim after that one is done
		return s.submit(t.Context(), &request{safe: true, do: func(*writer) error {
			if len(w.heads) > bound {
				t.Errorf("%d heads are kept", len(w.heads))
			}
			return nil
		}})
	})
	for n := range runs {
		must(t, func() error { return note(s, rein.RunID(fmt.Sprintf("r%d", n)), "x") })
		if n%100 == 0 {
			wantSound(t, s, rein.RunID(fmt.Sprintf("r%d", n)))
		}
	}
}

func TestOpeningFreesDrivenRuns(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "driven")
	drive(t, s, "done")
	outcome := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
	must(t, func() error {
		_, err := s.Append(t.Context(), store.Batch{Run: "done", Epoch: 1, Drafts: []store.Draft{
			{Kind: rein.RunCompleted, Status: rein.Status(rein.EndDone), Outcome: outcome},
		}})
		return err
	})
	s.Close()
	s = openTest(t, path, Options{})
	due, _, err := s.Due(t.Context(), time.Now(), 0)
	if err != nil || fmt.Sprint(due) != "[driven]" {
		t.Errorf("due are %v, %v", due, err)
	}
}

func TestClose(t *testing.T) {
	s := openTest(t, newPath(t), Options{})
	drive(t, s, "r")
	var wait sync.WaitGroup
	for range 32 {
		wait.Go(func() {
			for {
				if err := note(s, "r", "x"); err != nil {
					wantCode(t, err, rein.CodeUnavailable)
					return
				}
			}
		})
	}
	must(t, s.Close)
	wait.Wait()
	must(t, s.Close)
	_, err := s.Run(t.Context(), "r")
	wantCode(t, err, rein.CodeUnavailable)
}

func TestReader(t *testing.T) {
	path := newPath(t)
	_, err := OpenReader(t.Context(), path)
	wantCode(t, err, rein.CodeNotFound)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	r, err := OpenReader(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for n := range 10 { // it sees what the owner has just written
		must(t, func() error { return note(s, "r", "x") })
		if verdict := wantSound(t, r, "r"); verdict.Events != int64(n+2) {
			t.Errorf("reader sees %d events, want %d", verdict.Events, n+2)
		}
	}
	wantCode(t, note(r, "r", "x"), rein.CodeReadOnly, path)
	wantCode(t, r.Erase(t.Context(), storetest.These("r")), rein.CodeReadOnly)
	if _, err := r.read.Exec(`DELETE FROM events`); err == nil {
		t.Error("a reader can write")
	}
	s.Close()
	wantSound(t, r, "r") // also when the owner is gone
}

// Attack: 67
func TestModes(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	for name, want := range map[string]os.FileMode{
		filepath.Dir(path): 0o700 | os.ModeDir, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600, path + ".lock": 0o600,
	} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, want %v, %v", filepath.Base(name), info.Mode(), want, err)
		}
	}
}

// TestErasedBytesAreGone looks for the bytes themselves.
//
// Covers: ENG-36 ENG-37
func TestErasedBytesAreGone(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	drive(t, s, "other")
	short, long := "shortSecret", strings.Repeat("longSecret ", 2000)
	for range 50 {
		must(t, func() error { return note(s, "r", short) })
		must(t, func() error { return note(s, "r", long+short) })
		must(t, func() error { return note(s, "other", "something else") })
	}
	outcome := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: short}}
	must(t, func() error {
		_, err := s.Append(t.Context(), store.Batch{Run: "r", Epoch: 1, Drafts: []store.Draft{
			{Kind: rein.RunCompleted, Status: rein.Status(rein.EndDone), Outcome: outcome},
		}})
		return err
	})
	must(t, func() error { return s.Erase(t.Context(), storetest.These("r")) })
	for _, name := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{short, "longSecret"} {
			if bytes.Contains(data, []byte(secret)) {
				t.Errorf("%s still has %q", filepath.Base(name), secret)
			}
		}
	}
	wantSound(t, s, "r")
	wantSound(t, s, "other")
}

// A process that is killed after it erased, and before the write-ahead log was emptied, leaves nothing either:
// whoever opens the store next empties it.
//
// Covers: ENG-36
func TestErasedBytesAreGoneAfterACrash(t *testing.T) {
	path := newDiskPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	must(t, func() error { return note(s, "r", "shortSecret") })
	must(t, func() error {
		_, err := s.Append(t.Context(), store.Batch{Run: "r", Epoch: 1, Drafts: []store.Draft{
			{Kind: rein.RunCompleted, Status: rein.Status(rein.EndDone), Outcome: &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}},
		}})
		return err
	})
	copied := filepath.Join(t.TempDir(), "rein.db")
	erase := &request{do: func(w *writer) error { return w.erase(t.Context(), storetest.These("r")) }}
	must(t, func() error { return s.submit(t.Context(), erase) })
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + end)
		if err != nil {
			t.Fatal(err)
		}
		must(t, func() error { return os.WriteFile(copied+end, data, 0o600) })
	}
	if !holds(t, copied, "shortSecret") {
		t.Fatal("the log was empty already: this test shows nothing")
	}
	again := openTest(t, copied, Options{})
	if holds(t, copied, "shortSecret") {
		t.Error("the store that was opened again holds what was erased")
	}
	wantSound(t, again, "r")
}

// holds reports whether a store has a text in the file or its log.
func holds(t *testing.T, path, text string) bool {
	t.Helper()
	for _, name := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(name)
		if err == nil && bytes.Contains(data, []byte(text)) {
			return true
		}
	}
	return false
}

// After a clean end one file is the whole store: people copy it.
func TestClosedStoreIsOneFile(t *testing.T) {
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	for range 100 {
		must(t, func() error { return note(s, "r", "hello") })
	}
	must(t, s.Close)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	must(t, func() error { return os.WriteFile(copied, data, 0o600) })
	s = openTest(t, copied, Options{})
	if info, err := s.Run(t.Context(), "r"); err != nil || info.Seq != 101 {
		t.Errorf("the copy has %+v %v", info, err)
	}
}
