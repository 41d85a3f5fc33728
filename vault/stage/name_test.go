package stage_test

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/vault/stage"
)

// A path is a note below the vault, or it is refused: no way out, nothing hidden, no other type, no
// character that deceives. Names in all scripts are fine.
//
// Covers: HUM-41/notes
// Attack: 39
func TestName(t *testing.T) {
	for given, want := range map[string]string{
		"a.md":                    "a.md",
		"./a/../b.md":             "b.md",
		"a//b.MD":                 "a/b.MD",
		"日本/ノート.md":               "日本/ノート.md",
		"العربية.md":              "العربية.md",
		"👩\u200d🔬 lab.md":         "👩\u200d🔬 lab.md",
		"12:30 what? <now> |.md":  "12:30 what? <now> |.md",
		"v1.2 notes. /x.md":       "v1.2 notes. /x.md",
		"e\u0301.md":              "e\u0301.md",
		"a.md.md":                 "a.md.md",
		"...":                     "",
		"":                        "",
		"/etc/a.md":               "",
		"../a.md":                 "",
		"a/../../b.md":            "",
		"a/b/../../../c.md":       "",
		".obsidian/a.md":          "",
		"a/.git/b.md":             "",
		".rein/x.md":              "",
		"a/.md":                   "",
		"a.txt":                   "",
		"a":                       "",
		"a.md/":                   "",
		".":                       "",
		"..":                      "",
		`a\b.md`:                  "",
		`..\b.md`:                 "",
		"a\x00.md":                "",
		"a\nb.md":                 "",
		"a\u202Efdp.md":           "",
		"bad\xff.md":              "",
		"a\u2028.md":              "",
		strings.Repeat("a/", 600): "",
	} {
		got, err := stage.Name(given)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q became %q (%v), want %q", given, got, err, want)
		}
	}
}

// Whatever the name, what is made of it is below the vault, is not hidden, and stays as it is.
func FuzzName(f *testing.F) {
	for _, seed := range []string{"a.md", "../a.md", "a/./b.md", "a/../.b.md", "C:/a.md", "\u202E.md", "a/…/b.md"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		got, err := stage.Name(given)
		if err != nil {
			return
		}
		again, err := stage.Name(got)
		if again != got || err != nil || !filepath.IsLocal(got) || strings.HasPrefix(got, ".") || strings.Contains(got, "/.") || !strings.EqualFold(path.Ext(got), ".md") {
			t.Errorf("%q became %q, then %q (%v)", given, got, again, err)
		}
	})
}

// No link is followed, be it the note or a folder, and nothing but a plain file is a note: neither
// when it is staged nor when it is committed.
//
// Covers: HUM-41/notes
// Attack: 39
func TestLinksAreRefused(t *testing.T) {
	r := newRig(t)
	outside := t.TempDir()
	r.write("real/a.md", "inside")
	if err := os.WriteFile(filepath.Join(outside, "a.md"), []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(r.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(outside, "a.md"), "out.md")
	link(outside, "out")
	link("real", "in")
	link("real/a.md", "in.md")
	link("loop.md", "loop.md")
	link("nowhere.md", "dangling.md")
	r.write("dir.md/x.md", "x")
	for _, path := range []string{"out.md", "out/a.md", "out/new.md", "in/a.md", "in/new/b.md", "in.md", "loop.md", "dangling.md", "dir.md", "real/a.md/b.md"} {
		wantCode(t, path, r.stage(path, "mine"), rein.CodeForbidden)
		_, err := r.desk.Read(t.Context(), ann, path)
		wantCode(t, "read "+path, err, rein.CodeForbidden)
	}
	// A folder becomes a link after the note was staged.
	r.mustStage("real/a.md", "mine")
	r.mustStage("later/b.md", "mine")
	if err := os.Rename(filepath.Join(r.dir, "real"), filepath.Join(r.dir, "moved")); err != nil {
		t.Fatal(err)
	}
	link(outside, "real")
	_, err := r.commit("k")
	wantCode(t, "commit", err, rein.CodeForbidden, "symbolic link")
	if text, err := os.ReadFile(filepath.Join(outside, "a.md")); err != nil || string(text) != "outside" || len(r.notes()["later/b.md"]) > 0 {
		t.Errorf("it wrote outside: %q %v", text, err)
	}
}

// A folder that may not be used is refused by everything: reading, staging, committing, undoing; and
// what was staged there before it was denied is not shown any more.
//
// Covers: HUM-41/notes
// Attack: 39
func TestAllowedFolders(t *testing.T) {
	r := newRig(t)
	r.write("secret/a.md", "hush")
	r.mustStage("secret/a.md", "hush hush")
	if _, err := r.commit("k"); err != nil {
		t.Fatal(err)
	}
	r.mustStage("secret/a.md", "hush hush hush")
	r.mustStage("b.md", "b")
	r.deny = "secret"
	_, err := r.desk.Read(t.Context(), ann, "open/../secret/a.md")
	wantCode(t, "read", err, rein.CodeForbidden)
	wantCode(t, "stage", r.stage("secret/b.md", "x"), rein.CodeForbidden)
	_, err = r.commit("k2")
	wantCode(t, "commit", err, rein.CodeForbidden)
	_, err = r.undo(ann, "k3", "k")
	wantCode(t, "undo", err, rein.CodeForbidden)
	changes, err := r.desk.List(t.Context(), ann)
	if err != nil {
		t.Fatal(err)
	}
	_, old, err := r.desk.Changes(t.Context(), ann, "k")
	if err != nil {
		t.Fatal(err)
	}
	if text := stage.Diff(changes, 1000) + stage.Diff(old, 1000); strings.Contains(text, "hush") || !strings.Contains(text, "only be discarded") {
		t.Errorf("shown: %s", text)
	}
	_, drop, err := r.desk.Discard(t.Context(), ann, []string{"secret/a.md"})
	if err != nil || r.store.Write(t.Context(), drop) != nil {
		t.Fatal(err)
	}
	if _, err := r.commit("k4"); err != nil {
		t.Error(err)
	}
}
