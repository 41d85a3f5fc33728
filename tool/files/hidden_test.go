package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/tool/files"
	"rein/tool/reach"
)

// What the policy hides is neither listed, counted nor proposed, and asking for it gives the words for
// what does not exist. Links to it are hidden with it.
//
// Covers: HUM-41
func TestHiddenIsNotThere(t *testing.T) {
	root, dir := folder(t, map[string]string{"notes/Private/diary.md": "secret", "notes/plan.md": "plan", "data/rein.db": "secret", ".secrets/key": "secret"})
	for name, target := range map[string]string{"notes/way": "Private", "notes/dairy.md": "Private/diary.md", "db": "data/rein.db", "away": "/etc"} {
		must(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	p := policy(t, reach.Options{Root: dir, Vault: filepath.Join(dir, "notes"), Exclude: []string{"private"}, Hidden: []string{filepath.Join(dir, "data"), filepath.Join(dir, ".secrets")}})
	for _, path := range []string{
		"notes/Private/diary.md", "notes/Private", "notes/PRIVATE/diary.md", "notes/way/diary.md", "notes/dairy.md", "notes/diary.md", "notes/plan.md/../Private/diary.md",
		"data", "data/rein.db", "data/none", "db", ".secrets/key", "notes/.obsidian",
	} {
		for _, name := range []string{"read_file", "list_directory"} {
			_, err := callAs(t, root, p, name, args{"path": path})
			if rein.CodeOf(err) != rein.CodeNotFound || !strings.Contains(err.Error(), "does not exist in "+dir+", or may not be seen; list_directory") {
				t.Errorf("%s %s: %v", name, path, err)
			}
		}
	}
	done, err := callAs(t, root, p, "list_directory", args{"depth": 5})
	must(t, err)
	for _, word := range []string{"rivate", "data", "diary", "db", "hidden", "left out"} {
		if strings.Contains(done.Text+string(done.Data), word) {
			t.Errorf("%q is in the listing:\n%s\n%s", word, done.Text, done.Data)
		}
	}
	for _, word := range []string{"notes/plan.md", "away -> /etc"} {
		if !strings.Contains(done.Text, word) {
			t.Errorf("%q is not in the listing:\n%s", word, done.Text)
		}
	}
	if done, err := callAs(t, root, p, "read_file", args{"path": "notes/plan.md"}); err != nil || done.Text != "plan" {
		t.Error(done, err)
	}
}

// Of a vault with folders to include, only those are seen, and the way to them.
func TestOnlyWhatIsIncluded(t *testing.T) {
	root, dir := folder(t, map[string]string{"a/b/in.md": "in", "a/out.md": "out", "c/out.md": "out", "top.md": "out"})
	p := policy(t, reach.Options{Root: dir, Vault: dir, Include: []string{"a/b"}})
	done, err := callAs(t, root, p, "list_directory", args{"depth": 5})
	if err != nil || strings.Contains(done.Text, "out") || strings.Contains(done.Text, "c/") || !strings.Contains(done.Text, "a/b/in.md") {
		t.Errorf("%s %v", done.Text, err)
	}
	for path, want := range map[string]rein.Code{"a/b/in.md": "", "a/out.md": rein.CodeNotFound, "c/out.md": rein.CodeNotFound, "top.md": rein.CodeNotFound} {
		if _, err := callAs(t, root, p, "read_file", args{"path": path}); want != "" && rein.CodeOf(err) != want || want == "" && err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A link that is swapped while its target is read leads to nothing that is hidden.
//
// Attack: 36
func TestSwappedLinkLeadsToNothingHidden(t *testing.T) {
	root, dir := folder(t, map[string]string{"Private/diary.md": "secret", "Open/diary.md": "open"})
	p := policy(t, reach.Options{Root: dir, Vault: dir, Exclude: []string{"Private"}})
	must(t, os.Symlink("Open", filepath.Join(dir, "now")))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := filepath.Join(dir, ".next")
			_ = os.Symlink([]string{"Private", "Open"}[i%2], next)
			_ = os.Rename(next, filepath.Join(dir, "now"))
		}
	}()
	read, err := root.ReadFile()
	must(t, err)
	for range 1000 {
		done, _ := read.Do(t.Context(), rein.Invocation{Args: []byte(`{"path":"now/diary.md"}`), Reach: p})
		if strings.Contains(done.Text, "secret") {
			t.Fatal("the link led to what is hidden")
		}
	}
	close(stop)
	<-stopped
}

// Without a folder, without a policy, and for another household, there is nothing.
func TestNothingWithoutARoot(t *testing.T) {
	root, dir := folder(t, map[string]string{"a.txt": "text"})
	for name, c := range map[string]struct {
		root  *files.Root
		reach rein.Reach
		code  rein.Code
		says  string
	}{
		"no folder":         {nil, everything(t, root), rein.CodeUnavailable, "tools.root names one"},
		"no policy":         {root, nil, rein.CodeForbidden, "brings no policy"},
		"another household": {root, theirs(t, dir), rein.CodeForbidden, "no files of your household"},
		"another root":      {root, policy(t, reach.Options{Root: filepath.Join(dir, "elsewhere")}), rein.CodeForbidden, "outside"},
	} {
		for _, tool := range []string{"read_file", "list_directory"} {
			for _, path := range []string{"a.txt", "none", "."} {
				_, err := callAs(t, c.root, c.reach, tool, args{"path": path})
				if rein.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s: %s %s: %v", name, tool, path, err)
				}
			}
		}
	}
}

func theirs(t *testing.T, dir string) rein.Reach {
	p, err := reach.New(reach.Options{Root: dir, Household: "home"})
	must(t, err)
	return p.For(&rein.Task{Household: "away"})
}
