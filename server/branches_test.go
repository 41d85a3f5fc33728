package server_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
	"rein/api/client"
)

// talks starts a run of ann's in a session, and waits for its end.
func (r *rig) talks(ann *client.Client, id rein.RunID, session string) {
	r.Helper()
	t := task("chat", "said in "+string(id))
	t.Session = session
	_, err := ann.Start(r.Context(), id, t)
	check(r, err)
	follow(r.T, ann, id, followAll).wantEnd()
}

// edits branches a session, and waits for the end of the first run.
func (r *rig) edits(ann *client.Client, id rein.RunID, session string, run rein.RunID) api.Started {
	r.Helper()
	started, err := ann.BranchSession(r.Context(), session, api.NewBranch{ID: id, Run: run, Task: task("chat", "said in "+string(id))})
	check(r, err)
	follow(r.T, ann, id, followAll).wantEnd()
	return started
}

// points is where a conversation has siblings: "run: session/run session/run".
func (r *rig) points(ann *client.Client, session string) string {
	r.Helper()
	list, err := ann.Branches(r.Context(), session)
	check(r, err)
	var lines []string
	for _, p := range list.Points {
		line := string(p.Run) + ":"
		for _, s := range p.Siblings {
			line += " " + s.Session + "/" + string(s.Run)
			if s.Title != "said in "+string(s.Run) {
				r.Errorf("%s is called %q", s.Run, s.Title)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// history is a conversation as IDs of runs, read in pages of two.
func (r *rig) history(ann *client.Client, session string) (ids []rein.RunID) {
	r.Helper()
	for after := rein.RunID(""); ; {
		page, err := ann.SessionHistory(r.Context(), session, after)
		check(r, err)
		for _, run := range page.Runs {
			ids = append(ids, run.ID)
		}
		if after = page.Next; after == "" {
			return ids
		}
	}
}

// A message that was edited has siblings, which every session lists that has one of them, the original first. To edit the
// first message of a branch makes one more sibling, and to edit what is inherited is to edit the original. A restart
// changes nothing of it.
//
// Covers: SD-94
func TestBranches(t *testing.T) {
	r := newRig(t)
	ann := r.as("ann")
	for _, id := range []rein.RunID{"r0", "r1", "r2"} {
		r.talks(ann, id, "s")
	}
	made := r.edits(ann, "b", "s", "r1")
	if made.Session != "b" || made.User != "ann" {
		t.Errorf("the branch: %+v", made)
	}
	r.talks(ann, "b2", "b")
	r.edits(ann, "c", "b", "b")  // the first message of a branch
	r.edits(ann, "d", "b", "b2") // a branch of a branch
	r.edits(ann, "e", "d", "r0") // what it inherits from both
	for range 2 {
		for session, want := range map[string]string{
			"s": "r0: s/r0 e/e\nr1: s/r1 b/b c/c",
			"b": "r0: s/r0 e/e\nb: s/r1 b/b c/c\nb2: b/b2 d/d",
			"c": "r0: s/r0 e/e\nc: s/r1 b/b c/c",
			"d": "r0: s/r0 e/e\nb: s/r1 b/b c/c\nd: b/b2 d/d",
			"e": "e: s/r0 e/e",
		} {
			if diff := cmp.Diff(want, r.points(ann, session)); diff != "" {
				t.Errorf("the branches of %s:\n%s", session, diff)
			}
		}
		for session, want := range map[string]string{"s": "[r0 r1 r2]", "b": "[r0 b b2]", "c": "[r0 c]", "d": "[r0 b d]", "e": "[e]"} {
			if got := fmt.Sprint(r.history(ann, session)); got != want {
				t.Errorf("the history of %s is %s, want %s", session, got, want)
			}
		}
		page, err := ann.Sessions(t.Context(), "")
		check(t, err)
		for _, session := range page.Sessions {
			want := map[string]rein.Branch{"b": {Session: "s", Run: "r1"}, "c": {Session: "s", Run: "r1"}, "d": {Session: "b", Run: "b2"}, "e": {Session: "s", Run: "r0"}}[session.ID]
			if got := session.BranchOf; (got == nil) != (want == rein.Branch{}) || got != nil && *got != want {
				t.Errorf("%s is a branch of %+v, want %+v", session.ID, got, want)
			}
		}
		r.stop()
		r.begin()
		ann = r.as("ann")
	}
}

// A branch is made once, by the user whose session it is, and only by this operation.
func TestBranchRefused(t *testing.T) {
	r := newRig(t)
	ann, bob := r.as("ann"), r.as("bob")
	r.talks(ann, "r0", "s")
	r.talks(ann, "x", "x")
	r.talks(ann, "taken1", "taken")
	body := api.NewBranch{ID: "b", Run: "r0", Task: task("chat", "said in b")}
	first, err := ann.BranchSession(t.Context(), "s", body)
	check(t, err)
	again, err := ann.BranchSession(t.Context(), "s", body)
	if err != nil || again.ID != first.ID || again.Session != "b" {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	other := body
	other.Task = task("chat", "said otherwise")
	named := body
	named.ID, named.Task.Session = "n", "s"
	for _, c := range []struct {
		what    string
		who     *client.Client
		session string
		body    api.NewBranch
		code    rein.Code
	}{
		{"another task", ann, "s", other, rein.CodeConflict},
		{"the same of another session", ann, "x", api.NewBranch{ID: "b", Run: "x", Task: body.Task}, rein.CodeConflict},
		{"a session that there is", ann, "s", api.NewBranch{ID: "taken", Run: "r0", Task: body.Task}, rein.CodeConflict},
		{"a run of another session", ann, "s", api.NewBranch{Run: "x", Task: body.Task}, rein.CodeNotFound},
		{"no run", ann, "s", api.NewBranch{Task: body.Task}, rein.CodeNotFound},
		{"a session that is named", ann, "s", named, rein.CodeInvalid},
		{"another's session", bob, "s", api.NewBranch{Run: "r0", Task: body.Task}, rein.CodeNotFound},
		{"a member's session", r.Client, "s", api.NewBranch{Run: "r0", Task: body.Task}, rein.CodeForbidden},
	} {
		_, err := c.who.BranchSession(t.Context(), c.session, c.body)
		wantCode(t, c.what, err, c.code)
	}
	claimed := task("chat", "x")
	claimed.Branch = &rein.Branch{Session: "s", Run: "r0"}
	_, err = ann.Start(t.Context(), "z", claimed)
	wantCode(t, "a branch by way of a start", err, rein.CodeInvalid, "/branches")
	for _, id := range []rein.RunID{"n", "z", "taken"} {
		_, err := ann.Run(t.Context(), id)
		wantCode(t, "what was refused", err, rein.CodeNotFound)
	}
	_, err = bob.SessionHistory(t.Context(), "b", "")
	wantCode(t, "another's history", err, rein.CodeNotFound)
}

// A fork of another's run is refused before anything starts, and so is one at a step that is not there.
func TestForkRefused(t *testing.T) {
	r := newRig(t)
	ann, bob := r.as("ann"), r.as("bob")
	r.talks(ann, "r0", "s")
	at := func(step rein.StepKey) api.NewFork { return api.NewFork{ID: "f", Step: step} }
	_, err := bob.Fork(t.Context(), "r0", at("1"))
	wantCode(t, "another's run", err, rein.CodeNotFound)
	_, err = r.Fork(t.Context(), "r0", at("1"))
	wantCode(t, "a member's run", err, rein.CodeForbidden)
	_, err = ann.Fork(t.Context(), "r0", at("9"))
	wantCode(t, "no such step", err, rein.CodeInvalid, `no step "9"`)
	foreign := task("chat", "x")
	foreign.Fork = &rein.Fork{Run: "r0", Step: "1"}
	_, err = bob.Start(t.Context(), "f", foreign)
	wantCode(t, "another's run by way of a start", err, rein.CodeNotFound)
	foreign.Fork.Step = "9"
	_, err = ann.Start(t.Context(), "f", foreign)
	wantCode(t, "no such step by way of a start", err, rein.CodeInvalid)
	_, err = ann.Run(t.Context(), "f")
	wantCode(t, "what was refused", err, rein.CodeNotFound)
	started, err := ann.Fork(t.Context(), "r0", at("1"))
	if err != nil || started.ID != "f" {
		t.Errorf("her own: %+v, %v", started, err)
	}
	follow(t, ann, "f", followAll).wantEnd()
}
