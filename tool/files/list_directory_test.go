package files_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein/tool/files"
)

// dated gives every folder below dir the same date, so that listings can be compared.
func dated(t *testing.T, dir string, names ...string) {
	t.Helper()
	day := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, name := range names {
		must(t, os.Chtimes(filepath.Join(dir, name), day, day))
	}
}

func TestListDirectory(t *testing.T) {
	root, dir := folder(t, map[string]string{
		"b.txt": "12345", "a/z.txt": "", "a/deep/er/x": "1", "a-b": "", ".git/config": "", ".env": "", "empty/": "", "a/.hid": "",
	})
	dated(t, dir, "a", "a/deep", "a/deep/er", ".git", "empty")
	for _, c := range []struct {
		args args
		want []string
	}{
		{args{}, []string{
			"a/  2026-03-02 00:00", "a-b  0 B  2026-03-01 12:30", "b.txt  5 B  2026-03-01 12:30", "empty/  2026-03-02 00:00", "[2 hidden left out: set hidden to list them]",
		}},
		{args{"depth": 2}, []string{
			"a/  2026-03-02 00:00", "a/deep/  2026-03-02 00:00", "a/z.txt  0 B  2026-03-01 12:30", "a-b  0 B  2026-03-01 12:30",
			"b.txt  5 B  2026-03-01 12:30", "empty/  2026-03-02 00:00", "[3 hidden left out: set hidden to list them]",
		}},
		{args{"path": "a", "depth": 5, "hidden": true}, []string{
			".hid  0 B  2026-03-01 12:30", "deep/  2026-03-02 00:00", "deep/er/  2026-03-02 00:00", "deep/er/x  1 B  2026-03-01 12:30", "z.txt  0 B  2026-03-01 12:30",
		}},
		{args{"path": dir + "/a/deep"}, []string{"er/  2026-03-02 00:00"}},
		{args{"path": "empty", "hidden": true}, []string{"[nothing to list]"}},
		{args{"path": ".git"}, []string{"config  0 B  2026-03-01 12:30"}},
	} {
		done, err := call(t, root, "list_directory", c.args)
		must(t, err)
		if diff := cmp.Diff(c.want, strings.Split(done.Text, "\n")); diff != "" {
			t.Errorf("%v: %s", c.args, diff)
		}
	}
}

