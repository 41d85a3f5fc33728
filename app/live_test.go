package app

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rein/app/config"
)

// A file with settings that appears in the folder where commands write does not count while rein runs: a command may have made
// it. Elsewhere it does, and so do edits of one that was there.
func TestSettingsThatAppearInTheWorkspace(t *testing.T) {
	for name, c := range map[string]struct {
		inside, there, loads bool
	}{"it appears in the workspace": {true, false, false}, "it appears elsewhere": {false, false, true}, "it is edited in the workspace": {true, true, true}} {
		root, elsewhere := t.TempDir(), t.TempDir()
		path := filepath.Join(elsewhere, "rein.toml")
		if c.inside {
			path = filepath.Join(root, "conf", "rein.toml")
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if c.there {
			if err := os.WriteFile(path, []byte("before"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		began, newer := &config.Config{Path: path}, &config.Config{Path: path}
		began.Tools.Root = root
		l := newLive(began, func() (*config.Config, error) { return newer, nil })
		if now, _ := l.now(); now != began {
			t.Errorf("%s: the settings changed by themselves", name)
		}
		if err := errors.Join(os.WriteFile(path+".new", []byte("after, and longer"), 0o644), os.Rename(path+".new", path)); err != nil {
			t.Fatal(err)
		}
		if now, _ := l.now(); (now == newer) != c.loads {
			t.Errorf("%s: loaded is %v", name, now == newer)
		}
	}
}

// The manual lists exactly the settings that need a restart.
func TestManualListsWhatNeedsARestart(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(page), "\nThese need a restart: ")
	list, _, _ = strings.Cut(list, ". ")
	var listed, want []string
	for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(list, -1) {
		listed = append(listed, name[1])
	}
	for _, key := range fixed {
		want = append(want, strings.TrimSuffix(key, "."))
	}
	if !slices.Equal(listed, want) {
		t.Errorf("listed are\n%q, not\n%q", listed, want)
	}
}
