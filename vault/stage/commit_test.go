package stage_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/vault/stage"
)

// Nothing reaches the disk before the commit, which writes everything, keeps the mode of files, makes
// folders, and can be undone to the byte; and the undo can be undone.
//
// Covers: HUM-34
func TestCommitAndUndo(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "one\r\ntwo")
	if err := os.Chmod(filepath.Join(r.dir, "a.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	before := r.notes()
	r.mustStage("a.md", "one\r\ntwo\r\nthree")
	r.mustStage("deep/er/日本 née.md", "new\n")
	r.want(before)

	c, err := r.commit("r1:9")
	if err != nil {
		t.Fatal(err)
	}
	after := map[string]string{"a.md": "one\r\ntwo\r\nthree", "deep/": "", "deep/er/": "", "deep/er/日本 née.md": "new\n"}
	r.want(after)
	if info, err := os.Stat(filepath.Join(r.dir, "a.md")); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode became %v (%v)", info.Mode(), err)
	}
	if got := r.staged(); len(got) != 0 {
		t.Errorf("still staged: %q", got)
	}
	if again, err := r.desk.Commit(t.Context(), ann, "r1:9", r.pin()); err != nil || again.ID != c.ID || len(again.Notes) != 2 {
		t.Errorf("the same commit again: %+v, %v", again, err)
	}

	_, err = r.undo(rein.Place{Household: "home", User: "bob", Session: "s1"}, "x", "r1:9")
	wantCode(t, "another's commit", err, rein.CodeNotFound)
	if _, err := r.undo(rein.Place{Household: "home", User: "ann", Session: "s2"}, "r2:1", "r1:9"); err != nil {
		t.Fatal(err)
	}
	r.want(before)
	_, err = r.undo(ann, "r2:2", "r1:9")
	wantCode(t, "undo twice", err, rein.CodeConflict, "r2:1")
	if _, err := r.undo(ann, "r2:3", "r2:1"); err != nil {
		t.Fatal(err)
	}
	r.want(after)
	if kept := r.sweep(); len(kept) > 0 || len(r.leftover()) > 0 {
		t.Errorf("left over: %q %q", kept, r.leftover())
	}
}

// A note that changed after it was staged stops the whole commit, and an undo likewise; both name
// every such note.
//
// Covers: HUM-34
func TestConflict(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "a")
	r.write("b.md", "b")
	for _, path := range []string{"a.md", "b.md", "c.md", "d.md"} {
		r.mustStage(path, "mine")
	}
	r.write("b.md", "theirs")
	r.write("c.md", "theirs too")
	if err := os.Remove(filepath.Join(r.dir, "a.md")); err != nil {
		t.Fatal(err)
	}
	before := r.notes()
	_, err := r.commit("k1")
	wantCode(t, "commit", err, rein.CodeConflict, `"a.md" does not exist any more`, `"b.md" was changed`, `"c.md" exists by now`)
	r.want(before)
	if got := r.staged(); len(got) != 4 {
		t.Errorf("staged is %q", got)
	}
	wantCode(t, "stage on top", r.stage("b.md", "more"), rein.CodeConflict, "discard_staged_changes")

	_, drop, err := r.desk.Discard(t.Context(), ann, []string{"a.md", "b.md", "./c.md"})
	if err != nil || r.store.Write(t.Context(), drop) != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"d.md"}, r.staged()); diff != "" {
		t.Error(diff)
	}
	if _, err := r.commit("k2"); err != nil {
		t.Fatal(err)
	}
	r.write("d.md", "edited since")
	_, err = r.undo(ann, "k3", "k2")
	wantCode(t, "undo", err, rein.CodeConflict, `"d.md" was changed`)
	if r.notes()["d.md"] != "edited since" {
		t.Error("an undo wrote over an edit")
	}
}

// What is on the disk already is no conflict, and nothing is written for it.
func TestAlreadySo(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "a")
	r.mustStage("a.md", "b")
	r.write("a.md", "b")
	if _, err := r.commit("k"); err != nil || len(r.staged()) > 0 {
		t.Errorf("%v, staged %q", err, r.staged())
	}
	r.mustStage("a.md", "c")
	r.mustStage("a.md", "b")
	if len(r.staged()) > 0 {
		t.Error("a change that changes nothing is staged")
	}
	_, err := r.commit("k2")
	wantCode(t, "nothing", err, rein.CodeInvalid, "nothing is staged")
}

// Changes of one note build on each other, also if they were made side by side; a step counts once.
func TestChangesAddUp(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "0")
	add := func(text string) stage.Edit {
		return func(n stage.Note) ([]byte, error) { return append(bytes.Clone(n.Content), text...), nil }
	}
	var writes []func(context.Context, rein.Tx) error
	for _, text := range []string{"1", "2", "3"} {
		_, write, err := r.desk.Stage(t.Context(), r.invocation(ann), "a.md", add(text))
		if err != nil {
			t.Fatal(err)
		}
		writes = append(writes, write)
	}
	for _, i := range []int{0, 1, 2, 2} {
		if err := r.store.Write(t.Context(), writes[i]); err != nil {
			t.Fatal(err)
		}
	}
	n, err := r.desk.Read(t.Context(), ann, "a.md")
	if err != nil || string(n.Content) != "0123" || !n.Staged {
		t.Errorf("%q %v", n.Content, err)
	}
	n, err = r.desk.Read(t.Context(), rein.Place{Household: "home", User: "ann", Session: "other"}, "a.md")
	if err != nil || string(n.Content) != "0" || n.Staged {
		t.Errorf("another session sees %q %v", n.Content, err)
	}
}

