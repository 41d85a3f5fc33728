package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"rein/internal/coverage"
)

// module is what the paths of our packages begin with.
const module = "rein"

// reportAttacks prints the table of the attacks that the tree in the current folder lists.
func (s *summary) reportAttacks() bool {
	list, err := coverage.Attacks(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(s.w, "testsum:", err)
	}
	return s.attackTable(list) && err == nil
}

// attackTable prints every attack with its promise and what came of its tests. It reports whether
// all were tried and held.
func (s *summary) attackTable(list []coverage.Attack) bool {
	ok := true
	fmt.Fprintf(s.w, "\nAttacks (docs/attacks.md)\n")
	for _, a := range list {
		verdict, held := s.verdict(a)
		ok = ok && held
		fmt.Fprintf(s.w, "%3d  %-24s %s. Promise: %s.\n", a.N, verdict, a.What, a.Promise)
	}
	return ok
}

// verdict says what came of one attack: it held only if each of its tests ran and passed.
func (s *summary) verdict(a coverage.Attack) (string, bool) {
	for _, t := range a.Tests {
		if state := s.state(t); state != "pass" {
			return fmt.Sprintf("FAILED (%s: %s)", t.Name, state), false
		}
	}
	if len(a.Tests) == 0 {
		return "NOT TESTED", false
	}
	return fmt.Sprintf("held (%s)", plural(len(a.Tests), "test")), true
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// state returns the last action of a test, or "not run".
func (s *summary) state(t coverage.Test) string {
	p := s.packages[path.Join(module, t.Dir)]
	for dir := t.Dir; t.Script && p == nil && dir != "."; { // a script lies below the package that plays it
		dir = path.Dir(dir)
		p = s.packages[path.Join(module, dir)]
	}
	if p == nil {
		return "not run"
	}
	for name, ran := range p.tests {
		if name == t.Name || t.Script && strings.HasSuffix(name, "/"+t.Name) {
			return ran.state
		}
	}
	return "not run"
}
