package files_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/tool"
	"rein/tool/files"
	"rein/tool/reach"
)

// folder makes a folder with the given files (a name that ends in / is a folder) and opens it.
func folder(t *testing.T, contents map[string]string) (*files.Root, string) {
	t.Helper()
	dir := t.TempDir()
	day := time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)
	for name, text := range contents {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.WriteFile(path, []byte(text), 0o644))
		must(t, os.Chtimes(path, day, day))
	}
	return open(t, dir), dir
}

func open(t *testing.T, dir string) *files.Root {
	t.Helper()
	root, err := files.Open(dir)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	return root
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// call calls one of the root's tools, in a run that may see all of the folder.
func call(t *testing.T, root *files.Root, name string, args map[string]any) (rein.Done, error) {
	t.Helper()
	return callAs(t, root, everything(t, root), name, args)
}

// callAs calls one of the root's tools with a policy.
func callAs(t *testing.T, root *files.Root, r rein.Reach, name string, args map[string]any) (rein.Done, error) {
	t.Helper()
	all, err := root.Tools()
	must(t, err)
	set, err := tool.Set(all...)
	must(t, err)
	raw, err := json.Marshal(args)
	must(t, err)
	return set[name].Do(t.Context(), rein.Invocation{Args: raw, Reach: r})
}

func everything(t *testing.T, root *files.Root) rein.Reach {
	t.Helper()
	return policy(t, reach.Options{Root: root.Real()})
}

func policy(t *testing.T, o reach.Options) rein.Reach {
	t.Helper()
	p, err := reach.New(o)
	must(t, err)
	return p.For(&rein.Task{Household: o.Household})
}

// refused checks that a call fails with the code and says all of the words.
func refused(t *testing.T, root *files.Root, name string, args map[string]any, code rein.Code, words ...string) {
	t.Helper()
	done, err := call(t, root, name, args)
	if err == nil {
		t.Errorf("%s %.200v: it worked: %.200q", name, args, done.Text)
		return
	}
	if rein.CodeOf(err) != code {
		t.Errorf("%s %.200v: code %s, want %s: %v", name, args, rein.CodeOf(err), code, err)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%s %.200v: %v\nwant %q in it", name, args, err, word)
		}
	}
}

type args = map[string]any

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	must(t, os.WriteFile(file, nil, 0o644))
	for _, bad := range []string{filepath.Join(dir, "none"), file} {
		if _, err := files.Open(bad); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), "name a folder that exists") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	root, err := files.Open(dir)
	must(t, err)
	must(t, root.Close())
	refused(t, root, "read_file", args{"path": "file"}, rein.CodeInvalid, `"file" cannot be opened`, "closed")
	refused(t, root, "list_directory", args{}, rein.CodeInvalid, `"." cannot be opened`, "closed")
}

