package archtest

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// pure lists what a flow may import. Each is free of I/O, clocks and randomness, but for the names
// in ambient.
var pure = []string{
	Module, Module + "/internal/jsontext", Module + "/internal/lenient", Module + "/internal/logtext", Module + "/internal/prose", Module + "/internal/quote", Module + "/internal/secret",
	Module + "/internal/speech", // its times are given to it
	"bytes", "cmp", "embed", "encoding/base64", "encoding/json", "errors", "fmt", "html", "iter", "maps", "math",
	"path", "regexp", "slices", "sort", "strconv", "strings", "text/template", "time", "unicode", "unicode/utf8",
}

// ambient lists, per allowed import, the names that reach out of the flow, with what to do instead.
var ambient = map[string]map[string]string{
	"fmt": names("a flow prints nothing: its text goes through its Run",
		"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"),
	"time": names("a flow has no clock: take Task.Start, or read the time with a recorded tool call",
		"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Local", "LoadLocation"),
	"maps": names("the order of a map differs from run to run: sort first, as in slices.Sorted(maps.Keys(m))",
		"Keys", "Values", "All"),
	"text/template": names("a flow reads no files: embed them", "ParseFiles", "ParseGlob"),
}

func names(why string, list ...string) map[string]string {
	out := map[string]string{}
	for _, name := range list {
		out[name] = why
	}
	return out
}

// isFlow reports whether a package is one of the flows, or what they share: those are looked at too.
func isFlow(path string) bool { return strings.HasPrefix(path, Module+"/flow/") }

func (c *checker) imports(file *ast.File) {
	if c.refused == nil {
		c.refused = map[string]bool{}
	}
	for _, spec := range file.Imports {
		path := strings.Trim(spec.Path.Value, "`\"")
		if !slices.Contains(pure, path) && !isFlow(path) {
			c.refused[path] = true
			c.report(spec, "import", "%s is not on the list of pure packages", path)
		}
		if spec.Name != nil && spec.Name.Name == "." {
			c.report(spec, "import", "a dot import hides where names come from")
		}
	}
}

// selector reports names of allowed imports that are not pure. Methods (time.Time.Local, say) are
// found by the package that declares them.
func (c *checker) selector(n *ast.SelectorExpr) {
	obj := c.info.Uses[n.Sel]
	if obj == nil || obj.Pkg() == nil || c.sorted[n] {
		return
	}
	if why, ok := ambient[obj.Pkg().Path()][obj.Name()]; ok && reachesOut(obj) {
		c.report(n, "ambient", "%s.%s: %s", obj.Pkg().Name(), obj.Name(), why)
	}
}

// reachesOut is false for methods that only share a name with what is listed (time.Time.After).
func reachesOut(obj types.Object) bool {
	f, ok := obj.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return true
	}
	return obj.Name() == "Local" || strings.HasPrefix(obj.Name(), "Parse")
}

func (c *checker) call(n *ast.CallExpr) {
	if builtin := c.builtin(n); builtin != "" {
		c.builtinCall(n, builtin)
		return
	}
	f := c.callee(n)
	if f == nil {
		return
	}
	if f.Pkg() != nil && f.Pkg().Path() == "slices" && strings.HasPrefix(f.Name(), "Sorted") && len(n.Args) > 0 {
		if inner, ok := ast.Unparen(n.Args[0]).(*ast.CallExpr); ok {
			c.sorted[ast.Unparen(inner.Fun)] = true
		}
	}
	if len(n.Args) > 0 && sortsInPlace(f) {
		c.writes(n.Args[0])
	}
	c.pointerCall(n, f)
}

// pointerCall reports a method with a pointer receiver that is called on a package variable: it may
// change it.
func (c *checker) pointerCall(n *ast.CallExpr, f *types.Func) {
	recv := f.Signature().Recv()
	sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if recv == nil || !ok {
		return
	}
	_, wantsPointer := recv.Type().(*types.Pointer)
	_, isPointer := c.info.TypeOf(sel.X).(*types.Pointer)
	if v := c.packageVar(sel.X); v != nil && wantsPointer && !isPointer {
		c.report(n, "state", "%s may change package variable %s: state outlives the run", f.Name(), v.Name())
	}
}

func (c *checker) builtinCall(n *ast.CallExpr, name string) {
	switch name {
	case "recover":
		c.report(n, "recover", "a flow must not swallow what unwinds it")
	case "print", "println":
		c.report(n, "ambient", "%s: a flow prints nothing", name)
	case "close":
		c.report(n, "chan", "a flow has no channels: use Parallel")
	case "delete", "clear", "copy":
		c.writes(n.Args[0])
	}
}

func (c *checker) builtin(n *ast.CallExpr) string {
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if b, ok := c.info.Uses[id].(*types.Builtin); ok {
		return b.Name()
	}
	return ""
}

// callee returns the function or method that is called by name, or nil for a function value.
func (c *checker) callee(n *ast.CallExpr) *types.Func {
	f, _ := c.info.Uses[nameOf(n.Fun)].(*types.Func)
	return f
}

// nameOf returns the identifier that an expression names a function by, or nil.
func nameOf(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr: // an instance of a generic function
		return nameOf(e.X)
	case *ast.IndexListExpr:
		return nameOf(e.X)
	}
	return nil
}

func sortsInPlace(f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sort":
		return !strings.HasPrefix(f.Name(), "Search") && !strings.HasSuffix(f.Name(), "AreSorted")
	case "slices":
		return slices.Contains([]string{"Sort", "SortFunc", "SortStableFunc", "Reverse"}, f.Name())
	}
	return false
}
