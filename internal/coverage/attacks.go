package coverage

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// An Attack is one row of docs/attacks.md, with the tests that try it.
type Attack struct {
	N       int
	What    string // what an enemy does
	Promise string // what must hold all the same
	Tests   []Test
}

// A Test tries an attack: a function of a package, or a script that one of its tests plays.
type Test struct {
	Dir    string // of the package, or of the script
	Name   string
	Script bool
}

// Attacks reads the attacks and finds the tests of each. An attack that no test tries is an error,
// and so is a number that the document does not know.
func Attacks(tree fs.FS) ([]Attack, error) {
	text, err := fs.ReadFile(tree, AttacksFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, wrong := parseAttacks(string(text))
	claims, bad, err := scan(tree, attacks)
	if err != nil {
		return nil, err
	}
	wrong = append(wrong, bad...)
	for _, c := range claims {
		if err := assign(list, c); err != nil {
			wrong = append(wrong, err)
		}
	}
	for _, a := range list {
		if len(a.Tests) == 0 {
			wrong = append(wrong, fmt.Errorf("%s: no test tries attack %d: %s", AttacksFile, a.N, a.What))
		}
	}
	return list, errors.Join(wrong...)
}

// parseAttacks reads the rows | # | attack | promise |, numbered from 1 without a gap.
func parseAttacks(text string) (list []Attack, wrong []error) {
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		n, err := strconv.Atoi(strings.TrimSpace(cells[0]))
		if err != nil {
			continue // prose, or the head of the table
		}
		if len(cells) != 3 || n != len(list)+1 {
			wrong = append(wrong, fmt.Errorf("%s: want row %d as | # | attack | promise |, not %s", AttacksFile, len(list)+1, line))
			continue
		}
		list = append(list, Attack{N: n, What: strings.TrimSpace(cells[1]), Promise: strings.TrimSpace(cells[2])})
	}
	return list, wrong
}

// assign adds a claim to its attack. Only what go test reports by name can make one.
func assign(list []Attack, c claim) error {
	n, err := strconv.Atoi(c.id)
	if err != nil || n < 1 || n > len(list) || c.part != "" {
		return fmt.Errorf("%s:%d: %s has no attack %q", c.file, c.line, AttacksFile, c.id)
	}
	script := path.Ext(c.file) == ".txtar"
	named := strings.HasSuffix(c.file, "_test.go") && (strings.HasPrefix(c.test, "Test") || strings.HasPrefix(c.test, "Fuzz"))
	if !script && !named {
		return fmt.Errorf("%s:%d: the line Attack: %d must stand above a Test or Fuzz function, or in a script", c.file, c.line, n)
	}
	list[n-1].Tests = append(list[n-1].Tests, Test{Dir: path.Dir(c.file), Name: c.test, Script: script})
	return nil
}

func renderAttacks(list []Attack) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## By attack\n\nThe attacks are in [attacks.md](../attacks.md); `make test` prints their results.\n\n| # | folder | test |\n|---|---|---|\n")
	for _, a := range list {
		for _, t := range a.Tests {
			fmt.Fprintf(&b, "| %d | %s | %s |\n", a.N, t.Dir, t.Name)
		}
	}
	return b.String()
}
