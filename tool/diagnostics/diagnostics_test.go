package diagnostics_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/sandbox/sandboxtest"
	"rein/tool/diagnostics"
	"rein/tool/files"
	"rein/tool/reach"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

// A desk is a workspace with the tool, as a worker uses it.
type desk struct {
	*testing.T
	root   string
	tool   rein.Tool
	checks *diagnostics.Checks
	policy *reach.Policy
	task   rein.Task
}

func newDesk(t *testing.T, path string, files map[string]string) *desk {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	getenv := func(name string) string {
		if name == "PATH" {
			return path
		}
		return os.Getenv(name)
	}
	checks := diagnostics.New(diagnostics.Options{Root: root, Report: sandboxtest.Report, Getenv: getenv, Wait: time.Minute})
	t.Cleanup(func() { must(t, checks.Close()) })
	tool, err := checks.Tool()
	must(t, err)
	policy, err := reach.New(reach.Options{Household: "home", Root: root})
	must(t, err)
	return &desk{T: t, root: root, tool: tool, checks: checks, policy: policy, task: rein.Task{Household: "home", User: "owner"}}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (d *desk) check(path string) (rein.Done, error) {
	d.Helper()
	args, err := json.Marshal(map[string]string{"path": path})
	must(d.T, err)
	return d.tool.Do(d.Context(), d.invocation(args))
}

func (d *desk) invocation(args []byte) rein.Invocation {
	return rein.Invocation{Run: "r", Step: "1", Key: "r:1", Args: args, Task: &d.task, Reach: d.policy.For(&d.task)}
}

// searchPath is the PATH of this process, with gopls where make puts it.
func searchPath(t *testing.T) string {
	t.Helper()
	here, err := filepath.Abs("../../internal/tools/_bin")
	must(t, err)
	path := here + string(filepath.ListSeparator) + os.Getenv("PATH")
	for _, dir := range filepath.SplitList(path) {
		if _, err := exec.LookPath(filepath.Join(dir, "gopls")); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("gopls is not installed: run make gopls")
	}
	t.Skip("gopls is not installed: run make gopls")
	return ""
}

// gopls finds errors of types in a file and in a folder, and sees what was changed since the last call. It cannot
// write to the workspace.
func TestGopls(t *testing.T) {
	t.Parallel()
	sandboxtest.Need(t)
	d := newDesk(t, searchPath(t), map[string]string{
		"go.mod":        "module example.com/a\n\ngo 1.21\n",
		"a.go":          "package a\n\nimport \"example.com/a/b\"\n\nvar N int = b.Name()\n",
		"b/b.go":        "package b\n\nfunc Name() string { return \"b\" }\n",
		".hidden/c.go":  "package c\n\nvar x int = \"no\"\n",
		"b/readme.text": "nothing\n",
	})
	for _, path := range []string{"a.go", ".", filepath.Join(d.root, "a.go")} {
		done, err := d.check(path)
		must(t, err)
		if !strings.Contains(done.Text, " checked, 1 problem.\na.go:5:13: error: cannot use b.Name()") {
			t.Errorf("%s: %s", path, done.Text)
		}
		var data []diagnostics.Problem
		must(t, json.Unmarshal(done.Data, &data))
		if len(data) != 1 || data[0].Path != "a.go" || data[0].Line != 5 || data[0].Severity != "error" {
			t.Errorf("%s: %s", path, done.Data)
		}
	}
	first := d.checks.Live()
	must(t, os.WriteFile(filepath.Join(d.root, "b/b.go"), []byte("package b\n\nfunc Name() int { return 1 }\n"), 0o644))
	done, err := d.check(".")
	must(t, err)
	if !strings.HasPrefix(done.Text, "2 files checked, 0 problems.") {
		t.Error(done.Text)
	}
	if now := d.checks.Live(); len(now) != 1 || !slices.Equal(now, first) {
		t.Errorf("servers: %v, and before %v", now, first)
	}
	var left []string
	must(t, filepath.WalkDir(d.root, func(path string, e os.DirEntry, err error) error {
		if !e.IsDir() {
			left = append(left, e.Name())
		}
		return err
	}))
	slices.Sort(left)
	if got := strings.Join(left, " "); got != "a.go b.go c.go go.mod readme.text" {
		t.Errorf("the workspace has %s", got)
	}
}

// write changes a file with the real tool, and returns its result.
func (d *desk) write(name, text string) string {
	d.Helper()
	root, err := files.Open(d.root)
	must(d.T, err)
	defer root.Close()
	root.Inspect(d.checks.After)
	tools, err := root.Writing(nil, nil)
	must(d.T, err)
	write := tools[slices.IndexFunc(tools, func(t rein.Tool) bool { return t.Name == "write_file" })]
	args := map[string]any{"path": name, "content": text, "overwrite": true}
	raw, err := json.Marshal(args)
	must(d.T, err)
	shown, err := write.Show(d.Context(), d.invocation(raw))
	must(d.T, err)
	args["shown"] = shown.Pin["shown"]
	raw, err = json.Marshal(args)
	must(d.T, err)
	done, err := write.Do(d.Context(), d.invocation(raw))
	must(d.T, err)
	return done.Text
}

// Whoever writes a file reads in the result what the server finds in it, and what of that is new. The server runs on between
// calls, sees what others changed meanwhile, and ends when it is idle.
func TestAfterWriting(t *testing.T) {
	t.Parallel()
	sandboxtest.Need(t)
	d := newDesk(t, searchPath(t), map[string]string{"go.mod": "module example.com/a\n\ngo 1.21\n", "b/b.go": "package b\n\nfunc Name() string { return \"b\" }\n"})
	d.has(d.write("a.go", "package a\n\nvar N int = \"text\"\n"), "Written:\na.go: new\n\ngopls finds 1 problem:\na.go:3:13: error: cannot use \"text\"")
	d.has(d.write("a.go", "package a\n\nvar M int = true\n\nvar N int = \"text\"\n"), "gopls finds 2 problems, 1 from before. New:\na.go:3:13: error: cannot use true")
	d.has(d.write("a.go", "package a\n\nvar N int = \"text\"\n"), "gopls finds nothing new, and 1 problem from before.")
	d.has(d.write("a.go", "package a\n\nimport \"example.com/a/b\"\n\nvar N string = b.Name()\n"), "a.go: changed\n\ngopls finds no problems.")
	must(t, os.WriteFile(filepath.Join(d.root, "b/b.go"), []byte("package b\n\nfunc Name() bool { return true }\n"), 0o644))
	d.has(d.write("a.go", "package a\n\nimport \"example.com/a/b\"\n\n// N is it.\nvar N string = b.Name()\n"), "a.go:6:16: error: cannot use b.Name()")
	if live := d.checks.Live(); len(live) != 1 {
		t.Errorf("%d servers: %v", len(live), live)
	}
	if got := d.write("readme.txt", "text\n"); got != "Written:\nreadme.txt: new" {
		t.Error(got)
	}
	d.task.Policy.Deny = []string{"diagnostics"}
	if got := d.write("a.go", "package a\n\nvar N int = \"text\"\n"); got != "Written:\na.go: changed" {
		t.Error("somebody who may not use the tool reads", got)
	}
}

func (d *desk) has(text, part string) {
	d.Helper()
	if !strings.Contains(text, part) {
		d.Errorf("%q is not in:\n%s", part, text)
	}
}

// A server that does not answer in time, or is not there, does not keep a call from writing. It is not started again each time,
// and ends when nobody has asked it for a while.
func TestSlowServer(t *testing.T) {
	t.Parallel()
	sandboxtest.Need(t)
	bin := t.TempDir()
	must(t, os.WriteFile(filepath.Join(bin, "gopls"), []byte("#!/bin/sh\nexec sleep 1000\n"), 0o755))
	must(t, os.WriteFile(filepath.Join(bin, "go"), []byte("#!/bin/sh\n"), 0o755))
	d := newDesk(t, bin, map[string]string{"go.mod": "module example.com/a\n"})
	d.checks.Wait = 100 * time.Millisecond
	var first []string
	for i, text := range []string{"package a\n", "package b\n", "package e\n"} {
		if i == 2 {
			d.checks.Idle = time.Millisecond
		}
		if got := d.write("a.go", text); !strings.HasPrefix(got, "Written:\na.go: ") || !strings.Contains(got, "[gopls is not ready yet") {
			t.Error(got)
		}
		switch live := d.checks.Live(); i {
		case 0:
			first = live
		case 1:
			if !slices.Equal(live, first) || len(live) != 1 {
				t.Errorf("servers: %v, and before %v", live, first)
			}
		}
	}
	for len(d.checks.Live()) > 0 {
		if t.Context().Err() != nil {
			t.Fatal("the server does not end")
		}
		runtime.Gosched()
	}
	must(t, os.WriteFile(filepath.Join(bin, "gopls"), []byte("#!/bin/sh\nexit 3\n"), 0o755))
	d.checks.Wait, d.checks.Idle = time.Minute, 0
	d.has(d.write("a.go", "package c\n"), "Written:\na.go: changed\n\n[gopls: the server ended: exit code 3")
	must(t, os.Remove(filepath.Join(bin, "gopls")))
	if got := d.write("a.go", "package d\n"); got != "Written:\na.go: changed" {
		t.Error(got)
	}
}

// What cannot be checked gets an error that says what would help.
func TestNotChecked(t *testing.T) {
	t.Parallel()
	d := newDesk(t, t.TempDir(), map[string]string{"a.go": "package a\n", "b.txt": ""})
	must(t, os.Symlink("/etc", filepath.Join(d.root, "out")))
	for path, want := range map[string]struct {
		code rein.Code
		text string
	}{
		"a.go":       {rein.CodeUnavailable, "gopls is not installed, so these files cannot be checked (to install it: go install golang.org/x/tools/gopls@latest)"},
		"b.txt":      {rein.CodeInvalid, "no language server is known for \"b.txt\"; files that can be checked end in .cjs, .go"},
		"c.go":       {rein.CodeNotFound, "does not exist"},
		"out/passwd": {rein.CodeForbidden, "outside the allowed folder"},
		"/etc":       {rein.CodeForbidden, "outside the allowed folder"},
	} {
		if _, err := d.check(path); rein.CodeOf(err) != want.code || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
