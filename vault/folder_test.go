package vault

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestListSaysWhatIsIndexedAndWhyNot(t *testing.T) {
	r := newRig(t, map[string]string{
		"good.md":              "---\ntags: [a, b\n---\n# Good\nThe text is here and it is fine for you.\n",
		"UPPER.MD":             "x",
		"long.markdown":        "x",
		"data.csv":             "a,b",
		"bin.md":               "\x00\x01",
		"latin1.md":            strings.Repeat("\xe9t\xe9 ", 50),
		"utf16.md":             "\xff\xfea\x00",
		"few bad.md":           "mostly fine \xff text that goes on for some time, so that one broken byte is no matter",
		".obsidian/config.md":  "x",
		"Templates/daily.md":   "{{date}}",
		"big.md":               strings.Repeat("x", maxNote+1),
		"deep/a/b/c/d/note.md": "x",
	}, Options{Exclude: []string{"templates"}})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Symlink("good.md", filepath.Join(r.dir, "link.md")))
	must(os.Symlink("..", filepath.Join(r.dir, "deep/up")))
	must(unix.Mkfifo(filepath.Join(r.dir, "pipe.md"), 0o644))
	must(os.WriteFile(filepath.Join(r.dir, "broken\xff.md"), []byte("x"), 0o644))
	r.sync()
	got := map[string]string{}
	for _, e := range r.List() {
		got[e.Path] = e.Why
		if e.Indexed {
			got[e.Path] = "indexed"
		}
		if e.Path == "good.md" && (len(e.Problems) != 1 || e.Lang != "en" || e.Pieces != 1 || e.Changed.IsZero()) {
			t.Errorf("good.md: %+v", e)
		}
	}
	want := map[string]string{
		"good.md": "indexed", "UPPER.MD": "indexed", "long.markdown": "indexed", "few bad.md": "indexed", "deep/a/b/c/d/note.md": "indexed",
		"data.csv": "not Markdown", "bin.md": "binary, not text", "latin1.md": "not written in UTF-8", "utf16.md": "written in UTF-16: save it as UTF-8",
		".obsidian/": "hidden", "Templates/": "in an excluded folder", "big.md": "larger than 10 MB", "link.md": "a link: links are not followed",
		"deep/up": "a link: links are not followed", "pipe.md": "not a plain file", "broken\uFFFD.md": "its name is not UTF-8",
	}
	for path, why := range want {
		if got[path] != why {
			t.Errorf("%s is %q, want %q", path, got[path], why)
		}
	}
	if len(got) != len(want) {
		t.Errorf("the list is %v", got)
	}
	if s := r.Status(); s.Notes != 5 || s.Skipped != len(want)-5 {
		t.Errorf("status %+v", s)
	}
}

func TestUnreadableNotesAreListed(t *testing.T) {
	if os.Geteuid() == 0 {
		return // everything can be read
	}
	r := newRig(t, map[string]string{"a.md": "x"}, Options{})
	if err := os.Chmod(filepath.Join(r.dir, "a.md"), 0); err != nil {
		t.Fatal(err)
	}
	r.sync()
	for _, e := range r.List() {
		if e.Indexed || !strings.Contains(e.Why, "permission") {
			t.Errorf("%+v", e)
		}
	}
}

func TestIncludeWalksThroughFoldersAbove(t *testing.T) {
	r := newRig(t, map[string]string{"a/b/in.md": "x", "a/out.md": "x", "a/b/c/no.md": "x", "ab/out.md": "x"}, Options{Include: []string{"a/b"}, Exclude: []string{"a/b/c"}})
	var got []string
	for _, e := range r.List() {
		if e.Indexed {
			got = append(got, e.Path)
		}
	}
	if fmt.Sprint(got) != "[a/b/in.md]" {
		t.Errorf("indexed %v", got)
	}
}

func TestAFolderOutsideIsNoOption(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, o := range []Options{{}, {Root: root}, {Root: root, Index: t.TempDir(), Include: []string{"../x"}}, {Root: root, Index: t.TempDir(), Embedder: &bag{}}} {
		if v, err := Open(t.Context(), o); err == nil {
			v.Close()
			t.Errorf("opened with %+v", o)
		}
	}
}
