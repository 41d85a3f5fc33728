package erase_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/household/agenda"
	"rein/household/erase"
	"rein/household/memory"
	"rein/household/people"
	"rein/household/shelf"
	"rein/store"
)

// plants is where plant puts what must go.
var plants = []string{
	"task", "title", "answer", "ask", "child", "long", "file", "staged", "committed", "agreed", "delivery", "rule", "child's rule", "later", "fold", "fork",
	"memory", "news", "reader", "neighbour", "summary", "of the day", "reads the summary",
}

func planted(where string) string { return "PLANTED " + where + "." }

// plant makes a household in which run r1 of ann is quoted in every way there is. What must go holds the
// word PLANTED with where it is; what must stay holds KEPT.
func plant(t *testing.T) *house {
	t.Helper()
	h := newHouse(t)
	long := planted("long") + strings.Repeat(" and so on", 100)
	h.said("r0", "ann", "s1", "KEPT before")

	h.start("r1", "ann", "s1", task(planted("title")+"\n"+planted("task")))
	ask := &rein.Ask{ID: "r1:1.ask", Run: "r1", Step: "1", Kind: rein.AskQuestion, Text: planted("ask"), State: rein.AskPending, Opened: h.clock}
	h.append("r1", store.Draft{Kind: rein.AskOpened, Step: "1.ask", At: h.tick(), Data: ask, Opens: ask})
	h.start("r1.c", "ann", "s1", task(planted("child")))
	h.end("r1.c", planted("child"))
	h.step("r1", "look", nil, map[string]string{"found": long}, nil)
	h.stages("r1", "ann", "s1", "garden.md", planted("committed"))
	h.commits("r1", "ann", "s1")
	h.stages("r1", "ann", "s1", "roof.md", planted("agreed"))
	h.agrees("ann", "s1")
	h.stages("r1", "ann", "s1", "shed.md", planted("staged"))
	h.end("r1", planted("answer"))
	h.puts("ann", "s1", "left.txt", planted("file"))
	h.exec(`UPDATE session_files SET run = 'r1.c', step = '2' WHERE name = 'left.txt'`)
	h.puts("ann", "s1", "brought.txt", "KEPT brought")
	h.delivers("d1", "ann", "r1", planted("delivery"))
	h.delivers("d2", "ann", "r0", "KEPT delivery")

	h.allows("ann", "s1", "r1:1.ask", rein.ScopeAlways, planted("rule"))
	h.allows("ann", "s1", "r1.c:1.ask", rein.ScopeSession, planted("child's rule"))
	h.allows("ann", "s1", "r0:1.ask", rein.ScopeSession, "KEPT rule")
	h.allows("ann", "s2", "o1:1.ask", rein.ScopeAlways, "OTHER rule")

	h.start("r2", "ann", "s1", task(planted("later")))
	h.folds("r2", "ann", "s1", planted("fold"), "r0", "r1")
	h.end("r2", planted("later"))
	h.start("f1", "ann", "s9", rein.Task{Messages: task(planted("fork")).Messages, Fork: &rein.Fork{Run: "r1"}})
	h.end("f1", planted("fork"))

	h.remembers("m-r0", "r0", "ann", "KEPT memory", "KEPT news")
	h.remembers("m-r1", "r1", "ann", planted("memory"), planted("news"))
	h.said("bg", "ann", "background-ann", "KEPT in the background")
	h.start("x1", "ann", "s2", task(planted("reader")))
	h.step("x1", "context.memories", nil, items(planted("memory"), "KEPT memory"), nil)
	h.end("x1", planted("reader"))
	h.start("y1", "bob", "s3", task(planted("neighbour")))
	h.step("y1", "context.snapshots", nil, items(planted("news")), nil)
	h.end("y1", planted("neighbour"))

	h.sumsUp("s-1", "ann", map[string]string{"session": "s1"}, nil, memory.Summary{Kind: memory.OfSession, About: "s1", Text: planted("summary")})
	h.sumsUp("d-1", "ann", map[string]string{"day": "2026-03-01"}, items(planted("summary")), memory.Summary{Kind: memory.OfDay, About: "2026-03-01", Text: planted("of the day")})
	h.start("x2", "ann", "s4", task(planted("reads the summary")))
	h.step("x2", "context.summaries", nil, items(planted("of the day")), nil)
	h.end("x2", planted("reads the summary"))

	h.said("o1", "ann", "s5", "KEPT other")
	h.said("o2", "bob", "s6", "KEPT of bob")
	return h
}

