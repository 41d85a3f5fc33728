// Package coverage shows which test covers which requirement. It reads
// docs/internal/requirements.md and the "Covers:" lines of the tests, docs/attacks.md and the
// "Attack:" lines, and writes docs/internal/coverage.md.
//
// A requirement is covered when every capability that it names is delivered and has a test. The
// claim "RAO-30" is about the first capability of RAO-30; a claim about another capability names
// it: "RAO-30/server". The package only reads claims. Whether a test fails when its promise is
// broken is for internal/mutants to show.
package coverage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Where the documents live.
const (
	AttacksFile      = "docs/attacks.md"
	RequirementsFile = "docs/internal/requirements.md"
	CoverageFile     = "docs/internal/coverage.md"
)

// Generate returns the text of docs/internal/coverage.md for the tree. The text is complete even if there is
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

// Check reports whether docs/internal/coverage.md is up to date and the claims are in order.
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
	for _, c := range claims {
		if why := reqs.refuse(c); why != "" {
			wrong = append(wrong, fmt.Errorf("%s:%d: Covers: %s", c.file, c.line, why))
		}
	}
	held := tested(reqs, claims)
	for _, r := range reqs.list {
		for _, part := range r.by {
			if slices.Contains(reqs.delivered, part) && !held[r.id+"/"+part] {
				wrong = append(wrong, fmt.Errorf("%s: %s (%s) is delivered but no test covers it (want \"Covers: %s\"): %s", RequirementsFile, r.id, part, r.claimOf(part), r.what))
			}
		}
	}
	return wrong
}

// tested holds "ID/capability" for everything that a test claims.
func tested(reqs *requirements, claims []claim) map[string]bool {
	held := map[string]bool{}
	for _, c := range claims {
		if r, ok := reqs.find(c.id); ok {
			held[c.id+"/"+cmp.Or(c.part, r.by[0])] = true
		}
	}
	return held
}
