package files_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/household/changes"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
	"rein/tool/files"
	"rein/tool/reach"
)

// A desk has the tools that write over a real engine, a real store and a real folder.
type desk struct {
	*testing.T
	dir, db string
	tools   map[string]rein.Tool
	engine  *engine.Engine
	store   *sqlite.Store
	asks    chan rein.Ask
	stop    func()
	kept    kept

	onEvent func(rein.Event)
}

// kept is a keeper in memory.
type kept struct {
	mu     sync.Mutex
	all    []string
	onKeep func() // is called once, after the last look at the files and before the first is written
}

func (k *kept) Keep(_ context.Context, _ rein.Invocation, d changes.Draft) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, f := range d.Files {
		if content, ok := d.Contents[f.Before.Mark.Sum()]; ok {
			k.all = append(k.all, string(content))
		}
	}
	if meddle := k.onKeep; meddle != nil {
		k.onKeep = nil
		meddle()
	}
	return nil
}

func (*kept) Done(string) func(context.Context, rein.Tx) error { return nil }

func (*kept) Drop(context.Context, string) error { return nil }

func newDesk(t *testing.T, contents map[string]string) *desk {
	d := &desk{T: t, dir: t.TempDir(), db: filepath.Join(t.TempDir(), "rein.db")}
	for name, text := range contents {
		d.write(name, text)
	}
	return d
}

func (d *desk) write(name, text string) {
	d.Helper()
	path := filepath.Join(d.dir, name)
	must(d.T, os.MkdirAll(filepath.Dir(path), 0o755))
	must(d.T, os.WriteFile(path, []byte(text), 0o644))
}

// disk is what is in the folder, also what does not belong there.
func (d *desk) disk() string {
	d.Helper()
	all := map[string]string{}
	must(d.T, filepath.WalkDir(d.dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			var text []byte
			text, err = os.ReadFile(path)
			name, _ := filepath.Rel(d.dir, path)
			all[filepath.ToSlash(name)] = string(text)
		}
		return err
	}))
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		lines = append(lines, fmt.Sprintf("%s=%q", name, all[name]))
	}
	return strings.Join(lines, " ")
}

// open makes the tools.
func (d *desk) open() {
	d.Helper()
	root := open(d.T, d.dir)
	made, err := root.Writing(&d.kept, nil)
	must(d.T, err)
	d.tools = map[string]rein.Tool{}
	for _, t := range made {
		d.tools[t.Name] = t
	}
}

// serve runs an engine whose model makes one call.
func (d *desk) serve(name string, args any) {
	d.Helper()
	if d.tools == nil {
		d.open()
	}
	raw, err := json.Marshal(args)
	must(d.T, err)
	model, err := script.Parse("m", fmt.Appendf(nil, "when results=0\ncall %s %s\n\nwhen\nsay Done.\n", name, raw))
	must(d.T, err)
	d.asks = make(chan rein.Ask, 100)
	d.store, err = sqlitetest.Open(d.T, d.db, sqlite.Options{OnCommit: d.committed})
	must(d.T, err)
	real, err := filepath.EvalSymlinks(d.dir)
	must(d.T, err)
	policy, err := reach.New(reach.Options{Household: "home", Root: real})
	must(d.T, err)
	d.engine, err = engine.New(engine.Options{
		Store: d.store, Flows: flow.All(), Dispatch: &local.Dispatcher{}, DrainGrace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}, Tools: d.tools, Reach: policy.For},
	})
	must(d.T, err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.engine.Serve(ctx) }()
	d.stop = sync.OnceFunc(func() {
		cancel()
		must(d.T, <-served)
		must(d.T, d.store.Close())
	})
	d.Cleanup(d.stop)
}

func (d *desk) committed(events []rein.Event) {
	for _, ev := range events {
		if ev.Kind == rein.AskOpened {
			ask, _ := rein.Payload[rein.Ask](ev)
			d.asks <- ask
		}
		if d.onEvent != nil {
			d.onEvent(ev)
		}
	}
}

