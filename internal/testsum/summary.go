package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// event is one line of "go test -json".
type event struct {
	Action      string
	Package     string
	ImportPath  string // of a build, instead of Package
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

// summary collects events and prints each package as it ends.
type summary struct {
	w        io.Writer
	show     *regexp.Regexp
	packages map[string]*result
	builds   map[string]string // what a build printed
	skips    []string
	total    count
}

type count struct{ passed, failed, skipped int }

func (c count) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.passed, c.failed, c.skipped)
}

// result is what is known of one package.
type result struct {
	output string // of the package itself
	tests  map[string]*test
	order  []string
}

// test is one test or subtest. Its state is the last action: run, pass, fail or skip.
type test struct {
	output, state string
	parent        bool // it has subtests: they are counted instead
	failedBelow   bool
}

func newSummary(w io.Writer, show *regexp.Regexp) *summary {
	return &summary{w: w, show: show, packages: map[string]*result{}, builds: map[string]string{}}
}

func (s *summary) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			s.line(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) line(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
		fmt.Fprint(s.w, line) // the go command itself speaks
		return
	}
	if e.Action == "build-output" {
		s.builds[e.ImportPath] += e.Output
		return
	}
	if e.Package == "" {
		return
	}
	p := s.packages[e.Package]
	if p == nil {
		p = &result{tests: map[string]*test{}}
		s.packages[e.Package] = p
	}
	if e.Test != "" {
		p.test(e)
		return
	}
	switch e.Action {
	case "output":
		p.output += e.Output
	case "pass", "fail", "skip":
		s.ended(p, e)
	}
}

func (p *result) test(e event) {
	t := p.tests[e.Test]
	if t == nil {
		t = &test{state: "run"}
		p.tests[e.Test] = t
		p.order = append(p.order, e.Test)
		if up := p.tests[above(e.Test)]; up != nil {
			up.parent = true
		}
	}
	switch e.Action {
	case "output":
		t.output += e.Output
	case "pass", "fail", "skip":
		t.state = e.Action
	}
}

// above returns the name of the test that a subtest belongs to.
func above(name string) string {
	if i := strings.LastIndex(name, "/"); i >= 0 {
		return name[:i]
	}
	return ""
}

// ended counts and prints a package. A test that was still running when its package failed (a
// crash, a time-out) counts as failed; so does a package that failed without a failed test.
func (s *summary) ended(p *result, e event) {
	failed := e.Action == "fail"
	var c count
	for _, name := range slices.Backward(p.order) { // subtests before the test they belong to
		t := p.tests[name]
		if t.state == "run" && failed {
			t.state = "fail"
		}
		if t.state == "fail" || t.failedBelow {
			if up := p.tests[above(name)]; up != nil {
				up.failedBelow = true
			}
		}
		c = c.plus(t)
	}
	if failed && c.failed == 0 {
		c.failed = 1
	}
	s.total = count{s.total.passed + c.passed, s.total.failed + c.failed, s.total.skipped + c.skipped}
	for _, name := range p.order {
		s.tell(e.Package, name, p.tests[name])
	}
	if failed {
		fmt.Fprint(s.w, s.builds[e.FailedBuild], p.output)
	}
	s.packageLine(p, e, c)
	p.order, p.output = nil, "" // another go test may run its other tests
}

func (c count) plus(t *test) count {
	switch {
	case t.state == "fail" && !t.failedBelow:
		c.failed++
	case t.state == "skip":
		c.skipped++
	case t.state == "pass" && !t.parent:
		c.passed++
	}
	return c
}

// raceReport is in what the race detector prints.
const raceReport = "WARNING: DATA RACE"

// tell prints what should be seen of a test, and keeps the reason if it was skipped.
func (s *summary) tell(pkg, name string, t *test) {
	switch {
	case t.state == "fail":
		fmt.Fprint(s.w, t.output)
	case strings.Contains(t.output, raceReport):
		fmt.Fprint(s.w, t.output) // go test gives it to the test that printed last, which need not be the one that failed
	case t.state == "skip":
		s.skips = append(s.skips, fmt.Sprintf("%s %s: %s", pkg, name, reason(t.output)))
	case s.show.MatchString(name):
		fmt.Fprint(s.w, logged(t.output))
	}
}

// logged is what a test printed, without the lines of the test framework.
func logged(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		if text := strings.TrimSpace(line); !strings.HasPrefix(text, "=== ") && !strings.HasPrefix(text, "--- ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func (s *summary) packageLine(p *result, e event, c count) {
	switch {
	case e.Action == "fail":
		fmt.Fprintf(s.w, "FAIL  %s  %s  %.1fs\n", e.Package, c, e.Elapsed)
	case len(p.order) == 0:
		fmt.Fprintf(s.w, "--    %s  no tests\n", e.Package)
	default:
		fmt.Fprintf(s.w, "ok    %s  %s  %.1fs\n", e.Package, c, e.Elapsed)
	}
}

// reason is what a skipped test logged, on one line.
func reason(output string) string {
	var lines []string
	for line := range strings.Lines(logged(output)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	if len(lines) == 0 {
		return "no reason given"
	}
	return strings.Join(lines, " / ")
}

// finish prints what was skipped and the totals. It reports whether all is well: nothing failed
// and, in strict mode, nothing was skipped.
func (s *summary) finish(strict bool) bool {
	slices.Sort(s.skips)
	if len(s.skips) > 0 {
		fmt.Fprintf(s.w, "\n!!! SKIPPED: these %d were NOT tested\n", len(s.skips))
		for _, skip := range s.skips {
			fmt.Fprintln(s.w, "!!!  ", skip)
		}
		if strict {
			fmt.Fprintln(s.w, "!!! CI=true: a skipped test is a failure")
		}
		fmt.Fprintln(s.w)
	}
	fmt.Fprintln(s.w, s.total)
	return s.total.failed == 0 && (!strict || len(s.skips) == 0)
}