// Whatever way out of the folder a model tries, it finds nothing, and the error says where it may look.
//
// Covers: HUM-41
// Attack: 35
func TestNothingLeadsOut(t *testing.T) {
	root, dir := folder(t, map[string]string{"in/a.txt": "inside", "sub/": ""})
	outside := t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret.txt"), []byte("secret"), 0o644))
	must(t, os.Mkdir(filepath.Join(outside, "deep"), 0o755))
	rel, err := filepath.Rel(dir, outside)
	must(t, err)
	for name, target := range map[string]string{
		"abs": filepath.Join(outside, "secret.txt"), "absdir": outside, "reldir": rel, "rel": filepath.Join(rel, "secret.txt"),
		"up": "..", "in/upup": "../../", "home": "/", "chain": "absdir",
	} {
		must(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	for _, path := range []string{
		"..", "../", "../x", "in/../../x", "sub/../..", filepath.Join(rel, "secret.txt"), filepath.Join(outside, "secret.txt"),
		"/", "/etc/passwd", dir + "x", dir + "/../" + filepath.Base(outside) + "/secret.txt",
	} {
		for _, name := range []string{"read_file", "list_directory"} {
			refused(t, root, name, args{"path": path}, rein.CodeForbidden, fmt.Sprintf("%q is outside the allowed folder %s", path, dir))
		}
	}
	for _, path := range []string{
		"abs", "absdir/secret.txt", "reldir/secret.txt", "rel", "up", "up/" + filepath.Base(outside), "in/upup", "home", "home/etc/passwd",
		"chain/secret.txt", "absdir", "reldir/deep", "in/upup/" + filepath.Base(outside),
	} {
		for _, name := range []string{"read_file", "list_directory"} {
			refused(t, root, name, args{"path": path}, rein.CodeForbidden, fmt.Sprintf("%q leads out of the allowed folder %s through a symbolic link", path, dir))
		}
	}
	refused(t, root, "read_file", args{"path": "a\x00b"}, rein.CodeInvalid, "NUL")
	refused(t, root, "read_file", args{"path": ""}, rein.CodeInvalid, "path is empty")
}

// A path that stays inside works, however it is written.
func TestWaysToNameAFile(t *testing.T) {
	root, dir := folder(t, map[string]string{"in/a.txt": "inside", "sub/": ""})
	must(t, os.Symlink("in/a.txt", filepath.Join(dir, "link")))
	must(t, os.Symlink("../in", filepath.Join(dir, "sub", "in")))
	alias := filepath.Join(t.TempDir(), "alias")
	must(t, os.Symlink(dir, alias))
	linked := open(t, alias)
	for _, path := range []string{"in/a.txt", "./in//a.txt", "sub/../in/a.txt", "link", "sub/in/a.txt", dir + "/in/a.txt", dir + "/link"} {
		for _, r := range []*files.Root{root, linked} {
			if done, err := call(t, r, "read_file", args{"path": path}); err != nil || done.Text != "inside" {
				t.Errorf("%q: %q %v", path, done.Text, err)
			}
		}
	}
	if done, err := call(t, linked, "read_file", args{"path": alias + "/in/a.txt"}); err != nil || done.Text != "inside" {
		t.Errorf("%q %v", done.Text, err)
	}
	refused(t, root, "read_file", args{"path": alias + "/in/a.txt"}, rein.CodeForbidden, "allowed folder")
}

func TestPathsThatDoNotWork(t *testing.T) {
	root, dir := folder(t, map[string]string{"README.md": "x", "docs/guide.md": "x", "docs/intro.md": "x"})
	must(t, os.Symlink("loop2", filepath.Join(dir, "loop1")))
	must(t, os.Symlink("loop1", filepath.Join(dir, "loop2")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	for path, words := range map[string][]string{
		"readme.md":         {`"readme.md" does not exist in ` + dir, "did you mean README.md?"},
		"docs/giude.md":     {"did you mean docs/guide.md?"},
		"dcos/guide.md":     {"did you mean docs/guide.md?"},
		"zzz/guide.md":      {"list_directory shows what there is"},
		dir + "/docs/gude":  {`"` + dir + `/docs/gude" does not exist`},
		"dangling":          {"does not exist"},
		"no\nnewline\x1b[m": {`"no\nnewline\x1b[m" does not exist`},
	} {
		refused(t, root, "read_file", args{"path": path}, rein.CodeNotFound, words...)
		refused(t, root, "list_directory", args{"path": path}, rein.CodeNotFound, words...)
	}
	for path, words := range map[string][]string{
		"docs":                   {`"docs" is a folder: list_directory`},
		"loop1":                  {"in a circle"},
		"loop1/x":                {"in a circle"},
		"README.md/x":            {"through a file as if it were a folder"},
		strings.Repeat("n", 300): {"cannot be opened", "too long"},
	} {
		refused(t, root, "read_file", args{"path": path}, rein.CodeInvalid, words...)
	}
	refused(t, root, "list_directory", args{"path": "README.md"}, rein.CodeInvalid, `"README.md" is a file`, "read_file")
}

// No path at all shows what lies outside.
func FuzzPath(f *testing.F) {
	outside := f.TempDir()
	dir := filepath.Join(outside, "root")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(dir, "in", "deep"), 0o755),
		os.WriteFile(filepath.Join(outside, "secret-name"), []byte("secret-text"), 0o644),
		os.WriteFile(filepath.Join(dir, "in", "a.txt"), []byte("inside"), 0o644),
		os.Symlink("../secret-name", filepath.Join(dir, "out")),
		os.Symlink("..", filepath.Join(dir, "up")),
		os.Symlink("../..", filepath.Join(dir, "in", "upup")),
		os.Symlink(outside, filepath.Join(dir, "in", "abs")),
		os.Symlink("in/deep", filepath.Join(dir, "link")),
	} {
		if err != nil {
			f.Fatal(err)
		}
	}
	for _, path := range []string{"in/a.txt", "out", "up/secret-name", "in/upup/secret-name", "link/../../secret-name", "in/abs/secret-name", dir + "/../secret-name", "./up/../up/..//secret-name", "link/../upup", "\x00", ""} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		root := open(t, dir)
		for _, name := range []string{"read_file", "list_directory"} {
			done, err := call(t, root, name, args{"path": path})
			if err != nil && rein.CodeOf(err) == rein.CodeInternal || strings.Contains(done.Text, "secret-text") || strings.Contains("\n"+done.Text, "\nsecret-name") {
				t.Errorf("%s %q: %q %v", name, path, done.Text, err)
			}
		}
	})
}
