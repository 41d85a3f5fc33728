package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Violation is something that a flow must not do.
type Violation struct {
	Pos  token.Position
	Rule string // import, go, chan, map, recover, defer, state, ambient, branch
	Msg  string
}

func (v Violation) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", v.Pos.Filename, v.Pos.Line, v.Rule, v.Msg)
}

// Check type-checks the Go files of a directory, tests aside, and reports what would make a flow
// there anything but a pure function over its Run. It returns an error only if it cannot look.
//
// It is made against honest mistakes, not against cunning: it does not follow a map or a pointer
// into another package, nor what a function value hides outside of defer.
func Check(dir string) ([]Violation, error) {
	c := &checker{fset: token.NewFileSet()}
	if err := c.parse(dir); err != nil || len(c.files) == 0 {
		return nil, err
	}
	for _, file := range c.files {
		c.imports(file)
	}
	if err := c.typeCheck(dir); err != nil {
		return nil, fmt.Errorf("check purity of %s: %w", dir, err)
	}
	c.findVerbUsers()
	for _, file := range c.files {
		c.inspect(file)
	}
	slices.SortFunc(c.found, func(a, b Violation) int {
		return strings.Compare(sortKey(a), sortKey(b))
	})
	return c.found, nil
}

func sortKey(v Violation) string {
	return fmt.Sprintf("%s:%08d:%s:%s", v.Pos.Filename, v.Pos.Offset, v.Rule, v.Msg)
}

// checker is one run of Check.
type checker struct {
	fset     *token.FileSet
	files    []*ast.File
	pkg      *types.Package
	info     *types.Info
	run      types.Type      // rein.Run; nil if the package does not import rein
	verbs    map[string]bool // its methods
	refused  map[string]bool // imports that were reported; they are not loaded
	verbUser map[*types.Func]bool
	sorted   map[ast.Node]bool // calls whose map order a sort undoes
	found    []Violation
}

func (c *checker) report(n ast.Node, rule, format string, args ...any) {
	c.found = append(c.found, Violation{Pos: c.fset.Position(n.Pos()), Rule: rule, Msg: fmt.Sprintf(format, args...)})
}

func (c *checker) parse(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(c.fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		c.files = append(c.files, file)
	}
	return nil
}

// inspect walks one file.
func (c *checker) inspect(file *ast.File) {
	c.sorted = map[ast.Node]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			c.report(n, "go", "a flow has no goroutines: use Parallel")
		case *ast.ChanType, *ast.SelectStmt, *ast.SendStmt:
			c.report(n, "chan", "a flow has no channels: use Parallel")
		case *ast.UnaryExpr:
			c.unary(n)
		case *ast.RangeStmt:
			c.ranges(n)
			c.writes(n.Key, n.Value)
		case *ast.DeferStmt:
			c.deferred(n)
		case *ast.CallExpr:
			c.call(n)
		case *ast.SelectorExpr:
			c.selector(n)
		case *ast.AssignStmt:
			c.writes(n.Lhs...)
		case *ast.IncDecStmt:
			c.writes(n.X)
		case *ast.FuncLit:
			c.branch(n)
		}
		return true
	})
}

func (c *checker) unary(n *ast.UnaryExpr) {
	switch n.Op {
	case token.ARROW:
		c.report(n, "chan", "a flow has no channels: use Parallel")
	case token.AND:
		if v := c.packageVar(n.X); v != nil {
			c.report(n, "state", "the address of package variable %s is taken: state outlives the run", v.Name())
		}
	}
}

func (c *checker) ranges(n *ast.RangeStmt) {
	switch rangedOver(c.info.TypeOf(n.X)) {
	case "map":
		c.report(n, "map", "the order of a map differs from run to run: range over slices.Sorted(maps.Keys(m))")
	case "chan":
		c.report(n, "chan", "a flow has no channels: use Parallel")
	}
}

// rangedOver returns "map" or "chan" if the type, or one that a type parameter may be, is one.
func rangedOver(t types.Type) string {
	if t == nil {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Map:
		return "map"
	case *types.Chan:
		return "chan"
	case *types.Interface: // the constraint of a type parameter
		for i := range u.NumEmbeddeds() {
			if kind := rangedOver(u.EmbeddedType(i)); kind != "" {
				return kind
			}
		}
	case *types.Union:
		for i := range u.Len() {
			if kind := rangedOver(u.Term(i).Type()); kind != "" {
				return kind
			}
		}
	}
	return ""
}