// kept is what must still be there.
var kept = []string{"KEPT before", "KEPT brought", "KEPT delivery", "KEPT rule", "OTHER rule", "KEPT memory", "KEPT news", "KEPT in the background", "KEPT other", "KEPT of bob"}

// Everything that quotes a run goes with it, and not a byte of it stays in the file, in the pages that are
// no longer used, or in the write-ahead log. The chains and a head from before still hold.
//
// Covers: ENG-36 ENG-37 ENG-13
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	h := plant(t)
	for _, where := range plants {
		if len(h.everywhere(planted(where))) == 0 {
			t.Fatalf("%q was not planted: this test shows nothing", where)
		}
	}
	head := h.head()
	plan := h.erases(owner, erase.Target{Run: "r1"})
	if got := h.everywhere("PLANTED"); len(got) > 0 {
		t.Errorf("files hold what was erased: %q", got)
	}
	if got := h.inTables("PLANTED"); len(got) > 0 {
		t.Errorf("tables hold what was erased: %q", got)
	}
	for _, text := range kept {
		if len(h.inTables(text)) == 0 {
			t.Errorf("%q went too", text)
		}
	}
	if diff := cmp.Diff([]string{"d-1", "f1", "m-r1", "r1", "r2", "s-1", "x1", "x2", "y1"}, runsOf(plan)); diff != "" {
		t.Error(diff)
	}
	if plan.Left != 0 {
		t.Errorf("%d runs are left", plan.Left)
	}
	h.sound(head)
	h.check(h.store.Close())
	h.open()
	if got := h.everywhere("PLANTED"); len(got) > 0 {
		t.Errorf("after a restart files hold what was erased: %q", got)
	}
	h.sound(head)
}

// A member takes along what is their own. What another user's run quotes stays, and they are told so.
func TestMemberLeavesOthers(t *testing.T) {
	t.Parallel()
	h := plant(t)
	plan := h.erases(member("ann"), erase.Target{Run: "r1"})
	if slices.Contains(runsOf(plan), "y1") || plan.Left != 1 {
		t.Errorf("bob's run: %d left, %q", plan.Left, runsOf(plan))
	}
	for _, where := range plants {
		found := h.everywhere(planted(where))
		if mine := where != "news" && where != "neighbour"; mine && len(found) > 0 || !mine && len(found) == 0 {
			t.Errorf("%s is in %q", where, found)
		}
	}
	h.sound(rein.Hash{})
}

// A child is quoted by its parent, so its whole tree goes. A session and a user take along all of theirs.
func TestTargets(t *testing.T) {
	t.Parallel()
	t.Run("child", func(t *testing.T) {
		t.Parallel()
		h := plant(t)
		if got := runsOf(h.erases(owner, erase.Target{Run: "r1.c"})); !slices.Contains(got, "r1") || slices.Contains(got, "r0") {
			t.Error(got)
		}
		if got := h.everywhere("PLANTED"); len(got) > 0 {
			t.Error(got)
		}
	})
	t.Run("session", func(t *testing.T) {
		t.Parallel()
		h := plant(t)
		plan := h.erases(member("ann"), erase.Target{Session: "s1"})
		for _, want := range []string{"run r0", "run r1", "run r2", "run m-r0", "file brought.txt", "file left.txt", "staged note shed.md", "note commit garden.md in r1:7", "delivery d2", "fold fold 1"} {
			if !slices.Contains(names(plan), want) {
				t.Errorf("%s is not among %q", want, names(plan))
			}
		}
		for _, text := range []string{"KEPT before", "KEPT brought", "KEPT delivery", "KEPT rule", planted("answer")} {
			if got := h.everywhere(text); len(got) > 0 {
				t.Errorf("%q is in %q", text, got)
			}
		}
		if len(h.inTables("OTHER rule")) == 0 {
			t.Error("a rule of another session went too")
		}
		if len(h.inTables("KEPT other")) == 0 {
			t.Error("another session went too")
		}
		h.sound(rein.Hash{})
	})
	t.Run("user", func(t *testing.T) {
		t.Parallel()
		h := plant(t)
		head := h.head()
		_, _, err := h.people.NewToken(t.Context(), owner, people.TokenRequest{User: "ann", Label: "KEPT phone"})
		h.check(err)
		h.exec(`INSERT INTO preferences (household, user_name, key, value, changed) VALUES ('home', 'ann', 'tea', 'KEPT tea', 1), ('home', 'bob', 'tea', 'BOB tea', 1)`)
		if _, err := h.eraser.Plan(t.Context(), member("ann"), erase.Target{User: "ann"}); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("a member erases a user: %v", err)
		}
		h.erases(owner, erase.Target{User: "ann"})
		for _, text := range []string{"PLANTED", "KEPT before", "KEPT memory", "KEPT tea", "KEPT phone", "KEPT other"} {
			if got := h.everywhere(text); len(got) > 0 {
				t.Errorf("%q is in %q", text, got)
			}
		}
		for _, text := range []string{"KEPT of bob", "BOB tea"} {
			if len(h.inTables(text)) == 0 {
				t.Errorf("%q went too", text)
			}
		}
		h.sound(head)
	})
}

