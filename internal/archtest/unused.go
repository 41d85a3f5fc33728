package archtest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// Offered are exported names that nothing here uses, apart from tests: they are for the programs of
// others. Everything else that only tests use is theirs, or goes.
var Offered = []Hand{
	{"app.Open", "the way in for embedders"},
	{"app/config.Table", "docs/configuration.md is made of it"},
	{"follow/ask.Serve", "answers questions in an embedding program"},
	{"follow/deliver.Post.Trip", "labs kill the process there"},
	{"journal.Read", "a whole log, for whoever does not follow it"},
	{"journal.Run.Usage", "a whole log, for whoever does not follow it"},
	{"model/script.Model.Unused", "tests of flows look for what was not played"},
	{"tool/files.Root.Trip", "labs kill the process there"},
	{"tool.Must", "a program that makes its tools as it starts has nobody to return an error to"},
}

// isForOthers reports whether all of a package is there for tests, for clients and flows of others, or for readers who learn.
func isForOthers(own string) bool {
	if strings.Contains(own, "/testdata/") {
		return false
	}
	return strings.HasSuffix(own, "test") || slices.ContainsFunc([]string{"api/client", "bench/...", "examples/...", "flow/...", "internal/...", "journal/timeline", "server/dialect/..."}, func(p string) bool { return matches(p, own) })
}

// A census knows which exported names there are, and which are used.
type census struct {
	exported map[string]found
	used     map[string]bool
	promised map[string]bool // methods that some interface has
	walked   map[*types.Package]bool
}

// found is where an exported name is.
type found struct {
	where  string
	method string // its own name, if it is one
}

func newCensus() *census {
	errors := map[string]bool{"Is": true, "As": true, "Unwrap": true} // of interfaces without a name
	return &census{map[string]found{}, map[string]bool{}, errors, map[*types.Package]bool{}}
}

// exportedName names what is exported the same whether its package was read or imported.
func exportedName(o types.Object) string {
	if o == nil || o.Pkg() == nil || !o.Exported() {
		return ""
	}
	own, ok := ours(o.Pkg().Path())
	if !ok {
		return ""
	}
	if f, isFunc := o.(*types.Func); isFunc {
		if recv := f.Origin().Signature().Recv(); recv != nil {
			t := recv.Type()
			if p, isPointer := t.(*types.Pointer); isPointer {
				t = p.Elem()
			}
			named, isNamed := t.(*types.Named)
			if !isNamed {
				return ""
			}
			return own + "." + named.Obj().Name() + "." + o.Name()
		}
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return own + "." + o.Name()
}

// see takes down what a package uses and exports.
func (c *census) see(own string, pkg *types.Package, info *types.Info, place func(types.Object) string) {
	for _, object := range info.Uses {
		if name := exportedName(object); name != "" {
			c.used[name] = true
		}
	}
	c.promises(pkg)
	if isForOthers(own) {
		return
	}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		c.export(object, place)
		if t, ok := object.(*types.TypeName); ok && t.Exported() {
			if named, ok := t.Type().(*types.Named); ok {
				for m := range named.Methods() {
					c.export(m, place)
				}
			}
		}
	}
}

func (c *census) export(o types.Object, place func(types.Object) string) {
	_, isConst := o.(*types.Const) // a list of words is whole, whoever uses which
	if name := exportedName(o); name != "" && !isConst {
		f := found{where: place(o)}
		if o.Parent() == nil {
			f.method = o.Name()
		}
		c.exported[name] = f
	}
}

// promises takes down the methods of the interfaces that a package can see: whoever has one may be
// called by it.
func (c *census) promises(pkg *types.Package) {
	if c.walked[pkg] {
		return
	}
	c.walked[pkg] = true
	for _, name := range pkg.Scope().Names() {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			if i, ok := t.Type().Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					c.promised[m.Name()] = true
				}
			}
		}
	}
	for _, other := range pkg.Imports() {
		c.promises(other)
	}
}

// unused returns a line for each exported name that nothing uses and nobody is offered, and for each
// that is offered and does not exist or has found a use.
func (c *census) unused() (wrong []string) {
	for name, f := range c.exported {
		if c.used[name] || c.promised[f.method] || isOffered(name) {
			continue
		}
		wrong = append(wrong, fmt.Sprintf("%s: %s is exported and nothing but tests uses it: remove it, give it to the tests, or add it to Offered with a reason", f.where, name))
	}
	for _, o := range Offered {
		if _, exists := c.exported[o.For]; !exists || c.used[o.For] {
			wrong = append(wrong, fmt.Sprintf("%s is in Offered, but it is gone or in use: remove the row", o.For))
		}
	}
	slices.Sort(wrong)
	return wrong
}

func isOffered(name string) bool {
	return slices.ContainsFunc(Offered, func(h Hand) bool { return h.For == name })
}
