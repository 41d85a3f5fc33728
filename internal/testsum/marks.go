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

// Each mark begins a line of a test's comment, which goes on with the reason.
const (
	// A plain test runs without the race detector, which makes code about six times as slow. It is about
	// amounts, or repeats something many times, and other tests run the same code under the race detector.
	plainMark = "Plain:"
	// A test that runs alone has nothing else beside it, and no race detector. It drives programs with
	// deadlines of their own, such as a browser, which a busy machine would miss for no fault of ours.
	aloneMark = "Alone:"
)

// A group is the tests that have one mark, and the folders where they are.
type group struct{ names, dirs []string }

// marked are the tests of a tree that do not simply run with all others.
type marked struct{ plain, alone group }

// A mark is found at a test.
type mark struct{ word, dir string }

// findMarked reads the tests of a tree. Two tests of one name, one of them marked, are an error: go test
// chooses tests by name, in all packages.
func findMarked(tree fs.FS) (marked, error) {
	marks, all := map[string]mark{}, map[string][]string{}
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.ContainsAny(path.Base(name)[:1], "._"), entry.IsDir() && path.Base(name) == "testdata":
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return scanTests(tree, name, marks, all)
	})
	if err != nil {
		return marked{}, err
	}
	var m marked
	for name, mark := range marks {
		if len(all[name]) > 1 {
			return marked{}, fmt.Errorf("%s is marked %q in %s and is also in %s: give it another name", name, mark.word, mark.dir, all[name])
		}
		to := &m.plain
		if mark.word == aloneMark {
			to = &m.alone
		}
		to.names, to.dirs = append(to.names, name), append(to.dirs, "./"+mark.dir)
	}
	m.plain.sort()
	m.alone.sort()
	return m, nil
}

func scanTests(tree fs.FS, name string, marks map[string]mark, all map[string][]string) error {
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
			for _, word := range []string{plainMark, aloneMark} {
				if strings.HasPrefix(line, word) {
					marks[f.Name.Name] = mark{word, path.Dir(name)}
				}
			}
		}
	}
	return nil
}

func (g *group) sort() {
	slices.Sort(g.names)
	slices.Sort(g.dirs)
	g.dirs = slices.Compact(g.dirs)
}

// runs returns the arguments of each go test: the tests that run alone, a package at a time; the plain tests; and
// all others with the race detector. The last argument is the packages. Without a race detector all tests are plain.
func (m marked) runs(race, args []string) (runs [][]string) {
	if len(args) == 0 {
		return [][]string{race}
	}
	flags, packages := args[:len(args)-1], args[len(args)-1]
	var apart []string
	if len(m.alone.names) > 0 {
		runs = append(runs, slices.Concat(flags, []string{"-p=1", "-run", pattern(m.alone.names)}, m.alone.dirs))
		apart = append(apart, m.alone.names...)
	}
	if len(m.plain.names) > 0 && len(race) > 0 {
		runs = append(runs, slices.Concat(flags, []string{"-run", pattern(m.plain.names)}, m.plain.dirs))
		apart = append(apart, m.plain.names...)
	}
	rest := slices.Concat(race, flags)
	if len(apart) > 0 {
		slices.Sort(apart)
		rest = append(rest, "-skip", pattern(apart))
	}
	return append(runs, append(rest, packages))
}

// pattern matches tests by name, for -run and -skip.
func pattern(names []string) string { return "^(" + strings.Join(names, "|") + ")$" }
