package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// apply returns the file that holds the function, and its text with the mutation in it.
func (m *mutant) apply() (file string, broken []byte, err error) {
	file, src, body, err := m.find()
	if err != nil {
		return "", nil, err
	}
	from, to := body.Lbrace+1, body.Rbrace // positions count from 1: they are now those after { and of }
	start, end, code := int(from)-1, int(to)-1, "\n"+m.to+"\n"
	if m.from != "" {
		at, err := m.locate(src[start:end])
		if err != nil {
			return "", nil, err
		}
		start, end, code = start+at[0], start+at[1], strings.TrimSpace(m.to)
	}
	broken = slices.Concat(src[:start], []byte(code), src[end:])
	if broken, err = dropImports(src, broken); err != nil {
		return "", nil, err
	}
	was, _ := format.Source(src)
	if now, err := format.Source(broken); err != nil || string(now) == string(was) {
		return "", nil, errors.New("it changes nothing, or is not Go")
	}
	return file, broken, nil
}

// find returns the function's body, and the file of this system that it is in.
func (m *mutant) find() (string, []byte, *ast.BlockStmt, error) {
	files, err := filepath.Glob(filepath.Join(m.dir, "*.go"))
	if err != nil {
		return "", nil, nil, err
	}
	for _, file := range files {
		if ok, err := build.Default.MatchFile(m.dir, filepath.Base(file)); err != nil || !ok || strings.HasSuffix(file, "_test.go") {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return "", nil, nil, err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, src, parser.SkipObjectResolution)
		if err != nil {
			return "", nil, nil, err
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && nameOf(f) == m.fn && f.Body != nil {
				return file, src, f.Body, nil
			}
		}
	}
	return "", nil, nil, fmt.Errorf("%s has no function %s any more", m.dir, m.fn)
}

// nameOf is Func or Type.Method.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + f.Name.Name
		default:
			return f.Name.Name
		}
	}
}

// locate finds the part that is replaced; how it is broken into lines does not matter.
func (m *mutant) locate(body []byte) ([]int, error) {
	words := strings.Fields(m.from)
	for i, w := range words {
		words[i] = regexp.QuoteMeta(w)
	}
	found := regexp.MustCompile(strings.Join(words, `\s+`)).FindAllIndex(body, 2)
	if len(found) != 1 {
		return nil, fmt.Errorf("%s of %s holds %q %d times, want once", m.fn, m.dir, strings.TrimSpace(m.from), len(found))
	}
	return found[0], nil
}

// dropImports keeps the file valid: what only the replaced code used is imported for nothing now.
func dropImports(src, broken []byte) ([]byte, error) {
	_, before, err := uses(src)
	if err != nil {
		return nil, err
	}
	file, after, err := uses(broken)
	if err != nil {
		return nil, fmt.Errorf("the broken file: %w", err)
	}
	for _, spec := range slices.Backward(file.Imports) {
		where, _ := strconv.Unquote(spec.Path.Value)
		name := importName(where)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if before[name] && !after[name] {
			broken = slices.Concat(broken[:spec.Pos()-1], []byte("_ "+spec.Path.Value), broken[spec.End()-1:])
		}
	}
	return broken, nil
}

// uses returns the names before a dot.
func uses(src []byte) (*ast.File, map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	return file, used, nil
}

var version = regexp.MustCompile(`^v[0-9]+$`)

// importName guesses the name of a package by its path, as people do.
func importName(where string) string {
	base := path.Base(where)
	if version.MatchString(base) {
		base = path.Base(path.Dir(where))
	}
	return cmp.Or(strings.TrimPrefix(base, "go-"), base)
}