func TestListDirectoryData(t *testing.T) {
	root, dir := folder(t, map[string]string{"f": "123", "d/": ""})
	dated(t, dir, "d")
	must(t, os.Symlink("f", filepath.Join(dir, "l")))
	done, err := call(t, root, "list_directory", args{})
	must(t, err)
	var got []files.Entry
	must(t, json.Unmarshal(done.Data, &got))
	size, file, sub := int64(3), time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC), time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	if len(got) == 3 {
		got[2].Modified = nil
	}
	want := []files.Entry{{Path: "d", Kind: "folder", Modified: &sub}, {Path: "f", Kind: "file", Bytes: &size, Modified: &file}, {Path: "l", Kind: "link", Target: "f"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	root, _ = folder(t, nil)
	if done, err := call(t, root, "list_directory", args{}); err != nil || string(done.Data) != "[]" {
		t.Errorf("%s %v", done.Data, err)
	}
}

// A name cannot make up a line, a note or an entry of another kind.
//
// Attack: 37
func TestListDirectoryWithHostileNames(t *testing.T) {
	names := map[string]string{
		"a\nb  5 B": `"a\nb  5 B"`, "esc\x1b[31m": `"esc\x1b[31m"`, "bidi\u202egpj": `"bidi\u202egpj"`, "bad\xff": `"bad\xff"`, "[note]": `"[note]"`,
		`"q"`: `"\"q\""`, " lead": `" lead"`, "two  spaces": `"two  spaces"`, "a -> b": `"a -> b"`, "é 日本.md": "é 日本.md", "tab\t": `"tab\t"`,
	}
	contents := map[string]string{}
	for name := range names {
		contents[name] = "12345"
	}
	root, dir := folder(t, contents)
	must(t, os.Symlink("x\ny", filepath.Join(dir, "zlink")))
	done, err := call(t, root, "list_directory", args{})
	must(t, err)
	lines := strings.Split(done.Text, "\n")
	if len(lines) != len(names)+1 {
		t.Errorf("%d lines for %d entries:\n%s", len(lines), len(names)+1, done.Text)
	}
	for _, shown := range names {
		if !strings.Contains("\n"+done.Text, "\n"+shown+"  5 B  ") {
			t.Errorf("%s is not in\n%s", shown, done.Text)
		}
	}
	if !strings.Contains(done.Text, `zlink -> "x\ny"  `) {
		t.Error(done.Text)
	}
	if !json.Valid(done.Data) {
		t.Errorf("%q", done.Data)
	}
}

// Links are listed and not followed, whether they stay inside or not.
//
// Attack: 37
func TestListDirectoryFollowsNoLinks(t *testing.T) {
	root, dir := folder(t, map[string]string{"d/secret-inside": ""})
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret-outside"), nil, 0o644))
	for name, target := range map[string]string{"in": "d", "out": outside, "self": ".", "d/up": ".."} {
		must(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	done, err := call(t, root, "list_directory", args{"depth": 5})
	must(t, err)
	for _, line := range []string{"in -> d  ", "out -> " + outside + "  ", "self -> .  ", "d/up -> ..  "} {
		if !strings.Contains("\n"+done.Text, "\n"+line) {
			t.Errorf("%q is not in\n%s", line, done.Text)
		}
	}
	if strings.Contains(done.Text, "secret-outside") || strings.Count(done.Text, "secret-inside") != 1 {
		t.Error(done.Text)
	}
}

// What is too much is left out from below, and counted.
//
// Attack: 37
func TestListDirectoryThatIsLarge(t *testing.T) {
	contents := map[string]string{}
	for i := range 700 {
		contents[fmt.Sprintf("aaa/%04d", i)] = ""
		contents[fmt.Sprintf("top%04d", i)] = ""
	}
	root, _ := folder(t, contents)
	done, err := call(t, root, "list_directory", args{"depth": 2})
	must(t, err)
	lines := strings.Split(done.Text, "\n")
	if len(lines) != 1001 || lines[1000] != "[401 more left out: list a folder below, or a smaller depth]" || !strings.HasPrefix(lines[999], "top0699") || !strings.HasPrefix(lines[299], "aaa/0298") {
		t.Errorf("%d lines; at the end %q", len(lines), lines[len(lines)-3:])
	}

	contents = map[string]string{}
	for i := range 1100 {
		contents[fmt.Sprintf("%04d/x", i)] = ""
	}
	root, _ = folder(t, contents)
	for depth, want := range map[int]string{1: "[100 more left out", 2: "[at least 1100 more left out"} {
		done, err = call(t, root, "list_directory", args{"depth": depth})
		must(t, err)
		if lines := strings.Split(done.Text, "\n"); len(lines) != 1001 || !strings.HasPrefix(lines[1000], want) {
			t.Errorf("depth %d: %d lines; at the end %q", depth, len(lines), lines[len(lines)-1])
		}
	}
}

// What git ignores is marked, also in a folder that is ignored itself, and such a folder is opened only by name.
func TestListDirectoryMarksIgnored(t *testing.T) {
	root, _ := folder(t, map[string]string{
		".gitignore": "out/\n*.log\n", "a.log": "", "out/x": "", "src/.gitignore": "!keep.log\n", "src/keep.log": "", "src/b.log": "", "src/out/y": "", ".git/config": "",
	})
	ignored := func(a args) (names []string) {
		done, err := call(t, root, "list_directory", a)
		must(t, err)
		var entries []files.Entry
		must(t, json.Unmarshal(done.Data, &entries))
		for _, e := range entries {
			if e.Ignored {
				e.Path = "!" + e.Path
			}
			names = append(names, e.Path)
		}
		if a["depth"] != nil && !strings.Contains(done.Text, " not opened: list one") {
			t.Errorf("%v does not say what was not opened:\n%s", a, done.Text)
		}
		return names
	}
	for _, c := range []struct {
		args args
		want string
	}{
		{args{}, "!a.log !out src"},
		{args{"depth": 3, "hidden": true}, ".git .gitignore !a.log !out src src/.gitignore !src/b.log src/keep.log !src/out"},
		{args{"path": "src"}, "!b.log keep.log !out"},
		{args{"path": "src/out"}, "!y"},
		{args{"path": "out"}, "!x"},
	} {
		if got := strings.Join(ignored(c.args), " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.args, got, c.want)
		}
	}
}