// A change that was staged while the commit was under way stays staged, upon what was written.
func TestStagedMeanwhile(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "0")
	r.mustStage("a.md", "1")
	c, err := r.desk.Commit(t.Context(), ann, "k", r.pin())
	if err != nil {
		t.Fatal(err)
	}
	// The note on the disk is not what it was staged upon, so only a step from before can do this.
	if err := r.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE staged_notes SET content = ?, hash = ?`, []byte("2"), stage.Hash([]byte("2")))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := r.settle(c); err != nil {
		t.Fatal(err)
	}
	if _, err := r.commit("k2"); err != nil {
		t.Fatal(err)
	}
	r.want(map[string]string{"a.md": "2"})
}

// Many notes at once, a large one among them.
func TestManyNotes(t *testing.T) {
	r := newRig(t)
	want := map[string]string{"dir/": ""}
	large := strings.Repeat("A line of a large note.\n", 400_000)
	for i := range 135 {
		path, content := fmt.Sprintf("dir/%d.md", i), fmt.Sprint("note ", i)
		if i%2 == 0 {
			r.write(path, "old")
		}
		if i == 7 {
			content = large
		}
		r.mustStage(path, content)
		want[path] = content
	}
	shown, err := r.desk.List(t.Context(), ann)
	if err != nil {
		t.Fatal(err)
	}
	if text := stage.Diff(shown, 100_000); len(text) > 150_000 || !strings.Contains(text, "more lines are not shown") || strings.Count(text, "\n- dir/") != 135 {
		t.Errorf("the diff has %d bytes", len(text))
	}
	if _, err := r.commit("k"); err != nil {
		t.Fatal(err)
	}
	r.want(want)
}

// What would be too much is refused, and says so.
func TestLimits(t *testing.T) {
	r := newRig(t)
	wantCode(t, "a note too large", r.stage("a.md", strings.Repeat("x", stage.MaxNote+1)), rein.CodeLimit, "16 MB")
	for i := range 4 {
		r.mustStage(fmt.Sprintf("%d.md", i), strings.Repeat("x", stage.MaxNote))
	}
	wantCode(t, "too much together", r.stage("b.md", "x"), rein.CodeLimit, "64 MB")
	r.write("large.md", strings.Repeat("x", stage.MaxNote+1))
	wantCode(t, "a large note", r.stage("large.md", "x"), rein.CodeLimit, "not changed")
	for _, p := range []rein.Place{{}, {Household: "home", User: "ann"}} {
		_, err := r.desk.List(t.Context(), p)
		wantCode(t, "nobody", err, rein.CodeInvalid)
	}
}

// A read-only note is left alone.
func TestReadOnlyNote(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "a")
	r.mustStage("a.md", "b")
	if err := os.Chmod(filepath.Join(r.dir, "a.md"), 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := r.commit("k")
	wantCode(t, "commit", err, rein.CodeForbidden, "read-only")
}

// What is too old to be undone is forgotten.
func TestJournalIsForgotten(t *testing.T) {
	r := newRig(t)
	r.mustStage("a.md", "a")
	if _, err := r.commit("k"); err != nil {
		t.Fatal(err)
	}
	r.now = r.now.AddDate(0, 0, 89)
	r.sweep()
	if done, err := r.desk.Commits(t.Context(), ann.Household, ann.User, "", 10); err != nil || len(done) != 1 {
		t.Fatalf("forgotten too early: %+v %v", done, err)
	}
	r.now = r.now.AddDate(0, 0, 2)
	r.sweep()
	_, err := r.undo(ann, "k2", "k")
	wantCode(t, "undo", err, rein.CodeNotFound)
}

// The disk fails in the middle: what was written is taken back. If that fails too, it is not known
// what holds until the next try, which takes it back then.
func TestDiskFails(t *testing.T) {
	for _, forGood := range []bool{false, true} {
		r := newRig(t)
		want := map[string]string{}
		for _, path := range []string{"a.md", "b.md", "c.md"} {
			r.write(path, "base")
			r.mustStage(path, "ours")
			want[path] = "base"
		}
		r.desk.FailSwap(func(n int) bool { return n == 3 || forGood && n > 3 }, syscall.EIO)
		_, err := r.commit("k")
		if !forGood {
			wantCode(t, "commit", err, rein.CodeInternal, `cannot write "c.md"`)
			r.want(want)
		} else {
			wantCode(t, "commit", err, rein.CodeUnknown, "not all notes could be put back")
			_, _, err = r.desk.Check(t.Context(), "k")
			wantCode(t, "check", err, rein.CodeUnknown)
		}
		r.desk.FailSwap(func(int) bool { return false }, nil)
		if state, _, err := r.desk.Check(t.Context(), "k"); err != nil || state != rein.CheckNot {
			t.Errorf("%s %v", state, err)
		}
		r.want(want)
		if kept := r.sweep(); len(kept) > 0 || len(r.leftover()) > 0 {
			t.Errorf("left over: %q %q", kept, r.leftover())
		}
		if _, err := r.commit("k"); err != nil || r.notes()["c.md"] != "ours" {
			t.Error(err)
		}
	}
}

// A note and a folder of the same name cannot both be written: neither is.
func TestNoteAndFolderOfOneName(t *testing.T) {
	r := newRig(t)
	r.mustStage("x.md", "note")
	r.mustStage("x.md/y.md", "below")
	_, err := r.commit("k")
	wantCode(t, "commit", err, rein.CodeForbidden, "not a folder")
	r.want(map[string]string{})
}