// Events that a run wrote go with the run, and all of a user's with the user: the addresses of their agenda too.
//
// Covers: ENG-36
func TestEvents(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.said("r1", "ann", "s1", "Said.")
	book := agenda.Book{Tables: h.store}
	add := func(id, user, title string, runs ...rein.RunID) {
		e, err := agenda.Draft{Title: title, Notes: title, Start: "2096-11-24T09:00", Alarms: []int{30}}.Event(agenda.Owner{Household: "home", User: user}, "UTC")
		h.check(err)
		e.ID, e.UID, e.Runs = id, id, runs
		h.check(book.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error { return book.Add(ctx, tx, e) }))
	}
	add("event-of-a-run", "ann", "PLANTED by a run", "r1")
	add("e2", "ann", "KEPT by hand")
	add("e3", "bob", "KEPT of bob", "r9")
	_, feed, err := book.NewFeed(t.Context(), agenda.Owner{Household: "home", User: "ann"})
	h.check(err)
	plan := h.erases(member("ann"), erase.Target{Run: "r1"})
	if !slices.Contains(names(plan), "event event-of-a-run") {
		t.Errorf("the event is not listed: %q", names(plan))
	}
	if found := slices.Concat(h.everywhere("PLANTED"), h.inTables("PLANTED"), h.inTables("event-of-a-run")); len(found) > 0 {
		t.Errorf("the event of the run is still in %q", found)
	}
	if len(h.inTables("KEPT by hand")) == 0 {
		t.Error("another event went too")
	}
	h.erases(owner, erase.Target{User: "ann"})
	for _, text := range []string{"KEPT by hand", feed.ID} {
		if found := slices.Concat(h.everywhere(text), h.inTables(text)); len(found) > 0 {
			t.Errorf("%q is still in %q", text, found)
		}
	}
	if len(h.inTables("KEPT of bob")) == 0 {
		t.Error("an event of another user went too")
	}
}

// What is erased is what was shown.
func TestWhatWasShown(t *testing.T) {
	t.Parallel()
	h := plant(t)
	ann, of := member("ann"), erase.Target{Run: "r1"}
	plan, err := h.eraser.Plan(t.Context(), ann, of)
	h.check(err)
	h.said("r3", "ann", "s1", "One more of the session.")
	for _, shown := range []string{plan.Shown, "", "something else"} {
		_, err := h.eraser.Erase(t.Context(), ann, of, shown)
		if code := rein.CodeOf(err); code != rein.CodeConflict && code != rein.CodeInvalid {
			t.Errorf("shown %q: %v", shown, err)
		}
	}
	if len(h.everywhere(planted("answer"))) == 0 {
		t.Error("it was erased all the same")
	}
	h.erases(ann, of)
	if plan := h.erases(ann, of); len(plan.Items) != 0 || plan.Left != 0 {
		t.Errorf("the second time: %+v", plan)
	}
	h.said("r4", "ann", "s1", "KEPT after it")
	if plan := h.erases(ann, of); len(plan.Items) != 0 {
		t.Errorf("what came after it: %+v", plan)
	}
}