func (d *desk) start() {
	d.Helper()
	_, err := d.engine.Start(d.Context(), "r1", rein.Task{
		Flow: "operate", Household: "home", User: "ann", Session: "s1", Tools: slices.Sorted(maps.Keys(d.tools)),
		Messages: []rein.Message{{Role: rein.User, Text: "Write it."}},
	})
	must(d.T, err)
}

func (d *desk) ask() rein.Ask {
	d.Helper()
	select {
	case ask := <-d.asks:
		return ask
	case <-time.After(2 * time.Minute):
		d.Fatal("nothing was asked")
		return rein.Ask{}
	}
}

func (d *desk) answer(ask rein.Ask, answer rein.Answer) {
	d.Helper()
	answer.By = "ann"
	_, err := d.engine.Command(d.Context(), ask.Reply(answer))
	must(d.T, err)
}

// result waits for the run and returns what its call came to.
func (d *desk) result() string {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), 2*time.Minute)
	defer cancel()
	_, err := d.engine.Wait(ctx, "r1")
	must(d.T, err)
	var told []string
	for ev, err := range d.store.Events(d.Context(), "r1", 0) {
		must(d.T, err)
		if ev.Kind != rein.StepDone {
			continue
		}
		if end, err := rein.Payload[rein.StepEnd](ev); err == nil && end.Result != nil {
			told = append(told, string(end.Result.Status)+" "+end.Result.Text)
		}
	}
	if len(told) == 0 {
		d.Fatal("the run has no result of a call")
	}
	return told[len(told)-1] // those before are reads of the flow
}

var twoFiles = args{"patch": "*** Begin Patch\n*** Update File: a\n@@\n-one\n+two\n*** Update File: old\n*** Move to: new/b\n@@\n-1\n+2\n*** End Patch\n"}

// Each tool shows the diff and waits; what was agreed to is on the disk, and what was there before is kept.
func TestWriteInARun(t *testing.T) {
	for _, c := range []struct {
		tool   string
		args   args
		shown  []string
		disk   string
		kept   string
		result string
	}{
		{"write_file", args{"path": "new/c", "content": "1\n2\n"}, []string{"Allow write_file?", `- new/c: new, 2 lines`, "+++ new/c\n@@ -0,0 +1,2 @@\n+1\n+2\n"}, `a="one\n" new/c="1\n2\n" old="1\n"`, "", "new/c: new"},
		{"write_file", args{"path": "a", "content": "x\n", "overwrite": true}, []string{"-one\n+x\n"}, `a="x\n" old="1\n"`, "one\n", "a: changed"},
		{"edit_file", args{"path": "a", "edits": []args{{"old": "one", "new": "two"}}}, []string{"- a: +1 −1 lines", "-one\n+two\n"}, `a="two\n" old="1\n"`, "one\n", "a: changed"},
		{"apply_patch", twoFiles, []string{"- new/b: moved from old, +1 −1 lines", "- old: removed", "--- old\n+++ new/b\n"}, `a="two\n" new/b="2\n"`, "one\n1\n", "new/b: new\nold: removed"},
	} {
		d := newDesk(t, map[string]string{"a": "one\n", "old": "1\n"})
		d.serve(c.tool, c.args)
		d.start()
		ask := d.ask()
		for _, want := range c.shown {
			if !strings.Contains(ask.Text, want) {
				t.Errorf("%s: shown is %s\nwant %q", c.tool, ask.Text, want)
			}
		}
		if got := d.disk(); got != `a="one\n" old="1\n"` || len(d.kept.all) > 0 {
			t.Errorf("%s: written before anybody agreed: %s", c.tool, got)
		}
		d.answer(ask, rein.Answer{State: rein.AskApproved})
		if got := d.result(); d.disk() != c.disk || strings.Join(d.kept.all, "") != c.kept || !strings.HasPrefix(got, "ok ") || !strings.Contains(got, c.result) {
			t.Errorf("%s: %s\n%s\nkept %q", c.tool, d.disk(), got, d.kept.all)
		}
		d.stop()
	}
}

