package reach

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// tree makes files, links (name -> target) and folders (a name that ends in /), and returns where,
// without links on the way.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	check(t, err)
	for _, name := range names {
		name, target, link := strings.Cut(name, " -> ")
		path := filepath.Join(dir, name)
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case link:
			check(t, os.Symlink(strings.ReplaceAll(target, "$", dir), path))
		case strings.HasSuffix(name, "/"):
			check(t, os.MkdirAll(path, 0o755))
		default:
			check(t, os.WriteFile(path, []byte(name), 0o644))
		}
	}
	return dir
}

// The policy judges where a path leads, whichever root led there.
//
// Covers: HUM-41
// Attack: 40
func TestPath(t *testing.T) {
	dir := tree(t,
		"work/a.txt", "work/notes/Open/x.md", "work/notes/Private/x.md", "work/notes/.obsidian/x", "work/data/rein.db", "other/x",
		"work/out -> ../other", "work/db -> data/rein.db", "work/in -> notes/Private", "work/to -> $/work/notes/Open", "work/gone -> notes/Private/gone.md",
		"work/loop -> loop", "way -> work", "work/notes/up -> ..",
	)
	policy, err := New(Options{
		Household: "home", Root: filepath.Join(dir, "way"), Vault: filepath.Join(dir, "way/notes"),
		Exclude: []string{"Private"}, Hidden: []string{filepath.Join(dir, "work/data")},
	})
	check(t, err)
	if policy.root != filepath.Join(dir, "work") {
		t.Errorf("the root is %s", policy.root)
	}
	mine := policy.For(&rein.Task{Household: "home"})
	for path, want := range map[string]rein.Code{
		"work": "", "work/a.txt": "", "work/none": "", "way/a.txt": "", "work/notes": "", "work/notes/Open/x.md": "", "work/to/x.md": "", "work/notes/up/a.txt": "",
		"work/notes/Private": rein.CodeNotFound, "work/notes/Private/none": rein.CodeNotFound, "work/in/x.md": rein.CodeNotFound, "work/gone": rein.CodeNotFound,
		"work/notes/private/X.md": rein.CodeNotFound, "work/notes/PRIVATE/x.md": rein.CodeNotFound, "work/notes/Open/../Private/x.md": rein.CodeNotFound,
		"work/notes/.obsidian/x": rein.CodeNotFound, "work/notes/up/data/rein.db": rein.CodeNotFound,
		"work/data": rein.CodeNotFound, "work/data/none": rein.CodeNotFound, "work/db": rein.CodeNotFound,
		"other/x": rein.CodeForbidden, "work/out/x": rein.CodeForbidden, "work/../other/x": rein.CodeForbidden, "": rein.CodeForbidden, "/etc/passwd": rein.CodeForbidden,
		"work/loop": rein.CodeInvalid, "work/loop/x": rein.CodeInvalid,
	} {
		if !filepath.IsAbs(path) {
			path = dir + "/" + path
		}
		if err := mine.Path(path); codeOf(err) != want {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if err := policy.For(&rein.Task{Household: "away"}).Path(path); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s for another household: %v", path, err)
		}
		if err := policy.For(nil).Path(path); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%s for nobody: %v", path, err)
		}
	}
	if err := mine.Path("a.txt"); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
}

func codeOf(err error) rein.Code {
	if err == nil {
		return ""
	}
	return rein.CodeOf(err)
}

// A root inside an excluded folder, or inside the data, shows nothing.
func TestRootThatIsHidden(t *testing.T) {
	dir := tree(t, "notes/Private/x.md", "data/x")
	for _, root := range []string{"notes/Private", "data"} {
		policy, err := New(Options{Root: filepath.Join(dir, root), Vault: filepath.Join(dir, "notes"), Exclude: []string{"Private"}, Hidden: []string{filepath.Join(dir, "data")}})
		check(t, err)
		for _, name := range []string{"", "x", "x.md"} {
			if err := policy.For(&rein.Task{}).Path(filepath.Join(dir, root, name)); rein.CodeOf(err) != rein.CodeNotFound {
				t.Errorf("%s/%s: %v", root, name, err)
			}
		}
	}
}

