// Command cmd writes docs/internal/coverage.md, or with -check reports what is wrong with it. Run
// it from the root of the repository, as make generate and make test do.
package main

import (
	"flag"
	"fmt"
	"os"

	"rein/internal/coverage"
)

func main() {
	check := flag.Bool("check", false, "do not write; fail if the file is stale")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(check bool) error {
	tree := os.DirFS(".")
	if check {
		return coverage.Check(tree)
	}
	text, err := coverage.Generate(tree)
	if text == "" {
		return err
	}
	// Written even if something is wrong, so that mending the claims can be followed in the file.
	if err := os.WriteFile(coverage.CoverageFile, []byte(text), 0o644); err != nil {
		return err
	}
	return err
}
