package sqlite

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/store"
	"rein/store/storetest"
)

// together sends requests that the writer finds in its queue at once, so that they are one transaction, and
// returns the errors they were answered with.
func together(t *testing.T, s *Store, requests ...*request) (errs []error) {
	t.Helper()
	begun, release := make(chan struct{}), make(chan struct{})
	first := &request{safe: true, done: make(chan error, 1), do: func(*writer) error {
		close(begun)
		<-release
		return nil
	}}
	must(t, func() error { return s.enqueue(t.Context(), first) })
	<-begun
	for _, r := range requests {
		r.done = make(chan error, 1)
		must(t, func() error { return s.enqueue(t.Context(), r) })
	}
	close(release)
	must(t, func() error { return <-first.done })
	for _, r := range requests {
		errs = append(errs, <-r.done)
	}
	return errs
}

// noting is a request that appends a text to a run.
func noting(t *testing.T, id rein.RunID, text string) *request {
	t.Helper()
	b, err := prepareBatch(store.Batch{Run: id, Epoch: 1, Drafts: []store.Draft{{Kind: rein.StepDone, Step: "1", Data: &rein.StepEnd{Partial: text}}}})
	if err != nil {
		t.Fatal(err)
	}
	return &request{safe: true, do: func(w *writer) error {
		_, err := w.appendBatch(context.Background(), b)
		return err
	}}
}

// spoilt is a request that writes, and is refused then. It counts how often it was served.
func spoilt(t *testing.T, id rein.RunID, served *int) *request {
	t.Helper()
	return spoiltWith(t, id, "never", served)
}

func spoiltWith(t *testing.T, id rein.RunID, text string, served *int) *request {
	t.Helper()
	write := noting(t, id, text).do
	return &request{do: func(w *writer) error {
		*served++
		return errors.Join(write(w), errSpoilt)
	}}
}

var errSpoilt = errors.New("refused after all")

// A request that is refused after it has written takes nothing of the others' with it.
//
// Covers: LAW-1
func TestLateRefusal(t *testing.T) {
	t.Parallel()
	for _, alone := range []bool{true, false} {
		t.Run(fmt.Sprintf("alone=%v", alone), func(t *testing.T) {
			t.Parallel()
			s, served := openTest(t, newPath(t), Options{}), 0
			drive(t, s, "a")
			drive(t, s, "b")
			requests := []*request{spoilt(t, "b", &served)}
			if !alone {
				requests = []*request{noting(t, "a", "before"), requests[0], noting(t, "a", "after"), noting(t, "b", "after")}
			}
			for i, err := range together(t, s, requests...) {
				if bad := requests[i].safe == errors.Is(err, errSpoilt); bad {
					t.Errorf("request %d was answered with %v", i, err)
				}
			}
			want := map[rein.RunID]int64{"a": 3, "b": 2}
			if alone {
				want = map[rein.RunID]int64{"a": 1, "b": 1}
			}
			for id, events := range want {
				if v := wantSound(t, s, id); v.Events != events {
					t.Errorf("run %s has %d events, want %d", id, v.Events, events)
				}
			}
			if alone != (served == 1) {
				t.Errorf("it was served %d times", served)
			}
		})
	}
}

// Somebody's function is called once, also if another request of the transaction is refused late.
func TestFunctionsAreCalledOnce(t *testing.T) {
	t.Parallel()
	s, served, called := openTest(t, newPath(t), Options{}), 0, 0
	drive(t, s, "a")
	write := &request{once: true, do: func(w *writer) error {
		return w.runTables(context.Background(), func(context.Context, rein.Tx) error {
			called++
			return nil
		})
	}}
	errs := together(t, s, write, spoilt(t, "a", &served), noting(t, "a", "after"))
	if errs[0] != nil || !errors.Is(errs[1], errSpoilt) || errs[2] != nil {
		t.Errorf("answers are %v", errs)
	}
	if called != 1 || served != 1 {
		t.Errorf("the function was called %d times, the request served %d times", called, served)
	}
	if v := wantSound(t, s, "a"); v.Events != 2 {
		t.Errorf("the run has %d events", v.Events)
	}
}

// wantReferences checks that every row belongs to one that is there. The writer does not let SQLite look at
// each insert, since it knows the numbers from the rows themselves.
func wantReferences(t testing.TB, path string) {
	t.Helper()
	db := connectReader(path)
	defer db.Close()
	rows, err := db.Query(`SELECT "table", rowid, parent FROM pragma_foreign_key_check`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, parent string
		var row any
		must(t, func() error { return rows.Scan(&table, &row, &parent) })
		t.Errorf("%s: row %v of %s refers to no row of %s", filepath.Base(path), row, table, parent)
	}
	must(t, rows.Err)
}

// A text that was erased, or whose request was refused, is written again when the next run has it.
func TestForgottenTexts(t *testing.T) {
	t.Parallel()
	s, served := openTest(t, newPath(t), Options{}), 0
	for _, id := range []rein.RunID{"erased", "refused", "next"} {
		drive(t, s, id)
	}
	long := strings.Repeat("erased ", 100)
	must(t, func() error { return note(s, "erased", long) })
	must(t, func() error {
		_, err := s.Append(t.Context(), store.Batch{Run: "erased", Epoch: 1, Drafts: []store.Draft{
			{Kind: rein.RunCompleted, Status: rein.Status(rein.EndDone), Outcome: &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}},
		}})
		return err
	})
	must(t, func() error { return s.Erase(t.Context(), storetest.These("erased")) })
	must(t, func() error { return note(s, "next", long) })

	other := strings.Repeat("refused ", 100)
	refused := spoiltWith(t, "refused", other, &served)
	if errs := together(t, s, noting(t, "next", "before"), refused, noting(t, "next", other)); !errors.Is(errs[1], errSpoilt) || errs[2] != nil {
		t.Errorf("answers are %v", errs)
	}
	wantReferences(t, s.path)
	for _, id := range []rein.RunID{"erased", "refused", "next"} {
		wantSound(t, s, id)
	}
	if event, err := s.Event(t.Context(), "next", 4); err != nil || !strings.Contains(string(event.Data), other) {
		t.Errorf("the text is %.40q, %v", event.Data, err)
	}
}
