package archtest

import (
	"go/ast"
	"go/types"
)

// writes reports each expression that is assigned to and is, or is part of, a package variable.
func (c *checker) writes(targets ...ast.Expr) {
	for _, e := range targets {
		if e == nil {
			continue
		}
		if v := c.packageVar(e); v != nil {
			c.report(e, "state", "package variable %s is written: state outlives the run", v.Name())
		}
	}
}

// packageVar returns the package variable that an expression is or is part of, or nil.
func (c *checker) packageVar(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return packageLevel(c.info.Uses[e])
	case *ast.IndexExpr:
		return c.packageVar(e.X)
	case *ast.SliceExpr:
		return c.packageVar(e.X)
	case *ast.StarExpr:
		return c.packageVar(e.X)
	case *ast.SelectorExpr:
		if v := packageLevel(c.info.Uses[e.Sel]); v != nil {
			return v // of another package
		}
		return c.packageVar(e.X)
	}
	return nil
}

func packageLevel(obj types.Object) *types.Var {
	v, ok := obj.(*types.Var)
	if !ok || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}
