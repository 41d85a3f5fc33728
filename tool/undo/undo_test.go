package undo_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/household/changes"
)

func (w *world) write(name, text string) {
	w.Helper()
	path := filepath.Join(w.dir, name)
	w.must(os.MkdirAll(filepath.Dir(path), 0o755))
	w.must(os.WriteFile(path, []byte(text), 0o644))
}

// An undo that was cut after any of its files is finished by whoever comes next, and is recorded once.
//
// Covers: SD-91
func TestCutUndo(t *testing.T) {
	names := []string{"a", "b", "c"}
	for cut := range 1 << len(names) {
		w := newWorld(t)
		for _, name := range names {
			w.write(name, "before "+name)
		}
		before := w.disk()
		key := w.command("for f in a b c; do echo after > $f; done", false)
		inv, err := w.pinned("undo_change", map[string]any{"change": key})
		w.must(err)
		_, err = w.tools["undo_change"].Do(t.Context(), inv)
		w.must(err)
		for i, name := range names {
			if cut&(1<<i) != 0 { // the process died before this one
				w.write(name, "after\n")
			}
		}
		state, done, err := w.tools["undo_change"].Check(t.Context(), inv)
		w.must(err)
		if cut == 1<<len(names)-1 {
			if state != rein.CheckNot {
				t.Errorf("nothing was done, and it is %s", state)
			}
			done, err = w.tools["undo_change"].Do(t.Context(), inv)
			w.must(err)
		} else if state != rein.CheckHappened {
			t.Errorf("cut %b: %s", cut, state)
		}
		w.must(w.store.Write(t.Context(), done.Commit))
		if got := w.disk(); got != before {
			t.Errorf("cut %b: it is\n%s\nand was\n%s", cut, got, before)
		}
		c, err := w.book.Find(t.Context(), "home", "ann", key)
		w.must(err)
		if stands, err := w.book.InEffect(t.Context(), c); stands || err != nil || c.UndoneBy != inv.Key {
			t.Errorf("cut %b: %+v, %v", cut, c, err)
		}
	}
}

// Somebody edits a file that an undo was cut in: nobody knows, and their text stays.
func TestCutUndoAndEdited(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	w.write("b", "before")
	key := w.command("echo after > a; echo after > b", false)
	inv, err := w.pinned("undo_change", map[string]any{"change": key})
	w.must(err)
	_, err = w.tools["undo_change"].Do(t.Context(), inv)
	w.must(err)
	w.write("b", "mine")
	state, _, err := w.tools["undo_change"].Check(t.Context(), inv)
	if data, _ := os.ReadFile(filepath.Join(w.dir, "b")); err != nil || state != rein.CheckUnknown || string(data) != "mine" {
		t.Errorf("%s, %v, %q", state, err, data)
	}
}

// A command whose end nobody saw is undone too: what it changed is found by whoever looks next.
func TestCutCommand(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	before := w.disk()
	key := w.command("echo after > a; echo new > n", true)
	w.watch.Running = nil // it died with its process
	w.watch.Running = newWorld(t).watch.Running
	if _, err := w.call("undo_change", map[string]any{"change": key}); err != nil {
		t.Fatal(err)
	}
	if got := w.disk(); got != before {
		t.Errorf("it is\n%s\nand was\n%s", got, before)
	}
}

// All of it or nothing: one file that somebody changed, and none is touched. The conflict names it.
func TestConflict(t *testing.T) {
	for name, meddle := range map[string]string{
		"changed": "echo mine > b", "gone": "rm b", "a folder": "rm b; mkdir b", "a link": "ln -sf a b", "linked parent": "mv d e; ln -s e d",
	} {
		w := newWorld(t)
		w.write("a", "before")
		w.write("b", "before")
		w.write("d/x", "before")
		key := w.command("echo after > a; echo after > b; echo after > d/x", false)
		w.command(meddle, false)
		before := w.disk()
		_, err := w.call("undo_change", map[string]any{"change": key})
		if code := rein.CodeOf(err); code != rein.CodeConflict && code != rein.CodeForbidden || w.disk() != before {
			t.Errorf("%s: %v\n%s", name, err, w.disk())
		}
	}
}

// What may not be used, what git ignores, .git and large files are left alone, and named before the command runs.
func TestUncovered(t *testing.T) {
	w := newWorld(t)
	w.write(".git/config", "g")
	w.write(".gitignore", "build/\n")
	w.write("build/out", "o")
	w.write("large.bin", strings.Repeat("x", 2<<20))
	w.write("a", "before")
	got, err := w.watch.Uncovered(t.Context(), w.inv(nil))
	if want := ".git; files that git ignores; 1 files over 1 MiB (large.bin)"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	key := w.command("echo after > a; echo after > build/out; echo after > .git/config; echo after > large.bin; rm .gitignore", false)
	_, err = w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	for name, want := range map[string]string{"a": "before", ".gitignore": "build/\n", "large.bin": "after\n", "build/out": "after\n", ".git/config": "after\n"} {
		if data, err := os.ReadFile(filepath.Join(w.dir, name)); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v; want %q", name, data, err, want)
		}
	}
}

// What is kept has a bound: the oldest goes first, and what does not fit at all is refused before a file is touched.
func TestUndoQuota(t *testing.T) {
	w := newWorld(t)
	w.most = 1000
	for _, name := range []string{"a", "b", "c"} {
		w.write(name, strings.Repeat(name, 400))
		if _, err := w.call("write_file", map[string]any{"path": name, "content": "new", "overwrite": true}); err != nil {
			t.Fatal(err)
		}
	}
	list, err := w.book.List(t.Context(), changes.Filter{Household: "home", User: "ann"})
	if err != nil || len(list) != 2 || list[1].Files[0].Path != "b" {
		t.Errorf("kept: %+v, %v", list, err)
	}
	w.write("d", strings.Repeat("d", 2000))
	before := w.disk()
	_, err = w.call("write_file", map[string]any{"path": "d", "content": "new", "overwrite": true})
	if rein.CodeOf(err) != rein.CodeLimit || !strings.Contains(err.Error(), "tools.undo_megabytes") || w.disk() != before {
		t.Errorf("%v", err)
	}
}

// Erased, nothing of what files held is left; the files stay.
func TestUndoErased(t *testing.T) {
	w := newWorld(t)
	w.write("a", "SECRET before")
	w.command("echo after > a", false)
	disk := w.disk()
	w.must(w.store.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		kept, err := changes.KeptOf(ctx, tx, "home")
		if err != nil || len(kept) != 1 {
			t.Errorf("kept: %+v, %v", kept, err)
		}
		return changes.Erase(ctx, tx, kept)
	}))
	size, err := changes.SizeOf(t.Context(), w.store)
	if err != nil || size != (changes.Size{}) || w.disk() != disk {
		t.Errorf("left: %+v, %v", size, err)
	}
}