// A refusal writes nothing. Arguments that a person edits are shown to them again as a diff, then written.
//
// Covers: SD-33
func TestWriteRejectedAndEdited(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one\n"})
	call := args{"path": "a", "edits": []args{{"old": "one", "new": "two"}}}
	d.serve("edit_file", call)
	d.start()
	d.answer(d.ask(), rein.Answer{State: rein.AskRejected, Text: "not today"})
	if got := d.result(); d.disk() != `a="one\n"` || !strings.Contains(got, "refused") || !strings.Contains(got, "not today") {
		t.Errorf("%s %s", d.disk(), got)
	}

	d = newDesk(t, map[string]string{"a": "one\n"})
	d.serve("edit_file", call)
	d.start()
	d.answer(d.ask(), rein.Answer{State: rein.AskEdited, Args: []byte(`{"path":"a","edits":[{"old":"one","new":"three"}]}`)})
	again := d.ask()
	if !strings.Contains(again.Text, "-one\n+three\n") {
		t.Errorf("shown is %s", again.Text)
	}
	d.answer(again, rein.Answer{State: rein.AskApproved})
	if got := d.result(); d.disk() != `a="three\n"` {
		t.Errorf("%s %s", d.disk(), got)
	}
}

// A file that changes after it was shown is shown again; one that changes after the last look is a conflict, and nothing
// is written, to no file of a patch.
//
// Attack: 50
func TestChangedSinceShown(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one\nx\n"})
	d.serve("edit_file", args{"path": "a", "edits": []args{{"old": "one", "new": "two"}}})
	d.start()
	ask := d.ask()
	d.write("a", "one\ny\n")
	d.answer(ask, rein.Answer{State: rein.AskApproved})
	again := d.ask()
	if !strings.Contains(again.Text, " y\n") || d.disk() != `a="one\ny\n"` {
		t.Errorf("%s\n%s", again.Text, d.disk())
	}
	d.answer(again, rein.Answer{State: rein.AskApproved})
	if d.result(); d.disk() != `a="two\ny\n"` {
		t.Error(d.disk())
	}

	for name, meddle := range map[string]func(*desk){
		"changed": func(d *desk) { d.write("old", "1\nmine\n") },
		"made":    func(d *desk) { d.write("new/b", "mine\n") },
		"removed": func(d *desk) { must(t, os.Remove(filepath.Join(d.dir, "old"))) },
	} {
		for _, late := range []bool{false, true} {
			d := newDesk(t, map[string]string{"a": "one\n", "old": "1\n"})
			d.open()
			if late {
				d.kept.onKeep = func() { meddle(d) }
			} else {
				d.around("apply_patch", func() { meddle(d) }, nil)
			}
			d.serve("apply_patch", twoFiles)
			d.start()
			d.answer(d.ask(), rein.Answer{State: rein.AskApproved})
			if got := d.result(); !strings.HasPrefix(got, "failed ") || strings.Contains(d.disk(), "two") || strings.Contains(d.disk(), `"2\n"`) || strings.Contains(d.disk(), ".rein-") {
				t.Errorf("%s, late %v: %s\n%s", name, late, d.disk(), got)
			}
			d.stop()
		}
	}
}

// around calls functions before and after a tool does something.
func (d *desk) around(name string, before, after func()) {
	t := d.tools[name]
	do := t.Do
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		if before != nil {
			before()
		}
		done, err := do(ctx, inv)
		if after != nil {
			after()
		}
		return done, err
	}
	d.tools[name] = t
}

// TestKilledChild is the process that TestKilledWhileWriting kills.
func TestKilledChild(t *testing.T) {
	orders := strings.Split(os.Getenv("REIN_FILES_CHILD"), "|")
	if len(orders) != 4 {
		return // it is no child
	}
	point, dir, db, name := orders[0], orders[1], orders[2], orders[3]
	die := func() { syscall.Kill(os.Getpid(), syscall.SIGKILL) }
	d := &desk{T: t, dir: dir, db: db}
	d.onEvent = func(ev rein.Event) {
		if point == "intent" && ev.Kind == rein.StepIntent {
			die()
		}
	}
	d.open()
	d.around(name, func() {
		switch point {
		case "half":
			d.write("a", "two\n")
			die()
		case "moved":
			d.write("a", "two\n")
			d.write("new/b", "2\n")
			die()
		}
	}, die)
	d.serve(name, killedCalls[name])
	d.start()
	d.answer(d.ask(), rein.Answer{State: rein.AskApproved})
	d.result()
}

