package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// marker begins the line of a test's comment that says why it runs without the race detector.
const marker = "Plain:"

// plain are the tests that run without the race detector, which makes code about six times as slow. They
// are about amounts, or repeat something many times, and other tests run the same code under it.
type plain struct{ names, dirs []string }

// findPlain reads the tests of a tree. Two tests of one name, one of them marked, are an error: go test
// chooses tests by name, in all packages.
func findPlain(tree fs.FS) (plain, error) {
	marked, all := map[string]string{}, map[string][]string{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.ContainsAny(path.Base(name)[:1], "._"), entry.IsDir() && path.Base(name) == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return scanTests(tree, name, marked, all)
	})
	if err != nil {
		return plain{}, err
	}
	var p plain
	for name, dir := range marked {
		if len(all[name]) > 1 {
			return plain{}, fmt.Errorf("%s is marked %q in %s and is also in %s: give it another name", name, marker, dir, all[name])
		}
		p.names, p.dirs = append(p.names, name), append(p.dirs, "./"+dir)
	}
	slices.Sort(p.names)
	slices.Sort(p.dirs)
	p.dirs = slices.Compact(p.dirs)
	return p, nil
}

func scanTests(tree fs.FS, name string, marked map[string]string, all map[string][]string) error {
	src, err := fs.ReadFile(tree, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") {
			continue
		}
		all[f.Name.Name] = append(all[f.Name.Name], path.Dir(name))
		for line := range strings.Lines(f.Doc.Text()) {
			if strings.HasPrefix(line, marker) {
				marked[f.Name.Name] = path.Dir(name)
			}
		}
	}
	return nil
}

// pattern matches the tests by name, for -run and -skip.
func (p plain) pattern() string { return "^(" + strings.Join(p.names, "|") + ")$" }

// runs returns the arguments of each go test: the plain tests, then all others with the race detector.
// The last argument is the packages. Without a race detector there is one run.
func (p plain) runs(race, args []string) [][]string {
	if len(race) == 0 || len(p.names) == 0 || len(args) == 0 {
		return [][]string{slices.Concat(race, args)}
	}
	flags, packages := args[:len(args)-1], args[len(args)-1]
	return [][]string{
		slices.Concat(flags, []string{"-run", p.pattern()}, p.dirs),
		slices.Concat(race, flags, []string{"-skip", p.pattern(), packages}),
	}
}
