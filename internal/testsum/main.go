// Command testsum runs "go test -json" and summarises the result: failures in full, one line per
// package, and every skipped test with its reason.
//
//	go run ./internal/testsum [-show REGEXP] [-attacks] [-rotate] [-race FLAGS] -- [flags and packages of go test]
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

func main() {
	show := flag.String("show", "^$", "also print what passing tests of these names logged")
	attacks := flag.Bool("attacks", false, "print the attacks of docs/attacks.md with their results; fail if one was not tried")
	rotating := flag.Bool("rotate", false, "start sampled sweeps where the run before did not (SWEEP sets the offset)")
	race := flag.String("race", "", "the flags of the race detector; tests marked Plain: or Alone: run without them")
	flag.Parse()
	if *rotating {
		if err := rotate(os.Stdout, counter()); err != nil {
			fmt.Fprintln(os.Stderr, "testsum:", err)
			os.Exit(2)
		}
	}
	tests, err := findMarked(os.DirFS("."))
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
		os.Exit(2)
	}
	prepare(os.Stdout, memoryDisk)
	code := run(os.Stdout, *show, *attacks, tests.runs(strings.Fields(*race), flag.Args()))
	os.Exit(code)
}

func run(w io.Writer, show string, attacks bool, runs [][]string) int {
	names, err := regexp.Compile(show)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum: -show:", err)
		return 2
	}
	sum := newSummary(w, names)
	ran := true
	for _, args := range runs {
		if err := sum.goTest(args); err != nil {
			fmt.Fprintln(w, "testsum: go test:", err)
			ran = false
		}
	}
	held := !attacks || sum.reportAttacks()
	if !sum.finish(os.Getenv("CI") == "true") || !held || !ran {
		return 1
	}
	return 0
}

// goTest runs go test and reads what it reports.
func (s *summary) goTest(args []string) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	return errors.Join(s.read(out), cmd.Wait())
}