// The process is killed after the intent: before the first file, between two, or before the result is recorded. The next
// one asks nobody, and the patch is applied once and whole. If somebody has changed a file since, a person is asked.
//
// Covers: LAW-3
// Attack: 50
func TestKilledWhileWriting(t *testing.T) {
	for _, point := range []string{"intent", "half", "moved", "written", "written, then changed"} {
		t.Run(point, func(t *testing.T) {
			d := newDesk(t, map[string]string{"a": "one\n", "old": "1\n"})
			at, meddled := strings.CutSuffix(point, ", then changed")
			d.kill(at, "apply_patch")
			want := `a="two\n" new/b="2\n"`
			if meddled {
				d.write("a", "mine\n")
				want = `a="mine\n" new/b="2\n"`
			}
			d.serve("apply_patch", twoFiles)
			if meddled {
				ask := d.ask()
				if ask.Kind != rein.AskUnknown {
					t.Errorf("asked %+v", ask)
				}
				d.answer(ask, rein.Answer{State: rein.AskAnswered, Text: rein.ItHappened})
			}
			if got := d.result(); d.disk() != want || !strings.HasPrefix(got, "ok ") || len(d.asks) > 0 {
				t.Errorf("%s\n%s", d.disk(), got)
			}
		})
	}
}

// kill has a child start the run, agree, and die.
func (d *desk) kill(point, name string) {
	d.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), fmt.Sprintf("REIN_FILES_CHILD=%s|%s|%s|%s", point, d.dir, d.db, name))
	out, err := child.CombinedOutput()
	if err == nil || child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
		d.Fatalf("the child ended otherwise: %v\n%s", err, out)
	}
}

var killedCalls = map[string]args{
	"apply_patch": twoFiles,
	"edit_file":   {"path": "a", "edits": []args{{"old": "o", "new": "oo"}}},
	"write_file":  {"path": "c/d", "content": "new\n"},
}

// Likewise for one file: an edit that could be made twice is made once.
//
// Covers: LAW-3
func TestKilledWhileEditing(t *testing.T) {
	for name, want := range map[string]string{"edit_file": `a="oone\n"`, "write_file": `a="one\n" c/d="new\n"`} {
		for _, point := range []string{"intent", "written"} {
			t.Run(name+", "+point, func(t *testing.T) {
				d := newDesk(t, map[string]string{"a": "one\n"})
				d.kill(point, name)
				d.serve(name, killedCalls[name])
				if got := d.result(); d.disk() != want || !strings.HasPrefix(got, "ok ") || len(d.asks) > 0 {
					t.Errorf("%s\n%s", d.disk(), got)
				}
			})
		}
	}
}

