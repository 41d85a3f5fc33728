package archtest

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFlowsArePure holds the repository to it: flows and guards, and the flows that the engine's
// contract is tested with.
//
// Covers: LAW-2 ENG-6 ENG-67
func TestFlowsArePure(t *testing.T) {
	for _, dir := range []string{"flow", "engine/guard", "engine/enginetest/flows", "examples/flows"} {
		if _, err := os.Stat(filepath.Join(repository, dir)); err != nil {
			t.Error(err)
		}
		for _, below := range folders(t, filepath.Join(repository, dir)) {
			found, err := Check(below)
			if err != nil {
				t.Error(err)
			}
			for _, v := range found {
				t.Error(v)
			}
		}
	}
}

// folders returns a directory and those below it; none if it does not exist.
func folders(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "testdata":
			return fs.SkipDir
		case d.IsDir():
			out = append(out, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestPlantedViolations runs the checker on files whose "want" comments say what it must report on
// that line. It must report these and nothing else.
//
// Covers: LAW-2 ENG-6 ENG-67
func TestPlantedViolations(t *testing.T) {
	planted := folders(t, "testdata/purity")[1:]
	seen := map[string]bool{}
	for _, dir := range planted {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			found, err := Check(dir)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]bool{}
			for _, v := range found {
				got[fmt.Sprintf("%s:%d: %s", v.Pos.Filename, v.Pos.Line, v.Rule)] = true
				seen[v.Rule] = true
				if !strings.HasPrefix(v.String(), fmt.Sprintf("%s:%d: ", v.Pos.Filename, v.Pos.Line)) {
					t.Errorf("%q does not begin with file and line", v)
				}
			}
			want := wants(t, dir)
			for _, line := range slices.Sorted(maps.Keys(want)) {
				if !got[line] {
					t.Errorf("not reported: %s", line)
				}
			}
			for _, line := range slices.Sorted(maps.Keys(got)) {
				if !want[line] {
					t.Errorf("reported without cause: %s", line)
				}
			}
		})
	}
	for _, rule := range []string{"import", "go", "chan", "map", "recover", "defer", "state", "ambient", "branch"} {
		if !seen[rule] {
			t.Errorf("no violation of rule %q is planted", rule)
		}
	}
}

// wants reads the comments "// want RULE RULE".
func wants(t *testing.T, dir string) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				rules, ok := strings.CutPrefix(comment.Text, "// want ")
				for _, rule := range strings.Fields(rules) {
					if ok {
						out[fmt.Sprintf("%s:%d: %s", name, fset.Position(comment.Pos()).Line, rule)] = true
					}
				}
			}
		}
	}
	return out
}

func TestCheckCannotLook(t *testing.T) {
	if _, err := Check("testdata/none"); err == nil {
		t.Error("a folder that does not exist gives no error")
	}
	for name, src := range map[string]string{
		"does not parse":      "package x\n\nfunc {\n",
		"does not type-check": "package x\n\nvar a int = \"text\"\n",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Check(dir); err == nil {
			t.Errorf("a package that %s gives no error", name)
		}
	}
}
