package archtest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// typeCheck fills in types. Imports that were reported are stood in for by empty packages, and then
// the errors that follow from it are of no interest.
func (c *checker) typeCheck(dir string) error {
	exports, err := c.exportData(dir)
	if err != nil {
		return err
	}
	lookup := func(path string) (io.ReadCloser, error) {
		file, ok := exports[path]
		if !ok {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(file)
	}
	c.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	var wrong []error
	conf := types.Config{
		Importer: &sieve{c.refused, importer.ForCompiler(c.fset, "gc", lookup)},
		Error:    func(err error) { wrong = append(wrong, err) },
	}
	c.pkg, _ = conf.Check(dir, c.fset, c.files, c.info)
	if len(c.refused) == 0 && len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	c.findRun()
	return nil
}

// sieve imports only what flows may import.
type sieve struct {
	refused map[string]bool
	types.Importer
}

func (s *sieve) Import(path string) (*types.Package, error) {
	if !s.refused[path] {
		return s.Importer.Import(path)
	}
	stub := types.NewPackage(path, path[strings.LastIndex(path, "/")+1:])
	stub.MarkComplete()
	return stub, nil
}

// exportData asks the go command for the compiled types of what the files import.
func (c *checker) exportData(dir string) (map[string]string, error) {
	wanted := map[string]bool{}
	for _, file := range c.files {
		for _, spec := range file.Imports {
			if path := strings.Trim(spec.Path.Value, "`\""); !c.refused[path] && path != "unsafe" {
				wanted[path] = true
			}
		}
	}
	exports := map[string]string{}
	if len(wanted) == 0 {
		return exports, nil
	}
	args := append([]string{"list", "-deps", "-export", "-f", "{{.ImportPath}}\t{{.Export}}", "--"}, slices.Sorted(maps.Keys(wanted))...)
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	return exports, nil
}

// findRun looks up rein.Run and its verbs.
func (c *checker) findRun() {
	for _, p := range c.pkg.Imports() {
		if p.Path() != Module {
			continue
		}
		run := p.Scope().Lookup("Run")
		if run == nil {
			return
		}
		iface, ok := run.Type().Underlying().(*types.Interface)
		if !ok {
			return
		}
		c.run, c.verbs = run.Type(), map[string]bool{}
		for method := range iface.Methods() {
			c.verbs[method.Name()] = true
		}
	}
}

// verb reports whether the function is a verb of Run: its method, or that of another type with the
// same name and shape.
func (c *checker) verb(f *types.Func) bool {
	if f == nil || c.run == nil || !c.verbs[f.Name()] || f.Signature().Recv() == nil {
		return false
	}
	verb, _, _ := types.LookupFieldOrMethod(c.run, false, nil, f.Name())
	return verb != nil && types.Identical(verb.Type(), f.Type())
}

// isRun reports whether the expression is a Run.
func (c *checker) isRun(e ast.Expr) bool {
	t := c.info.TypeOf(e)
	return t != nil && c.run != nil && types.Identical(t, c.run)
}
