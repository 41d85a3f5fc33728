package diagnostics_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/sandbox"
	"rein/tool/diagnostics"
	"rein/tool/reach"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

var detect = sync.OnceValue(func() sandbox.Report { return sandbox.Detect(context.Background()) })

// A desk is a workspace with the tool, as a worker uses it.
type desk struct {
	*testing.T
	root   string
	tool   rein.Tool
	policy *reach.Policy
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
	checks := diagnostics.New(diagnostics.Options{Root: root, Report: detect, Getenv: getenv})
	t.Cleanup(func() { must(t, checks.Close()) })
	tool, err := checks.Tool()
	must(t, err)
	policy, err := reach.New(reach.Options{Household: "home", Root: root})
	must(t, err)
	return &desk{T: t, root: root, tool: tool, policy: policy}
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
	task := &rein.Task{Household: "home", User: "owner"}
	inv := rein.Invocation{Run: "r", Args: args, Task: task}
	inv.Reach = d.policy.For(task)
	return d.tool.Do(d.Context(), inv)
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

func needBox(t *testing.T) {
	t.Helper()
	report := detect()
	for _, m := range sandbox.Standard {
		if !report.Has(m) {
			t.Skipf("the sandbox lacks %s here", m)
		}
	}
}

// gopls finds errors of types in a file and in a folder, and sees what was changed since the last call. It cannot
// write to the workspace.
func TestGopls(t *testing.T) {
	t.Parallel()
	needBox(t)
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
		if !strings.Contains(done.Text, "1 problems.\na.go:5:13: error: cannot use b.Name()") {
			t.Errorf("%s: %s", path, done.Text)
		}
		var data []diagnostics.Problem
		must(t, json.Unmarshal(done.Data, &data))
		if len(data) != 1 || data[0].Path != "a.go" || data[0].Line != 5 || data[0].Severity != "error" {
			t.Errorf("%s: %s", path, done.Data)
		}
	}
	must(t, os.WriteFile(filepath.Join(d.root, "b/b.go"), []byte("package b\n\nfunc Name() int { return 1 }\n"), 0o644))
	done, err := d.check(".")
	must(t, err)
	if !strings.HasPrefix(done.Text, "2 files checked, 0 problems.") {
		t.Error(done.Text)
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
