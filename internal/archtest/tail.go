package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
)

// What counts as long. It is a hint for readers, not a limit.
const (
	longFile     = 500
	longFunction = 80
)

// Tail lists the files and functions of the module at root that have grown long, generated ones
// aside.
func Tail(root string) ([]string, error) {
	var out []string
	err := goFiles(root, func(name string) error {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, filepath.FromSlash(name)), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(file) {
			return err
		}
		out = append(out, longIn(fset, name, file)...)
		return nil
	})
	return out, err
}

func longIn(fset *token.FileSet, name string, file *ast.File) []string {
	var out []string
	if lines := fset.File(file.Pos()).LineCount(); lines > longFile {
		out = append(out, fmt.Sprintf("%s has %d lines", name, lines))
	}
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		start, end := fset.Position(f.Pos()).Line, fset.Position(f.End()).Line
		if lines := end - start + 1; lines > longFunction {
			out = append(out, fmt.Sprintf("%s:%d: function %s has %d lines", name, start, f.Name.Name, lines))
		}
	}
	return out
}
