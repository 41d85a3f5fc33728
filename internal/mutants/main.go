// Command mutants checks that tests notice when a promise is broken. Each mutant in mutants.md
// breaks one function; go test sees the broken file through -overlay, and the tests named for the
// mutant must fail. The run fails if a mutant no longer applies, does not compile, or survives its
// tests.
//
//	go run ./internal/mutants             all of them, after the tests passed unbroken
//	go run ./internal/mutants -some 5     five, others at each commit and day
//	MUTANTS=12 go run ./internal/mutants -some 5    the five of offset 12
//	MUTANTS=ask-shown,chain-digest go run ./internal/mutants    these two
//
// Run it from the root of the repository, as make mutants and make test do.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

//go:embed mutants.md
var document string

func main() {
	some := flag.Int("some", 0, "run so many mutants instead of all, and do not run the tests unbroken first")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ok, err := run(ctx, *some)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

func run(ctx context.Context, some int) (bool, error) {
	all, err := parse(document)
	if err != nil {
		return false, err
	}
	chosen, err := choose(os.Stdout, all, some, os.Getenv(variable))
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	r := runner{dir: dir, out: os.Stdout}
	if some == 0 {
		if err := r.unbroken(ctx, chosen); err != nil {
			return false, err
		}
	}
	return r.all(ctx, chosen), nil
}
