package files

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What git tracks is read from its index as git reads it, in each version of the format.
func TestIndexNames(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	for _, name := range []string{"a", "bb", "dir/ccc", "dir/deep/dddd", "dir/deep/é x", strings.Repeat("n", 200), "z/" + strings.Repeat("long/", 30) + "end"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("add", ".")
	git("rm", "-q", "--cached", "bb")
	git("add", "-N", "bb") // more flags
	want := strings.Split(strings.TrimSuffix(git("ls-files", "-z"), "\x00"), "\x00")
	for _, version := range []string{"2", "3", "4"} {
		git("update-index", "--index-version", version)
		data, err := os.ReadFile(filepath.Join(dir, ".git/index"))
		if err != nil {
			t.Fatal(err)
		}
		if got := indexNames(data); !slices.Equal(got, want) {
			t.Errorf("version %s: %q, want %q", version, got, want)
		}
		for cut := range data { // never a panic
			indexNames(data[:cut])
		}
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if all := r.tracked(); !all["dir/deep"] || !all["dir/ccc"] || all["bbb"] {
		t.Errorf("%v", all)
	}
}

func FuzzIndexNames(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"))
	f.Fuzz(func(_ *testing.T, data []byte) { indexNames(data) })
}