// Notes are reached without any root, and nothing is without both.
func TestNoRoot(t *testing.T) {
	dir := tree(t, "notes/x.md", "a.txt")
	for vault, want := range map[string]rein.Code{"notes": "", "": rein.CodeForbidden} {
		o := Options{}
		if vault != "" {
			o.Vault = filepath.Join(dir, vault)
		}
		policy, err := New(o)
		check(t, err)
		for path, want := range map[string]rein.Code{"notes/x.md": want, "a.txt": rein.CodeForbidden} {
			if err := policy.For(&rein.Task{}).Path(filepath.Join(dir, path)); codeOf(err) != want {
				t.Errorf("vault %q: %s: %v, want %q", vault, path, err, want)
			}
		}
	}
}

// A folder that a file system also knows under another spelling, or that is mounted twice, is the
// same folder.
func TestFoldersAreWhatTheyAre(t *testing.T) {
	dir := tree(t, "notes/Private/x.md", "notes/Open/x.md", "data/")
	policy, err := New(Options{Root: dir, Vault: filepath.Join(dir, "notes"), Exclude: []string{"Private"}, Hidden: []string{filepath.Join(dir, "data")}})
	check(t, err)
	// other is a line of folders as a file system would show it under other names.
	other := func(real, spelled string) []ancestor {
		line := lineage(filepath.Join(dir, real))
		at := "/mnt/" + spelled
		for i := range line {
			line[i].path, at = at, filepath.Dir(at)
		}
		return line
	}
	for spelled, c := range map[string]struct {
		real string
		want rein.Code
	}{
		"NOTES/PRIVATE/X.MD": {"notes/Private/x.md", rein.CodeNotFound},
		"N~1/P~1/X~1":        {"notes/Private/x.md", rein.CodeNotFound},
		"N~1/O~1/X~1":        {"notes/Open/x.md", ""},
		"D~1":                {"data", rein.CodeNotFound},
		"elsewhere":          {".", ""},
	} {
		if err := policy.judge(other(c.real, spelled)); codeOf(err) != c.want {
			t.Errorf("%s: %v, want %q", spelled, err, c.want)
		}
	}
}

// A run uses the files of its own session.
func TestSession(t *testing.T) {
	policy, err := New(Options{Household: "home"})
	check(t, err)
	r := policy.For(&rein.Task{Household: "away", User: "ann", Session: "s1"})
	if err := r.Session("away", "ann", "s1"); err != nil {
		t.Error(err)
	}
	for _, other := range [][3]string{{"home", "ann", "s1"}, {"away", "bob", "s1"}, {"away", "ann", "s2"}, {"", "ann", "s1"}, {}} {
		if err := r.Session(other[0], other[1], other[2]); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("%v: %v", other, err)
		}
	}
	if err := policy.For(nil).Session("", "", ""); rein.CodeOf(err) != rein.CodeNotFound {
		t.Error(err)
	}
}

func TestFilter(t *testing.T) {
	if _, err := NewFilter([]string{"../x"}, nil); rein.CodeOf(err) != rein.CodeInvalid {
		t.Error(err)
	}
	f, err := NewFilter([]string{"A/B/", "Caf\u00e9"}, []string{"a/b/Secret", "/"})
	check(t, err)
	for name, want := range map[string]string{
		"A/B/x.md": "", "a/b": "", "A/B/Secret": "in an excluded folder", "a/B/SECRET/x.md": "in an excluded folder", "A/B/Secrets.md": "",
		"cafe\u0301/x.md": "", "A/x.md": notIncluded, "A": notIncluded, "A/Bx": notIncluded, ".": notIncluded, "A/B/.x": "hidden", ".git/A/B": "hidden",
	} {
		if got := f.Refuses(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]bool{"A": true, "a": true, ".": true, "A/x": false, "AB": false, "A/B": false, "A/B/Secret": false} {
		if got := f.LeadsTo(name); got != want {
			t.Errorf("LeadsTo(%s) is %t", name, got)
		}
	}
}
