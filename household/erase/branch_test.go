package erase_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/branches"
	"rein/household/erase"
	"rein/household/past"
	"rein/store"
)

// branches starts and ends the first run of a branch.
func (h *house) branches(id rein.RunID, session string, at rein.RunID) {
	h.Helper()
	budget := rein.DefaultBudget()
	point, err := h.store.Run(h.Context(), at)
	h.check(err)
	t := task("said in " + string(id))
	t.Household, t.User, t.Session, t.Flow, t.Budget, t.Branch = "home", "ann", string(id), "assist", &budget, &rein.Branch{Session: session, Run: at}
	row := branches.Row{Place: t.Place(), From: *t.Branch, Until: point.Started, Made: h.tick()}
	_, _, err = h.store.Start(h.Context(), store.Start{
		Run: id, At: row.Made, Claim: true, Begins: true, Digest: rein.Hash{1}, Start: rein.RunStart{Task: t},
		Commit: func(ctx context.Context, tx rein.Tx) error { return branches.Keep(ctx, tx, row) },
	})
	h.check(err)
	h.epochs[id] = 1
	h.end(id, "done")
}

// family is a session with three runs, branches at each of them, and a branch of a branch.
func family(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	for _, id := range []rein.RunID{"r0", "r1", "r2"} {
		h.said(id, "ann", "s1", "said in "+string(id))
	}
	h.branches("b", "s1", "r2")
	h.said("b2", "ann", "b", "said in b2")
	h.branches("c", "b", "b2")
	h.branches("d", "s1", "r0")
	h.branches("e", "s1", "r1")
	return h
}

// What is erased goes with the branches that know of it, and the plan says so. Branches that left before it stay, and so
// does the original of a branch that is erased.
//
// Covers: ENG-36
func TestBranchesThatQuote(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		target erase.Target
		goes   []string
	}{
		{erase.Target{Run: "r0"}, []string{"b", "b2", "c", "e", "r0", "r1", "r2"}},
		{erase.Target{Run: "r1"}, []string{"b", "b2", "c", "r1", "r2"}},
		{erase.Target{Run: "r2"}, []string{"r2"}},
		{erase.Target{Run: "b"}, []string{"b", "b2", "c"}},
		{erase.Target{Run: "b2"}, []string{"b2"}},
		{erase.Target{Session: "b"}, []string{"b", "b2", "c"}},
		{erase.Target{Session: "s1"}, []string{"b", "b2", "c", "e", "r0", "r1", "r2"}},
	} {
		t.Run(c.target.String(), func(t *testing.T) {
			t.Parallel()
			h := family(t)
			head := h.head()
			done := h.erases(member("ann"), c.target)
			if diff := cmp.Diff(c.goes, runsOf(done)); diff != "" {
				t.Errorf("erased:\n%s", diff)
			}
			for _, item := range done.Items {
				if item.Kind == "run" && item.Name == "c" && !strings.Contains(item.Why, "a branch that knows what session") {
					t.Errorf("the plan says of c: %q", item.Why)
				}
			}
			for _, run := range c.goes {
				if found := h.everywhere("said in " + run + "\""); len(found) > 0 {
					t.Errorf("what was said in %s is still in %q", run, found)
				}
			}
			h.sound(head)
			wrong, err := branches.Verify(t.Context(), h.store)
			if err != nil || len(wrong) > 0 {
				t.Errorf("the branches: %q, %v", wrong, err)
			}
			h.shows("c", c.goes)
		})
	}
}

// shows wants a branch to have its history still, with what is erased as erased.
func (h *house) shows(session string, erased []string) {
	h.Helper()
	place := rein.Place{Household: "home", User: "ann", Session: session}
	origins, err := past.Origins(h.Context(), h.store, place)
	h.check(err)
	runs, err := past.Runs(h.Context(), h.store, place, origins)
	h.check(err)
	var names []string
	for _, info := range runs {
		names = append(names, string(info.ID))
		if info.Erased != slices.Contains(erased, string(info.ID)) {
			h.Errorf("%s is shown as erased: %v", info.ID, info.Erased)
		}
	}
	if diff := cmp.Diff([]string{"r0", "r1", "b", "c"}, names); diff != "" {
		h.Errorf("the history of %s:\n%s", session, diff)
	}
}

// A fold of a branch goes with the fold of its origin that it took along.
func TestFoldsOfBranches(t *testing.T) {
	t.Parallel()
	h := family(t)
	h.start("r3", "ann", "s1", task("more"))
	h.folds("r3", "ann", "s1", "of the origin", "r0", "r1")
	h.end("r3", "done")
	h.start("b3", "ann", "b", task("more"))
	h.step("b3", "fold", nil, nil, func(ctx context.Context, tx rein.Tx) error {
		f := past.Fold{Digest: rein.Hash{9}, Base: rein.Hash{2, 7}, Runs: []rein.RunID{"b"}, Text: "of the branch"}
		return past.Keep(ctx, tx, rein.Place{Household: "home", User: "ann", Session: "b"}, f, past.Origin{Run: "b3", Step: "9", At: h.clock})
	})
	h.end("b3", "done")
	h.erases(member("ann"), erase.Target{Run: "r1"})
	if found := h.inTables("of the branch"); len(found) > 0 {
		t.Errorf("the fold of the branch is still in %q", found)
	}
}

// The summary that a run wrote goes with the run, although what it stands for stays: later runs read it no more.
func TestFoldGoesWithItsMaker(t *testing.T) {
	t.Parallel()
	h := family(t)
	h.start("r3", "ann", "s1", task("more"))
	h.folds("r3", "ann", "s1", "a bad summary", "r0", "r1")
	h.end("r3", "done")
	done := h.erases(member("ann"), erase.Target{Run: "r3"})
	if found := h.inTables("a bad summary"); len(found) > 0 {
		t.Errorf("the summary is still in %q; these went: %q", found, names(done))
	}
	if all := names(done); slices.Contains(all, "run r0") || slices.Contains(all, "run r1") {
		t.Errorf("what it stands for went too: %q", all)
	}
}

// An audit finds a branch that is kept otherwise than its log says.
func TestBranchesAreVerified(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"another run":     `UPDATE session_branches SET run = 'r1' WHERE session = 'b'`,
		"another session": `UPDATE session_branches SET origin = 'e' WHERE session = 'b'`,
		"a later moment":  `UPDATE session_branches SET until = until + 1 WHERE session = 'b'`,
		"none":            `DELETE FROM session_branches WHERE session = 'b'`,
		"one more":        `INSERT INTO session_branches (household, user_name, session, origin, run, until, created) SELECT household, user_name, 'x', origin, run, until, created FROM session_branches WHERE session = 'b'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := family(t)
			h.said("x", "ann", "x", "no branch")
			if wrong, err := branches.Verify(t.Context(), h.store); err != nil || len(wrong) > 0 {
				t.Fatalf("before: %q, %v", wrong, err)
			}
			h.exec(query)
			if wrong, err := branches.Verify(t.Context(), h.store); err != nil || len(wrong) == 0 {
				t.Errorf("nothing is found: %v", err)
			}
		})
	}
}
