package reach

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Folders that hold everything are known however they are written.
//
// Attack: 38
func TestBroad(t *testing.T) {
	dir := tree(t, "homes/ann/work/", "homes/ann/.local/share/rein/", "homes/bob/", "srv/data/", "srv/work/", "link -> homes/ann", "root -> /")
	at := func(name string) string { return filepath.Join(dir, name) }
	around := Around{Homes: []string{at("homes/ann"), ""}, Data: at("srv/data")}
	for name, want := range map[string]string{
		"/": "the root of the file system", "//": "the root of the file system", "/tmp/..": "the root of the file system", at("root"): "the root of the file system",
		"/home": "the folder of all homes", "/home/": "the folder of all homes", "/Users": "the folder of all homes",
		"/home/nobody-knows": "a home folder", "/Users/ann": "a home folder", "/root": "a home folder",
		at("homes/ann"): "a home folder", at("link"): "a home folder", at("homes/bob/../ann/."): "a home folder",
		at("homes"): "a folder that holds your home", dir: "a folder that holds your home",
		at("srv"): "a folder that holds the data folder", at("srv/data"): "a folder that holds the data folder",
		at("srv/work"): "", at("homes/ann/work"): "", at("link/work"): "", "/home/ann/work": "", "": "",
	} {
		if got := Broad(name, around); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := Broad(at("srv"), Around{}); got != "" {
		t.Errorf("without anything around it is %q", got)
	}
	t.Chdir(at("homes/ann"))
	if got := Broad(".", around); got != "a home folder" {
		t.Errorf("the current folder is %q", got)
	}
}

func TestHomesOfOthers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "passwd")
	check(t, os.WriteFile(file, []byte("root:x:0:0:root:/root:/bin/sh\nann:x:1:1::/data/ann:/bin/sh\nodd\nx:x:1:1::relative:/bin/sh\nnone:x:1:1:::\n"), 0o600))
	if got := passwdHomes(file); !slices.Equal(got, []string{"/root", "/data/ann"}) {
		t.Errorf("the homes are %q", got)
	}
	if got := passwdHomes(file + ".none"); got != nil {
		t.Errorf("the homes are %q", got)
	}
	for _, home := range passwdHomes("/etc/passwd") {
		if real, err := filepath.EvalSymlinks(home); err == nil && Broad(real, Around{}) == "" {
			t.Errorf("%s is a home and not known as one", home)
		}
	}
}

func TestHolds(t *testing.T) {
	dir := tree(t, "a/b/", "ab/", "link -> a/b")
	for _, c := range []struct {
		folder, path string
		want         bool
	}{{"a", "a", true}, {"a", "a/b", true}, {"a", "a/none/x", true}, {"a", "ab", false}, {"a", "link", true}, {"a/b", "a", false}, {"link", "a/b", true}} {
		if got := Holds(filepath.Join(dir, c.folder), filepath.Join(dir, c.path)); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	if Holds(dir, "") || Holds("", dir) {
		t.Error("nothing holds nothing")
	}
}
