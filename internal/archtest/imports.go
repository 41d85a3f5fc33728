package archtest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// A Package is one of ours and what its files, tests aside, import.
type Package struct {
	Path    string // from the root of the module; "." is the root package
	Imports []string
}

// A Rule says what the packages it is for may import. A package's rule is the one with its very
// path, else the one with the longest pattern that matches. A pattern is a path, or a path and
// "/..." for everything below it, itself included.
type Rule struct {
	For     string
	May     []string // patterns of our own packages
	Not     []string // and of those among them that it may not
	Outside bool     // whether it may import modules of others
	Why     string
}

// Packages reads the packages of the module at root. Test files are left out: a test may use
// whatever it needs to set the stage.
func Packages(root string) ([]Package, error) {
	found := map[string]map[string]bool{}
	err := goFiles(root, func(name string) error {
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		imports, err := importsOf(root, name)
		dir := path.Dir(name)
		if found[dir] == nil {
			found[dir] = map[string]bool{}
		}
		for _, i := range imports {
			found[dir][i] = true
		}
		return err
	})
	var out []Package
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		out = append(out, Package{Path: dir, Imports: slices.Sorted(maps.Keys(found[dir]))})
	}
	return out, err
}

// CheckImports returns a line for every import that its package's rule does not allow, and for
// every package that no rule is for.
func CheckImports(rules []Rule, packages []Package) []string {
	var wrong []string
	for _, p := range packages {
		rule, ok := ruleFor(rules, p.Path)
		if !ok {
			wrong = append(wrong, fmt.Sprintf("%s: no rule is for this package: add a row to Rules, with its reason", p.Path))
			continue
		}
		for _, imported := range p.Imports {
			if !rule.allows(imported) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s: %s (rule for %s)", p.Path, imported, rule.Why, rule.For))
			}
		}
	}
	return wrong
}

func ruleFor(rules []Rule, pkg string) (best Rule, ok bool) {
	for _, r := range rules {
		if r.For == pkg {
			return r, true
		}
		if matches(r.For, pkg) && (!ok || len(r.For) > len(best.For)) {
			best, ok = r, true
		}
	}
	return best, ok
}

func (r Rule) allows(imported string) bool {
	own, ok := ours(imported)
	if !ok {
		return r.Outside || standard(imported)
	}
	fits := func(pattern string) bool { return matches(pattern, own) }
	return slices.ContainsFunc(r.May, fits) && !slices.ContainsFunc(r.Not, fits)
}

// ours returns the path of one of our packages from the root of the module.
func ours(imported string) (string, bool) {
	if imported == Module {
		return ".", true
	}
	return strings.CutPrefix(imported, Module+"/")
}

// standard reports whether the path is of the standard library: only those have no dot in their
// first element.
func standard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func matches(pattern, pkg string) bool {
	prefix, below := strings.CutSuffix(pattern, "...")
	if !below {
		return pattern == pkg
	}
	return prefix == "" || pkg == strings.TrimSuffix(prefix, "/") || strings.HasPrefix(pkg, prefix)
}
