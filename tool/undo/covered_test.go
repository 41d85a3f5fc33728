package undo_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/tool/files"
	"rein/tool/undo"
)

// said is what a line changed, in the words of the result.
func (w *world) said(line string) string {
	w.Helper()
	inv := w.inv(nil)
	watch, err := w.watch.Begin(w.Context(), inv)
	w.must(err)
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = w.dir
	_ = cmd.Run()
	changed, err := watch.End(w.Context())
	w.must(err)
	w.must(w.store.Write(w.Context(), changed.Commit))
	return changed.Text
}

// No line takes away what the undo of the next one needs: what was covered stays covered.
func TestCoverageCannotBeSwitchedOff(t *testing.T) {
	for name, lines := range map[string][]string{
		"large":          {"head -c 2000000 /dev/zero >> src/a", "rm src/a"},
		"very large":     {"head -c 9000000 /dev/zero >> src/a", "rm src/a"},
		"only enlarged":  {"head -c 9000000 /dev/zero >> src/a"},
		"a pipe":         {"rm src/a; mkfifo src/a", "rm src/a"},
		"rein's names":   {"mv src .rein-src.tmp", "rm -r .rein-src.tmp"},
		"folders' modes": {"chmod 700 src", "chmod 711 src/sub; echo after > src/sub/b"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("src/a", "before")
			w.write("src/sub/b", "before")
			w.command("true", false)
			before := w.disk()
			for _, line := range lines {
				w.command(line, false)
			}
			_, err := w.call("undo_change", map[string]any{"change": "r1"})
			w.must(err)
			if got := w.disk(); got != before {
				t.Errorf("it is\n%.2000s\nand was\n%s", got, before)
			}
		})
	}
}

// A call that writes an ignore file before the first command does not switch it off either.
func TestIgnoredByACall(t *testing.T) {
	w := newWorld(t)
	w.write("src/a", "before")
	_, err := w.call("write_file", map[string]any{"path": ".gitignore", "content": "*\n"})
	w.must(err)
	before := w.disk()
	key := w.command("rm -r src", false)
	_, err = w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	if got := w.disk(); got != before {
		t.Errorf("it is\n%s\nand was\n%s", got, before)
	}
}

// A flood of new files, in whichever order, pushes out nothing that was covered; what does not fit is named, and files that
// nobody changed are not.
func TestFloodOfFiles(t *testing.T) {
	w := newWorld(t)
	w.write("zz/a", "before")
	w.command("true", false)
	made := files.CoveredFiles + 500
	if text := w.said(fmt.Sprintf("mkdir 0; i=0; while [ $i -lt %d ]; do : > 0/$i; i=$((i+1)); done", made)); !strings.Contains(text, `new: "0"`) {
		t.Errorf("%.500s", text)
	}
	if got, err := w.watch.Uncovered(t.Context(), w.inv(nil)); err != nil || !strings.Contains(got, "beyond the first") {
		t.Errorf("%q %v", got, err)
	}
	if text := w.said("true"); text != "" {
		t.Errorf("of a line that changes nothing: %.500s", text)
	}
	if text := w.said("rm -r zz 0/1??"); !strings.Contains(text, `removed: "0/100"`) || strings.Contains(text, "cannot be undone") {
		t.Errorf("%.500s", text)
	}
	_, err := w.call("undo_change", map[string]any{"change": fmt.Sprintf("r1:%d", w.steps)})
	w.must(err)
	if data, err := os.ReadFile(filepath.Join(w.dir, "zz/a")); string(data) != "before" {
		t.Errorf("%q %v", data, err)
	}
}

