package undo_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/household/changes"
	"rein/tool/undo"
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

// An undo that was cut after it removed a link, and before it put a file in its place, is finished too.
func TestCutUndoOfALink(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	before := w.disk()
	key := w.command("ln -sf b a", false)
	inv, err := w.pinned("undo_change", map[string]any{"change": key})
	w.must(err)
	_, err = w.tools["undo_change"].Do(t.Context(), inv)
	w.must(err)
	w.must(os.Remove(filepath.Join(w.dir, "a")))
	if state, _, err := w.tools["undo_change"].Check(t.Context(), inv); err != nil || state != rein.CheckHappened || w.disk() != before {
		t.Errorf("%s %v\n%s", state, err, w.disk())
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
	w.approve = true
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

// hazard is why a call would be asked in every mode.
func (w *world) hazard(name string, args map[string]any) string {
	w.Helper()
	shown, err := w.tools[name].Show(w.Context(), w.inv(args))
	w.must(err)
	return shown.Hazard
}

// No mode lets an undo through that reaches into another session, or takes back what a command changed: somebody else may
// have changed it while the command ran.
func TestUndoIsAsked(t *testing.T) {
	w := newWorld(t)
	written, err := w.call("write_file", map[string]any{"path": "a", "content": "a"})
	w.must(err)
	ran := w.command("echo b > b", false)
	if why := w.hazard("undo_change", map[string]any{"change": written}); why != "" {
		t.Errorf("an undo of its own session: %q", why)
	}
	if why := w.hazard("undo_change", map[string]any{"change": ran}); !strings.Contains(why, "command") {
		t.Errorf("an undo of a command: %q", why)
	}
	for _, session := range []string{"other", ""} {
		w.task.Session = session
		if why := w.hazard("undo_change", map[string]any{"change": written}); !strings.Contains(why, "another session") {
			t.Errorf("from session %q: %q", session, why)
		}
	}
}

// What runs later or holds keys is asked about, whatever is done to it and by which tool.
func TestHazardsAreAsked(t *testing.T) {
	w := newWorld(t)
	w.write("keys", "old\n")
	w.heed()
	for name, args := range map[string]map[string]any{
		"write_file":  {"path": "sub/keys", "content": "new"},
		"edit_file":   {"path": "keys", "edits": []map[string]any{{"old": "old", "new": "new"}}},
		"apply_patch": {"patch": "*** Begin Patch\n*** Add File: a\n+a\n*** Delete File: keys\n*** End Patch"},
	} {
		if why := w.hazard(name, args); !strings.Contains(why, "it holds keys") {
			t.Errorf("%s: %q", name, why)
		}
	}
	if why := w.hazard("write_file", map[string]any{"path": "sub/other", "content": "new"}); why != "" {
		t.Errorf("another file: %q", why)
	}
	written, err := w.call("write_file", map[string]any{"path": "keys", "content": "new", "overwrite": true})
	w.must(err)
	if why := w.hazard("undo_change", map[string]any{"change": written}); !strings.Contains(why, "it holds keys") {
		t.Errorf("an undo: %q", why)
	}
}

// What a name does not show is asked about too: files of a repository that is not called .git, and what a link leads to that is a
// hazard.
//
// Attack: 75
func TestHazardsOnTheDisk(t *testing.T) {
	w := newWorld(t)
	w.heed()
	for _, name := range []string{"bare/HEAD", "bare/objects/x", "bare/refs/x", "half/objects/x", "half/HEAD", "docs/guide.md", "docs/more/x.md", "a/b/real", "a/other"} {
		w.write(name, "")
	}
	for link, to := range map[string]string{"a/keys": "b/real", "a/b/keys": "/nowhere", "docs/keys": "more"} {
		w.must(os.Symlink(to, filepath.Join(w.dir, link)))
	}
	for name, want := range map[string]string{
		"bare/config": "repository of git", "bare/hooks/post-checkout": "repository of git", "half/refs/heads/main": "repository of git", "half/config": "", "a/b/real": "a/keys leads there", "docs/more/x.md": "docs/keys leads there",
		"docs/guide.md": "", "a/other": "", "new/HEAD": "",
	} {
		if why := w.hazard("write_file", map[string]any{"path": name, "content": "new", "overwrite": true}); want == "" && why != "" || !strings.Contains(why, want) {
			t.Errorf("%s: %q, want %q", name, why, want)
		}
	}
	all := "*** Begin Patch\n*** Add File: n/config\n+x\n*** Add File: n/HEAD\n+x\n*** Add File: n/objects/x\n+x\n*** Add File: n/refs/x\n+x\n*** End Patch"
	if why := w.hazard("apply_patch", map[string]any{"patch": all}); !strings.Contains(why, "n/config: it is in a repository") {
		t.Errorf("a repository in one patch: %q", why)
	}
}

// heed makes files with the name keys a hazard.
func (w *world) heed() {
	w.root.Heed(func(name string, _ bool) string {
		if filepath.Base(name) == "keys" {
			return "it holds keys"
		}
		return ""
	})
}

// What may hold keys is not copied before a command runs, and the approval says so.
func TestKeysAreNotCopied(t *testing.T) {
	w := newWorld(t)
	w.heed()
	w.write("sub/keys", "SECRET")
	w.write("a", "before")
	got, err := w.watch.Uncovered(t.Context(), w.inv(nil))
	if want := "files that may hold keys or passwords"; err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	key := w.command("echo after > a; echo after > sub/keys", false)
	tree, err := w.book.Tree(t.Context(), "home", "ann", w.root.Path())
	w.must(err)
	if _, kept := tree.Kept[changes.Sum([]byte("SECRET"))]; kept {
		t.Error("it was copied")
	}
	_, err = w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	if data, _ := os.ReadFile(filepath.Join(w.dir, "sub/keys")); string(data) != "after\n" {
		t.Errorf("it holds %q", data)
	}
}

// A command that writes an ignore file does not switch off the undo of the next one.
func TestIgnoredLater(t *testing.T) {
	w := newWorld(t)
	w.write("src/a", "before")
	w.command("echo '*' > .gitignore", false)
	before := w.disk()
	key := w.command("rm -rf src .gitignore", false)
	_, err := w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	if got := w.disk(); got != before {
		t.Errorf("it is\n%s\nand was\n%s", got, before)
	}
}

// Neither does one that is there before the first command: what git tracks is covered, and what was covered stays so. The rest
// of an ignored folder is not, however often one looks.
func TestTrackedStaysCovered(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := newWorld(t)
	w.write("build/kept", "before")
	w.write("build/object", "object")
	w.write("plain.log", "before")
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"rm", "-q", "--cached", "build/object"}} {
		if out, err := exec.Command("git", append([]string{"-C", w.dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	w.write(".gitignore", "build/\n*.log\n")
	w.command("true", false)
	tree, err := w.book.Tree(t.Context(), "home", "ann", w.root.Path())
	w.must(err)
	if _, kept := tree.Kept[changes.Sum([]byte("object"))]; kept {
		t.Error("what git ignores and does not track was copied")
	}
	key := w.command("echo after > build/kept; echo after > build/object; rm plain.log", false)
	_, err = w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	for name, want := range map[string]string{"build/kept": "before", "build/object": "after\n", "plain.log": "before"} {
		if data, err := os.ReadFile(filepath.Join(w.dir, name)); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v; want %q", name, data, err, want)
		}
	}
}

// cutCommand runs a line whose end nobody records, in a process that dies.
func (w *world) cutCommand(line string) string {
	w.Helper()
	key := w.command(line, true)
	w.watch.Running = &undo.Running{}
	return key
}

// What somebody writes after the last sign of life of a command that was cut is theirs: the undo leaves it alone. A command
// cannot make its own changes look like that.
func TestCutCommandIsBounded(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	w.write("b", "before")
	key := w.cutCommand("echo after > a; touch -d 2100-01-01 a; echo new > n")
	died := time.Now()
	w.book.Now = func() time.Time { return died.Add(-30 * time.Second) } // its last sign of life, as long ago as it may be late
	w.must(w.book.Alive(t.Context(), rein.Invocation{Key: key, Task: w.task}, w.root.Path()))
	w.book.Now = nil
	for info, err := os.FileInfo(nil), error(nil); info == nil || !info.ModTime().After(died); { // clocks of files are coarse
		w.write("b", "mine")
		info, err = os.Stat(filepath.Join(w.dir, "b"))
		w.must(err)
	}
	_, err := w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	if got := w.disk(); !strings.Contains(got, `a -rw-r--r-- "before"`) || !strings.Contains(got, `b -rw-r--r-- "mine"`) || strings.Contains(got, "n ") {
		t.Errorf("it is\n%s", got)
	}
}

// So is what later calls are recorded with: an undo of all of them restores every byte.
func TestCutCommandAndLaterCalls(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	w.write("b", "before")
	before := w.disk()
	w.cutCommand("echo by the command > a; echo new > n")
	for name, text := range map[string]string{"a": "by a call", "b": "by a call", "m": "made"} {
		_, err := w.call("write_file", map[string]any{"path": name, "content": text, "overwrite": true})
		w.must(err)
	}
	_, err := w.call("undo_change", map[string]any{"change": "r1"})
	w.must(err)
	if got := w.disk(); got != before {
		t.Errorf("it is\n%s\nand was\n%s", got, before)
	}
}

// A command in the background is recorded when it ends, although its call was over: what somebody writes later is theirs.
func TestBackgroundEnds(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	inv := w.inv(nil)
	watch, err := w.watch.Begin(t.Context(), inv)
	w.must(err)
	w.write("a", "by the command")
	changed, err := watch.End(t.Context())
	w.must(err)
	w.must(changed.Record(t.Context()))
	w.write("mine", "written later")
	undone, err := w.pinned("undo_change", map[string]any{"change": inv.Key})
	w.must(err)
	_, err = w.tools["undo_change"].Do(t.Context(), undone)
	w.must(err)
	if got := w.disk(); !strings.Contains(got, "written later") || !strings.Contains(got, "before") {
		t.Errorf("it is\n%s", got)
	}
}
