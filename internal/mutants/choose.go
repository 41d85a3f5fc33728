package main

import (
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// variable repeats a choice: an offset, or names with commas between them.
const variable = "MUTANTS"

// choose returns the mutants to run, and tells the reader how to repeat that.
func choose(w io.Writer, all []mutant, some int, wish string) ([]mutant, error) {
	offset, err := strconv.Atoi(wish)
	switch {
	case wish != "" && err != nil:
		return named(all, wish)
	case some <= 0 || some >= len(all):
		return all, nil
	case wish == "":
		offset = today()
	case offset < 0:
		return nil, fmt.Errorf("%s=%s: want an offset such as 3, or names of mutants", variable, wish)
	}
	fmt.Fprintf(w, "mutants: %d of %d, from offset %d (to repeat: make test %s=%d; all: make mutants)\n", some, len(all), offset, variable, offset)
	var chosen []mutant
	for i := range some {
		chosen = append(chosen, all[(offset%len(all)*some+i)%len(all)])
	}
	return chosen, nil
}

func named(all []mutant, wish string) ([]mutant, error) {
	var chosen []mutant
	for name := range strings.SplitSeq(wish, ",") {
		n := len(chosen)
		for _, m := range all {
			if m.name == strings.TrimSpace(name) {
				chosen = append(chosen, m)
			}
		}
		if len(chosen) == n {
			return nil, fmt.Errorf("%s: there is no mutant %q in internal/mutants/mutants.md", variable, name)
		}
	}
	return chosen, nil
}

// today moves on with every commit and every day, so that all mutants have their turn even where
// nobody runs all of them.
func today() int {
	out, err := exec.Command("git", "rev-list", "--count", "HEAD").Output()
	commits, numErr := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || numErr != nil {
		commits = 0 // not a clone: the date alone
	}
	return commits + int(time.Now().Unix()/86_400)
}
