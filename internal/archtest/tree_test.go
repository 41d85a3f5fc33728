package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeTree reads the tree in the README beside the one on the disk: every folder at the root has
// a line, and every folder that a line names exists.
func TestReadmeTree(t *testing.T) {
	const root = "../.."
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, tree, found := strings.Cut(string(readme), "## Where things are\n\n```\n")
	tree, _, closed := strings.Cut(tree, "```")
	if !found || !closed {
		t.Fatal("README.md has no tree under \"Where things are\"")
	}
	named := foldersOf(tree)
	for folder := range named {
		if info, err := os.Stat(filepath.Join(root, folder)); err != nil || !info.IsDir() {
			t.Errorf("README.md names %s/, and no such folder exists", folder)
		}
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && e.Name() != "bin" && !strings.HasPrefix(e.Name(), ".") && !named[e.Name()] { // make build writes to bin
			t.Errorf("README.md says nothing of %s/", e.Name())
		}
	}
}

var folderName = regexp.MustCompile(`[a-z]+(?:/[a-z]+)*/`)

// foldersOf lists the folders that a tree names. A line that begins at the margin names a folder of the
// root; those named further on, or on indented lines, are inside it.
func foldersOf(tree string) map[string]bool {
	named, under := map[string]bool{}, ""
	for line := range strings.Lines(tree) {
		for i, at := range folderName.FindAllStringIndex(line, -1) {
			name := strings.TrimSuffix(line[at[0]:at[1]], "/")
			first, _, _ := strings.Cut(name, "/")
			switch {
			case i == 0 && at[0] == 0:
				under = name
				named[name] = true
			case first == "cmd" || first == "docs":
				named[first], named[name] = true, true
			default:
				named[under+"/"+name] = true
			}
		}
	}
	return named
}
