// Command testsum runs "go test -json" and summarises the result: failures in full, one line per
// package, and every skipped test with its reason.
//
//	go run ./internal/testsum [-show REGEXP] [-attacks] [-rotate] -- [flags and packages of go test]
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
)

func main() {
	show := flag.String("show", "^$", "also print what passing tests of these names logged")
	attacks := flag.Bool("attacks", false, "print the attacks of docs/attacks.md with their results; fail if one was not tried")
	rotating := flag.Bool("rotate", false, "start sampled sweeps where the run before did not (SWEEP sets the offset)")
	flag.Parse()
	if *rotating {
		if err := rotate(os.Stdout, counter()); err != nil {
			fmt.Fprintln(os.Stderr, "testsum:", err)
			os.Exit(2)
		}
	}
	leave := prepare(os.Stdout, memoryDisk)
	code := run(os.Stdout, *show, *attacks, flag.Args())
	leave()
	os.Exit(code)
}

func run(w io.Writer, show string, attacks bool, args []string) int {
	names, err := regexp.Compile(show)
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum: -show:", err)
		return 2
	}
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsum:", err)
		return 2
	}
	sum := newSummary(w, names)
	readErr := sum.read(out)
	testErr := cmd.Wait()
	for _, err := range []error{readErr, testErr} {
		if err != nil {
			fmt.Fprintln(w, "testsum: go test:", err)
		}
	}
	held := !attacks || sum.reportAttacks()
	ok := sum.finish(os.Getenv("CI") == "true") && held
	if !ok || readErr != nil || testErr != nil {
		return 1
	}
	return 0
}
