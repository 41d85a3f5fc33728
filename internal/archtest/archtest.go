// Package archtest checks the architecture: who may import whom (imports.go, rules.go), that flows
// are pure (purity.go and the files next to it), that logs are read in one place (payloads.go),
// that exported constructors have an Example (examples.go), and which files and functions have
// grown long (tail.go). The tests run it on the repository, and on planted violations to show that
// it finds them.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Module is the path of this module, which is also the path of its root package.
const Module = "rein"

// goFiles calls visit with the slash path of every Go file of the module below root, tests too.
// Left out are testdata, hidden folders and modules of their own.
func goFiles(root string, visit func(name string) error) error {
	tree := os.DirFS(root)
	return fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && foreign(tree, name):
			return fs.SkipDir
		case !d.IsDir() && path.Ext(name) == ".go":
			return visit(name)
		}
		return nil
	})
}

func foreign(tree fs.FS, dir string) bool {
	switch base := path.Base(dir); {
	case base == "testdata" || base == "node_modules":
		return true
	case strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"):
		return true
	}
	_, err := fs.Stat(tree, path.Join(dir, "go.mod"))
	return err == nil
}

// importsOf returns what a Go file imports.
func importsOf(root, name string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(name)), nil, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, spec := range file.Imports {
		out = append(out, strings.Trim(spec.Path.Value, "`\""))
	}
	return out, nil
}