// What is not covered and goes, changes or comes is named in the result.
func TestUncoveredIsNamed(t *testing.T) {
	w := newWorld(t)
	w.write("old.bin", strings.Repeat("x", 2<<20))
	w.write("gone.bin", strings.Repeat("x", 2<<20))
	w.write(".gitignore", "build/\n")
	w.write("build/out", "o")
	text := w.said("echo y >> old.bin; rm -r gone.bin build; head -c 2000000 /dev/zero > new.bin")
	for _, want := range []string{`changed, and cannot be undone: "old.bin"`, `removed, and cannot be undone: "gone.bin"`, `removed, and cannot be undone: "build"`, `new, and cannot be undone: "new.bin"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// What a session changed and nobody approved makes no room for more of it: the next command is refused, unless a person
// agreed to it.
func TestRoomForUnapproved(t *testing.T) {
	w := newWorld(t)
	w.most = 1000
	write := func(name string, approved bool) error {
		w.write(name, strings.Repeat(name, 600))
		args := map[string]any{"path": name, "content": "new", "overwrite": true}
		inv, err := w.pinned("write_file", args)
		w.must(err)
		inv.Approved = approved
		done, err := w.tools["write_file"].Do(t.Context(), inv)
		if err == nil {
			w.must(w.store.Write(t.Context(), done.Commit))
		}
		return err
	}
	w.must(write("a", false))
	if err := write("b", false); rein.CodeOf(err) != rein.CodeLimit || !strings.Contains(err.Error(), "this session") {
		t.Errorf("%v", err)
	}
	w.must(write("b", true))
	w.task.Session = "another"
	w.must(write("c", false))
}

// What changed while a command ran in the background may be anybody's: the last change of a session is never that, other
// calls keep what they changed, and whoever names it undoes the rest.
func TestBackgroundIsNotTheLastChange(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	inv := w.inv(map[string]any{"background": true})
	watch, err := w.watch.Begin(t.Context(), inv)
	w.must(err)
	_, err = w.call("write_file", map[string]any{"path": "b", "content": "by a call"})
	w.must(err)
	w.write("a", "by anybody")
	changed, err := watch.End(t.Context())
	w.must(err)
	w.must(changed.Record(t.Context()))
	_, err = w.call("undo_change", map[string]any{})
	w.must(err)
	if got := w.disk(); got != `a -rw-r--r-- "by anybody"` {
		t.Errorf("the last change was undone to\n%s", got)
	}
	if why := w.hazard("undo_change", map[string]any{"change": inv.Key}); !strings.Contains(why, "whoever") {
		t.Errorf("%q", why)
	}
	_, err = w.call("undo_change", map[string]any{"change": inv.Key})
	w.must(err)
	if got := w.disk(); got != `a -rw-r--r-- "before"` {
		t.Errorf("it is\n%s", got)
	}
}

// What changes after the next process has begun is not what a command changed that was cut, however short ago that was.
func TestCutCommandEndsWithItsProcess(t *testing.T) {
	w := newWorld(t)
	w.write("a", "before")
	w.write("b", "before")
	key := w.cutCommand("echo after > a")
	w.must(undo.Begun(t.Context(), w.book))
	began := time.Now()
	for info, err := os.FileInfo(nil), error(nil); info == nil || !info.ModTime().After(began); { // clocks of files are coarse
		w.write("b", "mine")
		info, err = os.Stat(filepath.Join(w.dir, "b"))
		w.must(err)
	}
	_, err := w.call("undo_change", map[string]any{"change": key})
	w.must(err)
	if got := w.disk(); !strings.Contains(got, `a -rw-r--r-- "before"`) || !strings.Contains(got, `b -rw-r--r-- "mine"`) {
		t.Errorf("it is\n%s", got)
	}
}

// Names cannot forge lines of a result, and a folder that others put something into is not said to be gone.
func TestUndoneIsToldInLines(t *testing.T) {
	w := newWorld(t)
	key := w.command("mkdir gen; : > 'x\nb: restored'; : > \"$(printf 'x\\nb: restored')\"", false)
	w.write("gen/mine", "mine")
	inv, err := w.pinned("undo_change", map[string]any{"change": key})
	w.must(err)
	done, err := w.tools["undo_change"].Do(t.Context(), inv)
	w.must(err)
	if strings.Contains(done.Text, "\nb: restored") || !strings.Contains(done.Text, "gen: removed, unless") {
		t.Errorf("%s", done.Text)
	}
}