// refused calls Show and Do, which must both refuse.
func (d *desk) refused(name string, a args, code rein.Code, words ...string) {
	d.Helper()
	raw, err := json.Marshal(a)
	must(d.T, err)
	inv := rein.Invocation{Args: raw, Key: "k", Reach: policy(d.T, reach.Options{Root: d.dir, Hidden: []string{filepath.Join(d.dir, "hidden")}})}
	for what, err := range map[string]error{"show": second(d.tools[name].Show(d.Context(), inv)), "do": second(d.tools[name].Do(d.Context(), inv))} {
		if rein.CodeOf(err) != code {
			d.Errorf("%s of %s %.200v: %s: %v", what, name, a, rein.CodeOf(err), err)
			continue
		}
		for _, word := range words {
			if !strings.Contains(err.Error(), word) {
				d.Errorf("%s of %s %.200v: %v\nwant %q", what, name, a, err, word)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Nothing outside the folder, hidden, behind a link or of git is written, and what cannot be written says why.
//
// Attack: 35
func TestWriteRefused(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "one\n", "hidden/x": "secret\n", "bin": "\xff\x00", "sub/b": "1\n"})
	outside := t.TempDir()
	must(t, os.Symlink(outside, filepath.Join(d.dir, "out")))
	must(t, os.Symlink("a", filepath.Join(d.dir, "link")))
	must(t, os.Symlink("sub", filepath.Join(d.dir, "folder")))
	d.open()
	before := d.disk()
	large := filepath.Join(d.dir, "large")
	must(t, os.WriteFile(large, make([]byte, 9<<20), 0o644))
	for path, code := range map[string]rein.Code{
		"../x": rein.CodeForbidden, "/etc/x": rein.CodeForbidden, "out/x": rein.CodeForbidden, "link": rein.CodeForbidden,
		"folder/b": rein.CodeForbidden, "hidden/x": rein.CodeForbidden, "hidden/new": rein.CodeForbidden, "sub": rein.CodeForbidden,
		".git/hooks/pre-commit": rein.CodeForbidden, "sub/.GIT/config": rein.CodeForbidden, "a\x00b": rein.CodeInvalid, ".": rein.CodeForbidden,
		"a/below": rein.CodeForbidden, "large": rein.CodeLimit,
	} {
		d.refused("write_file", args{"path": path, "content": "x", "overwrite": true}, code)
		if path != "sub" && path != "." {
			d.refused("edit_file", args{"path": path, "edits": []args{{"old": "1", "new": "2"}}}, code)
		}
	}
	d.refused("write_file", args{"path": "a", "content": "x"}, rein.CodeConflict, "edit_file")
	d.refused("write_file", args{"path": "a", "content": "one\n", "overwrite": true}, rein.CodeInvalid, "already")
	d.refused("write_file", args{"path": "n", "content": "\x00"}, rein.CodeInvalid, "NUL")
	d.refused("edit_file", args{"path": "none", "edits": []args{{"old": "1", "new": "2"}}}, rein.CodeNotFound, "does not exist")
	d.refused("edit_file", args{"path": "a", "edits": []args{{"old": "One", "new": "2"}}}, rein.CodeNotFound, `"a": old was not found`, "upper and lower case")
	d.refused("edit_file", args{"path": "bin", "edits": []args{{"old": "1", "new": "2"}}}, rein.CodeInvalid, "not UTF-8")
	d.refused("apply_patch", args{"patch": "*** Begin Patch\n*** Add File: sub/new\n+x\n*** Delete File: hidden/x\n*** End Patch"}, rein.CodeForbidden, "hidden/x")
	d.refused("apply_patch", args{"patch": "*** Begin Patch\n*** Add File: sub/new\n+x\n*** Update File: a\n-two\n+x\n*** End Patch"}, rein.CodeConflict, `"two" and is "one"`)
	d.refused("apply_patch", args{"patch": "what?"}, rein.CodeInvalid, "this is no patch")
	must(t, os.Remove(large))
	if d.disk() != before {
		t.Error("something was written")
	}
	if names, _ := os.ReadDir(outside); len(names) > 0 {
		t.Errorf("written outside: %v", names)
	}
}

// A file keeps its permissions, and a patch can make it a program.
func TestModes(t *testing.T) {
	d := newDesk(t, map[string]string{"run.sh": "x\n", "secret": "x\n"})
	must(t, os.Chmod(filepath.Join(d.dir, "secret"), 0o606)) // the umask would take a bit
	text := "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n--- a/secret\n+++ b/secret\n@@ -1 +1 @@\n-x\n+y\n"
	d.serve("apply_patch", args{"patch": strings.Replace(text, "100755\n", "100755\ndiff --git a/secret b/secret\n", 1)})
	d.start()
	ask := d.ask()
	if !strings.Contains(ask.Text, "becomes a program") {
		t.Error(ask.Text)
	}
	d.answer(ask, rein.Answer{State: rein.AskApproved})
	got := d.result()
	for name, want := range map[string]os.FileMode{"run.sh": 0o755, "secret": 0o606} {
		if info, err := os.Stat(filepath.Join(d.dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s is %v, %v\n%s", name, info.Mode(), err, got)
		}
	}
}

// Without a folder the tools say so.
func TestWriteNowhere(t *testing.T) {
	var nowhere *files.Root
	made, err := nowhere.Writing(nil, nil)
	must(t, err)
	for _, tool := range made {
		if _, err := tool.Show(t.Context(), rein.Invocation{Args: []byte(`{"path":"a","content":"x","edits":[],"patch":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}`)}); rein.CodeOf(err) != rein.CodeUnavailable {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
}
