package archtest

import (
	"go/ast"
	"go/types"
)

// findVerbUsers finds the functions of the package that use a verb, themselves or through another.
func (c *checker) findVerbUsers() {
	calls := map[*types.Func][]*types.Func{}
	c.verbUser = map[*types.Func]bool{}
	for _, file := range c.files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			self, ok := c.info.Defs[f.Name].(*types.Func)
			if !ok {
				continue
			}
			c.eachFunc(f.Body, func(_ ast.Node, used *types.Func) {
				calls[self] = append(calls[self], used)
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for f, used := range calls {
			for _, u := range used {
				if !c.verbUser[f] && (c.verb(u) || c.verbUser[u]) {
					c.verbUser[f], changed = true, true
				}
			}
		}
	}
}

// eachFunc visits every mention of a function or method, called or not.
func (c *checker) eachFunc(n ast.Node, visit func(ast.Node, *types.Func)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if f, ok := c.info.Uses[id].(*types.Func); ok {
				visit(id, f.Origin())
			}
		}
		return true
	})
}

// deferred reports whatever could run a verb while the flow unwinds: a verb, a function that uses
// one, or what may hide one.
func (c *checker) deferred(n *ast.DeferStmt) {
	const why = "a deferred verb would run while the run is being parked or ended"
	before := len(c.found)
	c.eachFunc(n.Call, func(at ast.Node, f *types.Func) {
		switch {
		case c.verb(f):
			c.report(at, "defer", "verb %s: %s", f.Name(), why)
		case c.verbUser[f]:
			c.report(at, "defer", "%s uses a verb: %s", f.Name(), why)
		case f.Pkg() != nil && f.Pkg() != c.pkg && isFlow(f.Pkg().Path()):
			c.report(at, "defer", "%s may use a verb: %s", f.Name(), why)
		}
	})
	if len(c.found) == before {
		c.handedOn(n.Call, why)
	}
}

// handedOn looks for what may hide a verb in a deferred call: a Run, or a call of a function value.
func (c *checker) handedOn(deferred *ast.CallExpr, why string) {
	ast.Inspect(deferred, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if _, ok := c.info.Uses[n].(*types.Var); ok && c.isRun(n) {
				c.report(n, "defer", "Run %s is used: %s", n.Name, why)
			}
		case *ast.CallExpr:
			if c.functionValue(n) {
				c.report(n, "defer", "a function value is called, which may hold a verb: %s", why)
			}
		}
		return true
	})
}

// functionValue reports whether what is called is neither named, nor a literal, nor a conversion.
func (c *checker) functionValue(n *ast.CallExpr) bool {
	if _, literal := ast.Unparen(n.Fun).(*ast.FuncLit); literal {
		return false
	}
	return c.callee(n) == nil && c.builtin(n) == "" && !c.info.Types[n.Fun].IsType()
}

// branch reports a branch of Parallel that uses a Run from outside: its steps would be counted in
// an order that differs from run to run.
func (c *checker) branch(lit *ast.FuncLit) {
	sig, ok := c.info.TypeOf(lit).(*types.Signature)
	if !ok || c.run == nil || sig.Params().Len() != 1 || !types.Identical(sig.Params().At(0).Type(), c.run) {
		return
	}
	if sig.Results().Len() != 1 {
		return // not func(Run) error: a helper or a flow
	}
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || !c.isRun(id) {
			return true
		}
		if v, ok := c.info.Uses[id].(*types.Var); ok && (v.Pos() < lit.Pos() || v.Pos() >= lit.End()) {
			c.report(id, "branch", "a branch must use only the Run that it is given, not %s", id.Name)
		}
		return true
	})
}
