package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein/app/config"
)

// Every finding that is not fine says what to do, as a command or a setting: the test goes through all places that make one.
func TestEveryFindingHasAFix(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !isFind(call) || isNamed(call.Args[0], "Fine") {
				return true
			}
			if found++; !isFix(call.Args[2]) {
				t.Errorf("%s: the finding has no command and no setting that fixes it", set.Position(call.Pos()))
			}
			return true
		})
	}
	if found < 50 {
		t.Errorf("only %d findings were looked at", found)
	}
	if !strings.Contains(restore, "`") {
		t.Error("restore has no command")
	}
}

func isFind(call *ast.CallExpr) bool {
	s, ok := call.Fun.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "find" && isNamed(s.X, "d") && len(call.Args) > 3
}

func isNamed(e ast.Expr, name string) bool {
	i, ok := e.(*ast.Ident)
	return ok && i.Name == name
}

// fixers are the methods of the doctor that write commands.
var fixers = []string{"tip", "opens", "keyFix", "again"}

// isFix reports whether an expression has a command, or names a setting.
func isFix(e ast.Expr) (fix bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			fix = fix || n.Kind == token.STRING && namesFix(n.Value)
		case *ast.SelectorExpr:
			fix = fix || isNamed(n.X, "d") && slices.Contains(fixers, n.Sel.Name)
		case *ast.Ident:
			fix = fix || n.Name == "restore" || n.Name == "sandboxFix"
		}
		return true
	})
	return fix
}

func namesFix(text string) bool {
	if strings.Contains(text, "`") || strings.Contains(text, "--data") || strings.Contains(text, "[mcp.servers.") {
		return true
	}
	return slices.ContainsFunc(config.Keys(), func(k config.Key) bool {
		return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;\"=", r) }), k.Name)
	})
}
