package stage_test

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"rein"
	"rein/vault/stage"
)

// reachable lets somebody use everything but one folder.
type reachable struct{ not string }

func (r reachable) Path(path string) error {
	if r.not != "" && len(path) >= len(r.not) && path[:len(r.not)] == r.not {
		return rein.Errorf(rein.CodeForbidden, "%s is out of reach", path)
	}
	return nil
}

func (reachable) Session(string, string, string) error { return nil }

func (r *rig) person(user string) stage.Person {
	return stage.Person{Desk: r.desk, Household: "home", User: user, Reach: reachable{}}
}

// shown is the digest of what a session has staged.
func (r *rig) shown(p stage.Person, session string) string {
	r.t.Helper()
	draft, err := p.Draft(context.Background(), session)
	if err != nil {
		r.t.Fatal(err)
	}
	return draft.Shown
}

// A commit that is sent again is one commit, and nobody gets that of another by choosing the same key.
//
// Covers: HUM-34
func TestPersonCommitsOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p, ctx := r.person("ann"), t.Context()
	r.write("a.md", "one\n")
	r.mustStage("a.md", "two\n")
	shown := r.shown(p, "s1")
	done, err := p.Commit(ctx, "s1", "k", shown)
	if err != nil || r.notes()["a.md"] != "two\n" || len(r.staged()) != 0 || done.Run() != "" {
		t.Fatal(done, err)
	}
	if again, err := p.Commit(ctx, "s1", "k", shown); err != nil || again.ID != done.ID {
		t.Error(again, err)
	}
	if _, err := p.Commit(ctx, "s1", "k2", shown); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
	if c, err := r.person("bob").Commit(ctx, "s1", "k", shown); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(c, err)
	}
	if _, err := r.person("bob").Look(ctx, done.ID); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
	u, err := p.Look(ctx, done.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.person("bob").Undo(ctx, done.ID, "k", u.Shown); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
	back, err := p.Undo(ctx, done.ID, "k", u.Shown)
	if err != nil || r.notes()["a.md"] != "one\n" {
		t.Fatal(back, err)
	}
	if again, err := p.Undo(ctx, done.ID, "k", u.Shown); err != nil || again.ID != back.ID {
		t.Error(again, err)
	}
	if all, err := p.History(ctx, "", 10); err != nil || len(all) != 2 || all[0].ID != back.ID {
		t.Error(all, err)
	}
	if old, err := p.History(ctx, back.ID, 10); err != nil || len(old) != 1 || old[0].ID != done.ID {
		t.Error(old, err)
	}
}

// A process that dies right after a commit leaves it on the stage; the same commit again clears that.
func TestPersonCutOffAfterACommit(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.person("ann")
	r.write("a.md", "one\n")
	r.mustStage("a.md", "two\n")
	shown, cut := r.shown(p, "s1"), make(chan struct{})
	r.desk.OnPoint(func(point string) {
		if point == "clean" {
			runtime.Goexit()
		}
	})
	go func() {
		defer close(cut)
		_, _ = p.Commit(context.Background(), "s1", "k", shown)
	}()
	<-cut
	r.desk.OnPoint(func(string) {})
	if len(r.staged()) != 1 || r.notes()["a.md"] != "two\n" {
		t.Fatal("it was not cut off where it should be")
	}
	if draft, err := p.Draft(t.Context(), "s1"); err != nil || draft.Changes[0].Stale {
		t.Error(draft, err)
	}
	if _, err := p.Commit(t.Context(), "s1", "k", shown); err != nil || len(r.staged()) != 0 {
		t.Error(err)
	}
}

// The rules of a run's tools hold for a person too.
//
// Covers: HUM-41/notes
func TestPersonWithinTheRules(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx := t.Context()
	r.write("Secret/a.md", "one\n")
	r.mustStage("Secret/a.md", "two\n")
	p := r.person("ann")
	shown := r.shown(p, "s1")

	none, far, denied := p, p, p
	none.Reach = nil
	if _, err := none.Draft(ctx, "s1"); rein.CodeOf(err) != rein.CodeForbidden {
		t.Error(err)
	}
	far.Reach = reachable{not: r.desk.Locate("Secret/a.md")}
	draft, err := far.Draft(ctx, "s1")
	if err != nil || len(draft.Changes) != 1 || !draft.Changes[0].Denied || draft.Changes[0].Content != nil || draft.Changes[0].Base != nil {
		t.Errorf("%+v, %v", draft, err)
	}
	denied.Deny = []string{"commit_staged_changes", "undo_commit", "discard_staged_changes"}
	for name, who := range map[string]stage.Person{"nothing": none, "out of reach": far, "denied": denied} {
		if _, err := who.Commit(ctx, "s1", "k", shown); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := denied.Discard(ctx, "s1", nil); rein.CodeOf(err) != rein.CodeForbidden {
		t.Error(err)
	}
	done, err := p.Commit(ctx, "s1", "k", shown)
	if err != nil {
		t.Fatal(err)
	}
	u, err := p.Look(ctx, done.ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]stage.Person{"nothing": none, "out of reach": far, "denied": denied} {
		if _, err := who.Undo(ctx, done.ID, "k", u.Shown); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r.notes()["Secret/a.md"] != "two\n" {
		t.Error("it was taken back")
	}
}

// Two desks of one vault, under different rules, take turns: one does not end the commit that the other
// is in the middle of.
func TestDesksOfOneVaultTakeTurns(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	lock := stage.NewLock()
	one, other := stage.New(r.store, root, stage.Options{Lock: lock}), stage.New(r.store, root, stage.Options{Lock: lock})
	r.desk = one
	r.write("a.md", "one\n")
	r.mustStage("a.md", "two\n")
	met := 0
	one.OnPoint(func(point string) {
		if point != "placed" {
			return
		}
		met++
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		if _, _, err := other.Check(ctx, "x"); rein.CodeOf(err) != rein.CodeBusy {
			t.Errorf("the other desk did not wait: %v", err)
		}
	})
	if _, err := r.person("ann").Commit(t.Context(), "s1", "k", r.shown(r.person("ann"), "s1")); err != nil || met != 1 || r.notes()["a.md"] != "two\n" {
		t.Error(err, met)
	}
}
