package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"rein"
	"rein/household/changes"
	"rein/tool/files"
	"rein/tool/reach"
)

// counted counts the questions to a policy.
type counted struct {
	rein.Reach
	asked atomic.Int64
}

func (c *counted) Path(path string) error {
	c.asked.Add(1)
	return c.Reach.Path(path)
}

func (c *counted) Hidden(folder string) ([]string, error) {
	return c.Reach.(interface {
		Hidden(folder string) ([]string, error)
	}).Hidden(folder)
}

func surveyed(t *testing.T, dir string, o reach.Options, known changes.Tree) (*files.Survey, *counted) {
	t.Helper()
	s, asks, err := surveyor(t, dir, o)(known)
	must(t, err)
	return s, asks
}

// surveyor returns what looks at a folder.
func surveyor(t *testing.T, dir string, o reach.Options) func(known changes.Tree) (*files.Survey, *counted, error) {
	t.Helper()
	root, err := files.Open(dir)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	o.Household, o.Root = "home", dir
	policy, err := reach.New(o)
	must(t, err)
	task := &rein.Task{Household: "home", User: "ann", Session: "s"}
	asks := &counted{Reach: policy.For(task)}
	return func(known changes.Tree) (*files.Survey, *counted, error) {
		s, err := root.Survey(t.Context(), rein.Invocation{Task: task, Reach: asks}, known, true)
		return s, asks, err
	}
}

// One look at a folder asks the policy once for each folder, however many files there are, and does not follow a chain of
// folders to its end.
func TestSurveyIsCheap(t *testing.T) {
	_, dir := folder(t, map[string]string{"a/f": "x", "a/b/f": "x"})
	for i := range 2000 {
		must(t, os.WriteFile(filepath.Join(dir, "a", strings.Repeat("f", i%9+1)+string(rune('a'+i%26))+filepath.Base(t.Name())+string(rune('a'+i/26%26))+string(rune('a'+i/676))), nil, 0o644))
	}
	s, asks := surveyed(t, dir, reach.Options{}, changes.Tree{})
	if n := asks.asked.Load(); n > 3 || len(s.Files) < 1000 {
		t.Errorf("%d questions about %d entries in 3 folders", n, len(s.Files))
	}
	deep, err := os.OpenRoot(dir)
	must(t, err)
	for range 500 {
		must(t, deep.Mkdir("d", 0o755))
		next, err := deep.OpenRoot("d")
		must(t, err)
		deep.Close()
		deep = next
	}
	defer deep.Close()
	s, asks = surveyed(t, dir, reach.Options{}, changes.Tree{})
	if n := asks.asked.Load(); n > 70 || !strings.Contains(s.Uncovered(), "64 levels") {
		t.Errorf("%d questions about a chain of folders; %q", n, s.Uncovered())
	}
}

// What the policy hides is hidden from a look too, files and folders.
func TestSurveyHides(t *testing.T) {
	_, dir := folder(t, map[string]string{"a/secret": "x", "data/db": "x", "notes/Private/n.md": "x", "notes/n.md": "x", "b": "x"})
	s, _ := surveyed(t, dir, reach.Options{Hidden: []string{filepath.Join(dir, "a/secret"), filepath.Join(dir, "data")}, Vault: filepath.Join(dir, "notes"), Exclude: []string{"Private"}}, changes.Tree{})
	for _, name := range []string{"a/secret", "data", "notes/Private"} {
		if s.Files[name].Mark != changes.Left {
			t.Errorf("%s: %+v", name, s.Files[name])
		}
	}
	if s.Files["b"].Mark == changes.Left || s.Files["notes/n.md"].Mark.Sum() == "" || !strings.Contains(s.Uncovered(), "may not use") {
		t.Errorf("%+v %q", s.Files, s.Uncovered())
	}
}

// What was covered and cannot be read for a while stays covered.
func TestSurveyKeepsWhatIsShut(t *testing.T) {
	_, dir := folder(t, map[string]string{"src/a": "x", "src/sub/b": "x", "c": "x"})
	known, _ := surveyed(t, dir, reach.Options{}, changes.Tree{})
	for _, name := range []string{"src", "c"} {
		must(t, os.Chmod(filepath.Join(dir, name), 0))
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "src"), 0o700) })
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	look := surveyor(t, dir, reach.Options{})
	powerless(t, func() {
		s, _, err := look(changes.Tree{Files: known.Files})
		if err != nil {
			t.Error(err)
			return
		}
		for _, name := range []string{"src/a", "src/sub/b", "c"} {
			if s.Files[name].Mark != known.Files[name].Mark || s.Files[name].Mark.Sum() == "" {
				t.Errorf("%s: %+v", name, s.Files[name])
			}
		}
		if len(s.Changed.Gone) > 0 || !strings.Contains(s.Uncovered(), "cannot be read") {
			t.Errorf("gone: %q; %q", s.Changed.Gone, s.Uncovered())
		}
	})
}
