package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/store"
)

// asLarge makes a store check its file as if it were large.
var asLarge = Options{smallFile: 1}

// uncleanCopy leaves a store with enough in it behind, as a process that was killed does.
func uncleanCopy(t *testing.T) string {
	t.Helper()
	path := newPath(t)
	s := openTest(t, path, Options{})
	drive(t, s, "r")
	for i := range 400 {
		must(t, func() error { return note(s, "r", fmt.Sprintf("%d %s", i, strings.Repeat("x", 200))) })
	}
	s.Close()
	s = openTest(t, path, Options{})
	drive(t, s, "r2")
	copied := filepath.Join(t.TempDir(), "rein.db")
	copyFiles(t, path, copied)
	return copied
}

// spoil makes a page of events, which the write-ahead log does not have, unreadable.
func spoil(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, func() error { return err })
	found := false
	for at := 4096; at < len(data); at += 4096 {
		if data[at] == 13 && strings.Contains(string(data[at:at+4096]), "xxxxxxxx") { // a leaf of a table
			data[at], found = 0xff, true
			break
		}
	}
	if !found {
		t.Fatal("there is no page with events")
	}
	must(t, func() error { return os.WriteFile(path, data, 0o600) })
}

// Covers: ENG-64
func TestCheckInTheBackground(t *testing.T) {
	t.Parallel()
	path := uncleanCopy(t)
	var mu sync.Mutex
	var told []store.Check
	options := asLarge
	options.OnCheck = func(c store.Check) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, c)
	}
	s := openTest(t, path, options)
	must(t, func() error { return s.Checked(t.Context()) })
	drive(t, s, "r3")
	c := s.Check()
	if c.Running() || c.Began.IsZero() || c.Wrong != "" || c.Tables == 0 || c.Done != c.Tables {
		t.Errorf("after the check: %+v", c)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(told) < c.Tables || !told[0].Running() || told[len(told)-1].Running() {
		t.Errorf("%d reports of a check of %d tables", len(told), c.Tables)
	}
}

// TestCheckFindsDamage checks that nothing is written to a file once it is known to be damaged.
//
// Covers: ENG-64
func TestCheckFindsDamage(t *testing.T) {
	t.Parallel()
	path := uncleanCopy(t)
	spoil(t, path)
	if _, err := Open(t.Context(), path, Options{}); rein.CodeOf(err) != rein.CodeDamaged {
		t.Fatalf("a small file: %v", err)
	}
	path = uncleanCopy(t)
	spoil(t, path)
	s := openTest(t, path, asLarge)
	wantCode(t, s.Checked(t.Context()), rein.CodeDamaged, path, "backup")
	budget := rein.DefaultBudget()
	_, _, err := s.Start(context.Background(), store.Start{Run: "late", At: time.Now(), Start: rein.RunStart{Task: rein.Task{Flow: "answer", Budget: &budget}}})
	wantCode(t, err, rein.CodeDamaged, path, "nothing is written")
	if c := s.Check(); c.Wrong == "" || c.Running() {
		t.Errorf("after the check: %+v", c)
	}
	if _, err := s.Run(t.Context(), "r"); err != nil {
		t.Errorf("what can be read is not: %v", err)
	}
}

func TestCleanEndNeedsNoCheck(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	s := openTest(t, path, asLarge)
	drive(t, s, "r")
	s.Close()
	s = openTest(t, path, asLarge)
	if c := s.Check(); c != (store.Check{}) {
		t.Errorf("it is checked: %+v", c)
	}
}

// TestCloseEndsTheCheck closes a store at once: nobody waits for the check, and the next one begins it again.
func TestCloseEndsTheCheck(t *testing.T) {
	t.Parallel()
	path := uncleanCopy(t)
	s := openTest(t, path, asLarge)
	must(t, s.Close)
	must(t, s.Close)
}
