package shelf_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/branches"
	"rein/household/shelf"
)

// A branch reads the files that its origin had when it left, and none that came or changed later. It cannot delete them,
// and a file of its own hides one of the same name, also from a branch of it.
//
// Covers: RAO-91
func TestBranchesInheritFiles(t *testing.T) {
	t.Parallel()
	_, s := newShelf(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	files := shelf.Shelf{Tables: s, Now: func() time.Time { return now }}
	place := func(session string) rein.Place {
		return rein.Place{Household: "home", User: "ann", Session: session}
	}
	put := func(session, name, text string) {
		t.Helper()
		now = now.Add(time.Second)
		if _, err := files.Put(t.Context(), place(session), name, "text/plain", strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	leave := func(session, origin string, until time.Time) {
		t.Helper()
		row := branches.Row{Place: place(session), From: rein.Branch{Session: origin, Run: "r"}, Until: until, Made: until}
		if err := s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error { return branches.Keep(ctx, tx, row) }); err != nil {
			t.Fatal(err)
		}
	}
	put("s", "plan.txt", "the plan")
	put("s", "map.txt", "the map")
	leave("b", "s", now)
	put("s", "map.txt", "a later map")
	put("s", "late.txt", "late")
	put("b", "own.txt", "own")
	leave("c", "b", now)
	put("b", "plan.txt", "another plan")
	reads := func(session string, want map[string]string) {
		t.Helper()
		list, err := files.List(t.Context(), place(session))
		if err != nil || len(list) != len(want) {
			t.Errorf("%s has %+v, %v", session, list, err)
		}
		for _, f := range list {
			_, text, err := files.Get(t.Context(), place(session), f.Name, 0, 0)
			if err != nil || string(text) != want[f.Name] {
				t.Errorf("%s reads %q in %s, %v; want %q", session, text, f.Name, err, want[f.Name])
			}
		}
	}
	reads("b", map[string]string{"own.txt": "own", "plan.txt": "another plan"})
	reads("c", map[string]string{"own.txt": "own", "plan.txt": "the plan"})
	reads("s", map[string]string{"late.txt": "late", "map.txt": "a later map", "plan.txt": "the plan"})
	for _, name := range []string{"late.txt", "map.txt"} {
		if _, _, err := files.Get(t.Context(), place("b"), name, 0, 0); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("the branch reads %s: %v", name, err)
		}
	}
	if err := files.Delete(t.Context(), place("c"), "plan.txt"); rein.CodeOf(err) != rein.CodeNotFound {
		t.Errorf("a branch deletes what it inherits: %v", err)
	}
}
