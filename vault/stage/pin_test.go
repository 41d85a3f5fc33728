package stage_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"rein"
	"rein/vault/stage"
)

// Something is staged after what was shown was compared, before the journal is written: nothing reaches
// the disk. Staged after the journal it stays staged, and only what was shown is written.
//
// Covers: HUM-34
// Attack: 50
func TestStagedAtEachPointOfACommit(t *testing.T) {
	late := map[string]func(r *rig) error{
		"another note":            func(r *rig) error { return r.stage("late.md", "unseen") },
		"the same note":           func(r *rig) error { return r.stage("a.md", "unseen") },
		"one note less":           func(r *rig) error { return r.discard("a.md") },
		"the other order of them": func(r *rig) error { return cmpOr(r.discard("a.md"), r.stage("a.md", "ours a")) },
	}
	for what, do := range late {
		for _, point := range []string{"compared", "journal", "new", "placed", "done"} {
			t.Run(what+" at "+point, func(t *testing.T) {
				r := newRig(t)
				r.write("a.md", "base a")
				r.mustStage("a.md", "ours a")
				r.mustStage("b.md", "ours b")
				shown := r.pin()
				var once sync.Once
				r.desk.OnPoint(func(p string) {
					if p == point {
						once.Do(func() {
							if err := do(r); err != nil && rein.CodeOf(err) != rein.CodeConflict { // it is on the disk by then
								t.Error(err)
							}
						})
					}
				})
				c, err := r.desk.Commit(t.Context(), ann, "k", shown)
				if point == "compared" {
					wantCode(t, "commit", err, rein.CodeConflict, "not what the user was shown")
					r.want(map[string]string{"a.md": "base a"})
					return
				}
				if err != nil || r.settle(c) != nil {
					t.Fatal(err)
				}
				r.want(map[string]string{"a.md": "ours a", "b.md": "ours b"})
			})
		}
	}
}

// discard takes a note off the stage.
func (r *rig) discard(path string) error {
	_, drop, err := r.desk.Discard(context.Background(), ann, []string{path})
	if err != nil {
		return err
	}
	return r.store.Write(context.Background(), drop)
}

// One session stages and commits without pause what it was shown; others stage into it at the same time.
// Whatever reaches the disk was shown to somebody who committed exactly that.
//
// Attack: 50
func TestStagersRaceCommit(t *testing.T) {
	r := newRig(t)
	seen := map[string]bool{}
	stop := make(chan struct{})
	call := r.invocation(ann)
	var stagers sync.WaitGroup
	for who := range 2 {
		stagers.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				inv := call
				inv.Run, inv.Step = rein.RunID(fmt.Sprint("stager-", who)), rein.StepKey(fmt.Sprint(n))
				text := fmt.Sprintf("%d of %d", n, who)
				_, write, err := r.desk.Stage(context.Background(), inv, fmt.Sprintf("%d.md", who), func(stage.Note) ([]byte, error) { return []byte(text), nil })
				if err == nil {
					err = r.store.Write(context.Background(), write)
				}
				if err != nil && rein.CodeOf(err) != rein.CodeConflict {
					t.Error(err)
					return
				}
			}
		})
	}
	happened, refused := 0, 0
	for n := 0; happened < 10 && n < 2000; n++ {
		staged, err := r.desk.List(t.Context(), ann)
		if err != nil {
			t.Fatal(err)
		}
		if len(staged) == 0 {
			continue
		}
		for _, c := range staged {
			seen[c.Path+": "+string(c.Content)] = true
		}
		c, err := r.desk.Commit(t.Context(), ann, fmt.Sprint("k", n), r.desk.Pin(staged))
		if err != nil {
			refused++
			wantCode(t, "commit", err, rein.CodeConflict)
			continue
		}
		happened++
		for path, text := range r.notes() {
			if !seen[path+": "+text] {
				t.Fatalf("%s holds %q, which nobody was shown", path, text)
			}
		}
		if err := r.settle(c); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	stagers.Wait()
	t.Logf("%d happened, %d were refused", happened, refused)
	if refused == 0 {
		t.Error("nothing was ever staged in between")
	}
}

// An undo restores what was shown, or nothing; and neither is done without a pin, or with that of the
// other, of another user, or of another vault.
//
// Covers: HUM-34
// Attack: 50
func TestPinsAreOfOneThing(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "base")
	r.mustStage("a.md", "one")
	first := r.pin()
	for _, pin := range []string{"", "0", first[:16], first + "0", stage.ID(r.changes())} {
		if _, err := r.desk.Commit(t.Context(), ann, "no", pin); err == nil {
			t.Errorf("committed with pin %q", pin)
		}
	}
	other := newRig(t)
	other.write("a.md", "base")
	other.mustStage("a.md", "one")
	if other.pin() == first {
		t.Error("another vault has the same pin")
	}
	if _, err := r.commit("k1"); err != nil {
		t.Fatal(err)
	}
	c, changes, err := r.desk.Undoable(t.Context(), ann, "k1")
	if err != nil {
		t.Fatal(err)
	}
	undo := r.desk.PinUndo(c, changes)
	for _, pin := range []string{"", first, r.desk.Pin(changes), r.desk.Pin(stage.Reverse(changes)), undo[:16]} {
		if _, err := r.desk.Undo(t.Context(), ann, "no", "k1", pin); err == nil {
			t.Errorf("undone with pin %q", pin)
		}
	}
	r.want(map[string]string{"a.md": "one"})
	var once sync.Once
	r.desk.OnPoint(func(point string) {
		if point == "compared" { // the session goes, and with it what could be restored
			once.Do(func() {
				if err := r.forget(); err != nil {
					t.Error(err)
				}
			})
		}
	})
	_, err = r.desk.Undo(t.Context(), ann, "u", "k1", undo)
	wantCode(t, "undo", err, rein.CodeConflict, "not what the user was shown")
	r.want(map[string]string{"a.md": "one"})
}

func (r *rig) changes() []stage.Change {
	r.t.Helper()
	staged, err := r.desk.List(context.Background(), ann)
	if err != nil {
		r.t.Fatal(err)
	}
	return staged
}