// A run that has not ended is refused by name, and nothing goes.
func TestUnfinishedIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		begin  func(*house)
		target erase.Target
		says   string
	}{
		{"itself", func(h *house) { h.start("u1", "ann", "s7", task("Wait.")) }, erase.Target{Run: "u1"}, "run u1 has not ended"},
		{"a later run of the session", func(h *house) { h.start("u1", "ann", "s1", task("Wait.")) }, erase.Target{Run: "r1"}, "run u1 has not ended"},
		{"one that read a memory", func(h *house) {
			h.start("u1", "ann", "s7", task("Wait."))
			h.step("u1", "context.memories", nil, items(planted("memory")), nil)
			h.append("u1", store.Draft{Kind: rein.RunParked, At: h.tick(), Data: rein.Parked{}, Status: rein.StatusWaiting})
		}, erase.Target{Run: "r1"}, "run u1 has not ended"},
		{"one that may be reading", func(h *house) { h.start("u1", "ann", "s7", task("Wait.")) }, erase.Target{Run: "r1"}, "run u1 is under way and may have read"},
		{"a child", func(h *house) {
			h.start("u1", "ann", "s7", task("Wait."))
			h.start("u1.c", "ann", "s7", task("Wait."))
		}, erase.Target{Session: "s7"}, "run u1"},
		{"of the user", func(h *house) { h.start("u1", "ann", "s7", task("Wait.")) }, erase.Target{User: "ann"}, "run u1 has not ended"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := plant(t)
			plan, err := h.eraser.Plan(t.Context(), owner, erase.Target{Run: "o1"})
			h.check(err)
			c.begin(h)
			for _, err := range []error{
				second(h.eraser.Plan(t.Context(), owner, c.target)),
				second(h.eraser.Erase(t.Context(), owner, c.target, plan.Shown)),
			} {
				if rein.CodeOf(err) != rein.CodeBusy || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%v, want %q", err, c.says)
				}
			}
			if len(h.everywhere(planted("answer"))) == 0 {
				t.Error("it was erased all the same")
			}
			h.erases(owner, erase.Target{Run: "o1"}) // what has nothing to do with it
		})
	}
}

func second[T any](_ T, err error) error { return err }

// Wrong names get clear errors, and what is another's does not exist.
func TestRefused(t *testing.T) {
	t.Parallel()
	h := plant(t)
	stranger := rein.Identity{Household: "other", User: "ann", Role: rein.Owner, Scopes: rein.Scopes()}
	viewer := rein.Identity{Household: "home", User: "eve", Role: rein.Viewer, Scopes: rein.Viewer.Scopes()}
	for _, c := range []struct {
		who  rein.Identity
		of   erase.Target
		code rein.Code
	}{
		{owner, erase.Target{}, rein.CodeInvalid},
		{owner, erase.Target{Run: "r1", Session: "s1"}, rein.CodeInvalid},
		{owner, erase.Target{Run: "../r1"}, rein.CodeInvalid},
		{owner, erase.Target{Run: "r1'; DROP TABLE runs; --"}, rein.CodeInvalid},
		{owner, erase.Target{Run: "nope"}, rein.CodeNotFound},
		{owner, erase.Target{Session: "no\x00pe"}, rein.CodeNotFound},
		{owner, erase.Target{Session: "s%"}, rein.CodeNotFound},
		{owner, erase.Target{User: "nobody"}, rein.CodeNotFound},
		{owner, erase.Target{User: "owner"}, rein.CodeConflict}, // the last one
		{member("bob"), erase.Target{Run: "r1"}, rein.CodeNotFound},
		{member("bob"), erase.Target{Session: "s1"}, rein.CodeNotFound},
		{viewer, erase.Target{Run: "r1"}, rein.CodeForbidden},
		{stranger, erase.Target{Run: "r1"}, rein.CodeNotFound},
		{stranger, erase.Target{Session: "s1"}, rein.CodeNotFound},
		{stranger, erase.Target{User: "bob"}, rein.CodeNotFound},
	} {
		plan, err := h.eraser.Plan(t.Context(), c.who, c.of)
		if err == nil {
			_, err = h.eraser.Erase(t.Context(), c.who, c.of, plan.Shown)
		}
		if rein.CodeOf(err) != c.code {
			t.Errorf("%s of %s erases %+v: %v, want %s", c.who.User, c.who.Household, c.of, err, c.code)
		}
	}
	if len(h.everywhere(planted("answer"))) == 0 {
		t.Error("something was erased")
	}
	h.sound(rein.Hash{})
}

// Names that look like something else are names.
func TestOddNames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for i, session := range []string{"a b", "ünï/çødé", "%", "_", "x'y\"z", strings.Repeat("long", 50)} {
		run := rein.RunID(fmt.Sprint("q", i))
		h.said(run, "ann", session, planted(session))
		_, err := shelf.Shelf{Tables: h.store}.Put(t.Context(), rein.Place{Household: "home", User: "ann", Session: session}, "ä%_'.txt", "text/plain", strings.NewReader(planted(session)))
		h.check(err)
		plan := h.erases(member("ann"), erase.Target{Session: session})
		if diff := cmp.Diff([]string{string(run)}, runsOf(plan)); diff != "" {
			t.Errorf("session %q: %s", session, diff)
		}
	}
	if got := h.everywhere("PLANTED"); len(got) > 0 {
		t.Error(got)
	}
}
