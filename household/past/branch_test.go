package past_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rein"
)

// branch is the task of a session that leaves another one at a run.
func branch(session string, at rein.RunID, said string, tools ...string) rein.Task {
	t := task("operate", "", said, tools...)
	t.Branch = &rein.Branch{Session: session, Run: at}
	return t
}

// knows wants a prompt to hold some texts and not others.
func knows(t *testing.T, r rein.ModelRequest, some, none []string) {
	t.Helper()
	text := said(r)
	for _, want := range some {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not know %q:\n%s", r.Run, want, text)
		}
	}
	for _, other := range none {
		if strings.Contains(text, other) {
			t.Errorf("%s knows %q:\n%s", r.Run, other, text)
		}
	}
}

// A branch knows what its session said before the run whose message was edited, in the words in which that session knows
// it, and what it said itself: nothing of what comes later there, also after a restart. So does a branch of a branch.
//
// Covers: SD-94 ENG-13
func TestBranchKnowsWhatCameBefore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.play = answerAll(h.model)
	for i := range 4 {
		h.do(rein.RunID(fmt.Sprint("r", i)), task("operate", "s1", fmt.Sprintf("Task %d.", i), "look"))
	}
	asked := h.model.requests()
	original := asked[slices.IndexFunc(asked, func(r rein.ModelRequest) bool { return r.Run == "r2" })]
	h.do("b", branch("s1", "r2", "Another task.", "look"))
	first := h.model.requests()[0]
	knows(t, first, []string{"Task 0.", "The answer of r0.", "Task 1.", "The answer of r1.", "Another task."}, []string{"Task 2.", "r2", "Task 3.", "r3"})
	if got, want := strings.Replace(said(first), "Another task.", "Task 2.", 1), said(original); got != want {
		t.Errorf("the prompt of the branch has\n%s\nand that of its session had\n%s", got, want)
	}
	h.do("r4", task("operate", "s1", "Task 4.", "look"))
	h.reopen()
	h.model.requests()
	h.do("b2", task("operate", "b", "And then?", "look"))
	knows(t, h.model.requests()[0], []string{"Task 0.", "Task 1.", "Another task.", "The answer of b.", "And then?"}, []string{"Task 2.", "Task 3.", "Task 4."})
	h.do("c", branch("b", "b2", "Or then?", "look"))
	knows(t, h.model.requests()[0], []string{"Task 0.", "Task 1.", "Another task.", "Or then?"}, []string{"And then?", "The answer of b2.", "Task 2."})
	h.do("d", branch("s1", "r0", "From the start.", "look"))
	knows(t, h.model.requests()[0], []string{"From the start."}, []string{"Task", "The answer of"})
	h.do("r5", task("operate", "s1", "Task 5.", "look"))
	knows(t, h.model.requests()[0], []string{"Task 2.", "Task 3.", "Task 4."}, []string{"Another task.", "And then?", "From the start."})
}

// The session of a branch is made with its first run, in one transaction. What does not fit is refused, and nothing is
// left of it.
func TestBranchOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.play = answerAll(h.model)
	h.do("r0", task("operate", "s1", "Task 0.", "look"))
	h.do("x0", task("operate", "taken", "Task x.", "look"))
	bobs := branch("s1", "r0", "Mine.")
	bobs.User = "bob"
	named := branch("s1", "r0", "Named.")
	named.Session = "s1"
	for _, c := range []struct {
		id   rein.RunID
		task rein.Task
		code rein.Code
	}{
		{"b1", branch("s1", "x0", "Of another session."), rein.CodeNotFound},
		{"b2", branch("s1", "r9", "Of no run."), rein.CodeNotFound},
		{"b3", branch("s2", "r0", "Of another name."), rein.CodeNotFound},
		{"b4", bobs, rein.CodeNotFound},
		{"b5", named, rein.CodeInvalid},
		{"taken", branch("s1", "r0", "A session that there is."), rein.CodeConflict},
	} {
		_, err := h.Engine.Start(t.Context(), c.id, c.task)
		if rein.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", c.id, err, c.code)
		}
		if _, err := h.Store.Run(t.Context(), c.id); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("%s is there: %v", c.id, err)
		}
	}
	h.do("taken2", task("operate", "taken", "Later.", "look"))
	last := h.model.requests()
	knows(t, last[len(last)-1], []string{"Task x."}, []string{"Task 0."})
}

// A fold of the session stands for what a branch inherits, if it stands for nothing else. The branch folds it into its own.
func TestBranchUsesFolds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.play = answerAll(h.model)
	for i := range 30 {
		h.do(rein.RunID(fmt.Sprintf("r%02d", i)), task("operate", "s1", fmt.Sprintf("Task %d: %s", i, strings.Repeat("look at it well ", 40)), "look"))
	}
	made := h.folds("s1")
	if len(made) < 2 {
		t.Fatalf("%d folds were made: this test shows nothing", len(made))
	}
	asked := h.model.requests()
	late := asked[slices.IndexFunc(asked, func(r rein.ModelRequest) bool { return strings.Contains(said(r), made[0]) && r.Phase != "compact" })].Run
	next := rein.RunID(fmt.Sprintf("r%02d", number(t, late)+1))
	h.do("b", branch("s1", next, "Another task.", "look"))
	first := h.model.requests()
	knows(t, first[0], []string{made[0], "Another task."}, made[1:])
	if n := count(first, "compact"); n != 0 {
		t.Errorf("%d folds were made again", n)
	}
	h.do("c", branch("s1", "r02", "An early one.", "look"))
	knows(t, h.model.requests()[0], []string{"Task 0:", "Task 1:", "An early one."}, append(made, "Task 2:"))
	for i := range 30 {
		h.do(rein.RunID(fmt.Sprintf("b%02d", i)), task("operate", "b", fmt.Sprintf("More %d: %s", i, strings.Repeat("look at it well ", 40)), "look"))
	}
	own := h.folds("b")
	if len(own) == 0 {
		t.Fatal("the branch has no folds of its own")
	}
	asked = h.model.requests()
	knows(t, asked[len(asked)-1], own[len(own)-1:], []string{made[0]})
}

func number(t *testing.T, run rein.RunID) (n int) {
	t.Helper()
	if _, err := fmt.Sscanf(string(run), "r%d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}
