package undo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/household/changes"
	"rein/internal/labs"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/files"
	"rein/tool/reach"
	"rein/tool/undo"
)

// A world is a workspace with the tools that change it, over a real store.
type world struct {
	*testing.T
	dir   string
	store *sqlite.Store
	book  changes.Book
	root  *files.Root
	tools map[string]rein.Tool
	watch *undo.Watcher
	task  *rein.Task
	steps int
	most  int64

	approve bool // a person agrees to every call
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, dir: t.TempDir(), most: changes.DefaultMost}
	var err error
	w.store, err = sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	w.must(err)
	w.book = changes.Book{Tables: w.store, Most: func() int64 { return w.most }}
	w.root, err = files.Open(w.dir)
	w.must(err)
	t.Cleanup(func() { w.root.Close() })
	made, err := w.root.Writing(w.book, nil)
	w.must(err)
	w.watch = &undo.Watcher{Book: w.book, Files: w.root, Running: &undo.Running{}}
	w.root.Before(w.watch.Before)
	undoing, err := undo.Tool(undo.Sources{Book: w.book, Files: w.root, Finish: w.watch.Finish})
	w.must(err)
	w.tools = map[string]rein.Tool{}
	for _, t := range append(made, undoing) {
		w.tools[t.Name] = t
	}
	w.task = &rein.Task{Household: "home", User: "ann", Session: "s", Workspace: "w"}
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// inv is the next call.
func (w *world) inv(args any) rein.Invocation {
	w.Helper()
	w.steps++
	raw, err := json.Marshal(args)
	w.must(err)
	made, err := reach.New(reach.Options{Household: "home", Root: w.dir})
	w.must(err)
	step := rein.StepKey(fmt.Sprint(w.steps))
	return rein.Invocation{Run: "r1", Step: step, Key: "r1:" + string(step), Args: raw, Task: w.task, Approved: w.approve, Reach: made.For(w.task)}
}

// pinned is a call as it is approved.
func (w *world) pinned(name string, args map[string]any) (rein.Invocation, error) {
	w.Helper()
	inv := w.inv(args)
	shown, err := w.tools[name].Show(context.Background(), inv)
	if err != nil {
		return inv, err
	}
	for key, value := range shown.Pin {
		args[key] = value
	}
	inv.Args, err = json.Marshal(args)
	return inv, err
}

// call shows a call, makes it and records it.
func (w *world) call(name string, args map[string]any) (key string, err error) {
	w.Helper()
	inv, err := w.pinned(name, args)
	if err != nil {
		return "", err
	}
	done, err := w.tools[name].Do(context.Background(), inv)
	if err != nil {
		return "", err
	}
	w.must(w.store.Write(context.Background(), done.Commit))
	return inv.Key, nil
}

// command runs a line as the shell tool does. A command that is cut is one whose end nobody records.
func (w *world) command(line string, cut bool) string {
	w.Helper()
	inv := w.inv(nil)
	watch, err := w.watch.Begin(context.Background(), inv)
	w.must(err)
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = w.dir
	_ = cmd.Run() // whether it worked is not what is tested
	changed, err := watch.End(context.Background())
	w.must(err)
	if !cut {
		w.must(w.store.Write(context.Background(), changed.Commit))
	}
	return inv.Key
}

// disk is every path with its kind, mode and content.
func (w *world) disk() string {
	w.Helper()
	var lines []string
	w.must(filepath.WalkDir(w.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == w.dir {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(w.dir, path)
		content := ""
		switch {
		case e.IsDir():
			lines = append(lines, fmt.Sprintf("%s/ %s", name, info.Mode()))
			return nil
		case info.Mode()&fs.ModeSymlink != 0:
			content, err = os.Readlink(path)
		default:
			var data []byte
			data, err = os.ReadFile(path)
			content = string(data)
		}
		lines = append(lines, fmt.Sprintf("%s %s %q", name, info.Mode(), content))
		return err
	}))
	return strings.Join(lines, "\n")
}

var names = []string{"a.txt", "b.txt", "dir/c.txt", "dir/d.txt", "dir/sub/e.txt", "f"}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// line is a command that changes something, or nothing.
func line(r *rand.Rand) string {
	a, b := pick(r, names), pick(r, names)
	return pick(r, []string{
		"echo x" + fmt.Sprint(r.IntN(99)) + " >> " + a, "mv " + a + " " + b, "rm -f " + a, "cp " + a + " " + b,
		"chmod 600 " + a, "chmod 755 " + a, "chmod 700 dir", "chmod 755 dir", "ln -sf " + filepath.Base(b) + " " + a, "rm -rf dir", "mkdir -p dir/empty", "true",
		"rm -f f; mkdir -p f && echo inside > f/g", "rm -rf f; echo plain > f", "printf 'a\\000b' > " + a, "sed -i s/x/y/ " + a,
	})
}

// change makes a random change. It returns its key; empty: nothing came of it.
func (w *world) change(r *rand.Rand) string {
	w.Helper()
	name := pick(r, names)
	var key string
	switch r.IntN(6) {
	case 0:
		key, _ = w.call("write_file", map[string]any{"path": name, "content": fmt.Sprintf("line one\nx%d\n", r.IntN(1000)), "overwrite": true})
	case 1:
		key, _ = w.call("edit_file", map[string]any{"path": name, "edits": []map[string]any{{"old": "x", "new": "yx", "replace_all": true}}})
	case 2:
		key, _ = w.call("apply_patch", map[string]any{"patch": "*** Begin Patch\n*** Add File: new" + fmt.Sprint(r.IntN(5)) + ".txt\n+hello\n*** Delete File: " + name + "\n*** End Patch"})
	default:
		key = w.command(line(r), false)
	}
	return key
}

// Whatever a history of writes, patches, commands, undos and redos was: undoing it, the newest first, restores every byte
// and mode, and redoing it brings every state back.
//
// Plain: it repeats one thing 200 times
// Covers: SD-91
func TestHistories(t *testing.T) {
	for seed := range uint64(200) {
		if !labs.Cell(int(seed), 20) {
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w, r := newWorld(t), rand.New(rand.NewPCG(seed, 7))
			w.command("mkdir -p dir/sub; for f in a.txt b.txt dir/c.txt dir/sub/e.txt; do echo x $f > $f; done; chmod 640 b.txt", false)
			states, keys := []string{w.disk()}, []string{}
			for range 3 + r.IntN(5) {
				key := w.change(r)
				if now := w.disk(); key != "" && now != states[len(states)-1] {
					states, keys = append(states, now), append(keys, key)
				}
			}
			var undone []string
			for i, key := range slices.Backward(keys) {
				undo, err := w.call("undo_change", map[string]any{"change": key})
				if err != nil {
					t.Fatalf("undo %s of\n%s\nto\n%s\n%v", key, w.disk(), states[i], err)
				}
				if got := w.disk(); got != states[i] {
					t.Fatalf("undo of %s left\n%s\nand it was\n%s", key, got, states[i])
				}
				undone = append(undone, undo)
			}
			for i, key := range slices.Backward(undone) {
				if _, err := w.call("undo_change", map[string]any{"change": key}); err != nil {
					t.Fatalf("redo %s: %v", key, err)
				}
				if want := states[len(states)-1-i]; w.disk() != want {
					t.Fatalf("redo left\n%s\nand it was\n%s", w.disk(), want)
				}
			}
		})
	}
}
