package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"strconv"
	"strings"

	"rein/server/openapi"
)

// module is the path that the packages of this repository begin with.
const module = "rein"

// readVocabulary reads what the source says of types of this repository.
func readVocabulary(tree fs.FS, types []reflect.Type) (openapi.Vocabulary, error) {
	v := openapi.Vocabulary{Comments: map[string]string{}, Words: map[string][]string{}}
	wanted := map[string]map[string]bool{} // names of types by package
	for _, t := range types {
		of := t.PkgPath()
		if of != module && !strings.HasPrefix(of, module+"/") {
			continue
		}
		if wanted[of] == nil {
			wanted[of] = map[string]bool{}
		}
		wanted[of][t.Name()] = true
	}
	for of, names := range wanted {
		s := source{Vocabulary: v, of: path.Base(of), names: names}
		dir := strings.TrimPrefix(strings.TrimPrefix(of, module), "/")
		if dir == "" {
			dir = "."
		}
		if err := s.read(tree, dir); err != nil {
			return v, err
		}
	}
	return v, nil
}

// source collects the words of one package.
type source struct {
	openapi.Vocabulary
	of    string
	names map[string]bool
}

func (s source) read(tree fs.FS, dir string) error {
	all, err := fs.ReadDir(tree, dir)
	if err != nil {
		return err
	}
	for _, entry := range all { // in the order of their names, so that words have an order too
		name := path.Join(dir, entry.Name())
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				s.declaration(g)
			}
		}
	}
	return nil
}

func (s source) declaration(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.typeSpec(g, spec)
		case *ast.ValueSpec:
			if g.Tok == token.CONST {
				s.constant(spec)
			}
		}
	}
}

func (s source) typeSpec(g *ast.GenDecl, spec *ast.TypeSpec) {
	if !s.names[spec.Name.Name] {
		return
	}
	key := s.of + "." + spec.Name.Name
	s.comment(key, spec.Doc, g.Doc)
	fields, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, name := range f.Names {
			s.comment(key+"."+name.Name, f.Doc, f.Comment)
		}
	}
}

// comment keeps the first of the comments that says something, on one line.
func (s source) comment(key string, groups ...*ast.CommentGroup) {
	for _, group := range groups {
		if text := strings.Join(strings.Fields(group.Text()), " "); text != "" {
			s.Comments[key] = text
			return
		}
	}
}

// constant keeps a text of one of the types.
func (s source) constant(spec *ast.ValueSpec) {
	of, ok := spec.Type.(*ast.Ident)
	if !ok || !s.names[of.Name] {
		return
	}
	for _, value := range spec.Values {
		literal, ok := value.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			continue
		}
		if text, err := strconv.Unquote(literal.Value); err == nil {
			key := s.of + "." + of.Name
			s.Words[key] = append(s.Words[key], text)
			s.comment(openapi.WordKey(key, text), spec.Doc, spec.Comment)
		}
	}
}
