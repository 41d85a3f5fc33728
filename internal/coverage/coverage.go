// Package coverage says which test holds which requirement. It reads the requirements from
// docs/requirements.md and the "Covers:" lines of the tests, the attacks from docs/attacks.md and
// the "Attack:" lines, and writes docs/coverage.md. It looks at what is claimed; whether a test is
// any good is for people to judge.
package coverage

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Where the documents live.
const (
	AttacksFile      = "docs/attacks.md"
	RequirementsFile = "docs/requirements.md"
	CoverageFile     = "docs/coverage.md"
)

// Generate returns the text of docs/coverage.md for the tree. The text is complete even if there is
// an error, which lists everything that is wrong with the claims; it is empty only if the tree
// cannot be read.
func Generate(tree fs.FS) (string, error) {
	text, err := fs.ReadFile(tree, RequirementsFile)
	if err != nil {
		return "", err
	}
	reqs, err := parseRequirements(string(text))
	if err != nil {
		return "", fmt.Errorf("%s:\n%w", RequirementsFile, err)
	}
	claims, wrong, err := scan(tree, covers)
	if err != nil {
		return "", err
	}
	wrong = append(wrong, check(reqs, claims)...)
	tried, err := Attacks(tree)
	if err != nil {
		wrong = append(wrong, err)
	}
	return render(reqs, claims) + renderAttacks(tried), errors.Join(wrong...)
}

// Check reports whether docs/coverage.md is up to date and the claims are in order.
func Check(tree fs.FS) error {
	want, err := Generate(tree)
	if err != nil {
		return err
	}
	have, err := fs.ReadFile(tree, CoverageFile)
	if err != nil || string(have) != want {
		return fmt.Errorf("%s is stale: run make generate", CoverageFile)
	}
	return nil
}

// check compares what is claimed with what is required.
func check(reqs *requirements, claims []claim) []error {
	var wrong []error
	covered := map[string]bool{}
	for _, c := range claims {
		covered[c.id] = true
		if !slices.ContainsFunc(reqs.list, func(r requirement) bool { return r.id == c.id }) {
			wrong = append(wrong, fmt.Errorf("%s:%d: Covers: %s is not in %s", c.file, c.line, c.id, RequirementsFile))
		}
	}
	for _, r := range reqs.list {
		if reqs.due(r) && !covered[r.id] {
			wrong = append(wrong, fmt.Errorf("%s: %s (%s) is delivered but no test covers it: %s", RequirementsFile, r.id, r.by[0], r.what))
		}
	}
	return wrong
}
