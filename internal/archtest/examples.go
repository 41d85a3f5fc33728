package archtest

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Exampled are the packages that somebody who embeds rein imports. Each of their constructors has an
// Example, which go doc shows and go test runs.
var Exampled = []string{
	"api", "api/client", "app", "cli", "dispatch/local", "engine", "flow/kit", "follow/ask",
	"journal", "journal/feed", "model/anthropic", "model/offline", "model/openai", "model/price", "model/script",
	"replay", "server", "store/sqlite", "tool", "tool/files", "vault",
}

// NotRun are constructors whose Example is only compiled, with the reason.
var NotRun = map[string]string{
	"cli.Main": "it ends the process",
}

var constructor = regexp.MustCompile(`^(New|Dial|Parse|Load)([A-Z]|$)|^(Open|OpenReader|Main|Question)$`)

// CheckExamples returns a line for every exported constructor of a package that no Example of the
// package calls. A constructor is a function that is named like one, or that returns a pointer to a
// type of its package. A type that is a fold (it has a method See) counts too.
func CheckExamples(root string, packages []string) (wrong []string, err error) {
	for _, pkg := range packages {
		source, examples, err := read(filepath.Join(root, pkg))
		if err != nil {
			return nil, err
		}
		for _, name := range constructors(source) {
			switch found := exampleOf(examples, source[0].Name.Name, name); {
			case found == nil:
				wrong = append(wrong, fmt.Sprintf("%s.%s has no Example: add one to %s/example_test.go", pkg, name, pkg))
			case !found.ran() && NotRun[pkg+"."+name] == "":
				wrong = append(wrong, fmt.Sprintf("%s.%s: Example%s has no // Output:, so nothing runs it", pkg, name, found.Name))
			}
		}
	}
	return wrong, nil
}

// read parses the files of a folder: those of the package, and the examples of its tests.
func read(dir string) (source []*ast.File, examples []*doc.Example, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.ParseComments)
		if err != nil {
			return nil, nil, err
		}
		if strings.HasSuffix(e.Name(), "_test.go") {
			examples = append(examples, doc.Examples(file)...)
		} else {
			source = append(source, file)
		}
	}
	if len(source) == 0 {
		return nil, nil, fmt.Errorf("%s has no Go files: take it off the list of packages with examples", dir)
	}
	return source, examples, nil
}

func constructors(source []*ast.File) (names []string) {
	for _, file := range source {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			switch made := receiver(f); {
			case made != "" && f.Name.Name == "See" && ast.IsExported(made):
				names = append(names, made)
			case made == "" && (constructor.MatchString(f.Name.Name) || returnsOwn(f)):
				names = append(names, f.Name.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	return pointedTo(f.Recv.List[0].Type, "?")
}

func returnsOwn(f *ast.FuncDecl) bool {
	return f.Type.Results != nil && ast.IsExported(pointedTo(f.Type.Results.List[0].Type, ""))
}

func pointedTo(t ast.Expr, otherwise string) string {
	if star, ok := t.(*ast.StarExpr); ok {
		if name, ok := star.X.(*ast.Ident); ok {
			return name.Name
		}
	}
	return otherwise
}

type example struct{ *doc.Example }

func (e *example) ran() bool { return e.Output != "" || e.EmptyOutput }

// exampleOf finds the best example that uses pkg.name: one that is run, if there is any.
func exampleOf(examples []*doc.Example, pkg, name string) (found *example) {
	for _, e := range examples {
		if uses(e.Code, pkg, name) && (found == nil || !found.ran()) {
			found = &example{e}
		}
	}
	return found
}

func uses(code ast.Node, pkg, name string) (used bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == name {
			x, ok := s.X.(*ast.Ident)
			used = used || ok && x.Name == pkg
		}
		return !used
	})
	return used
}
