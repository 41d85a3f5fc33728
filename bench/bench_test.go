package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"rein/internal/labs"
)

// TestMain lets the test's own program be the children.
func TestMain(m *testing.M) {
	if isChild() {
		exit(runChild())
	}
	os.Exit(m.Run())
}

// TestQuick runs every section at a tiny size. The cells check their own work: tokens and tool calls
// of every run, that parked runs leave nothing in memory and are all there after a crash, that a
// cancelled tree has ended from the leaves up and no model call outlives it, that followers of the API
// who never read are behind when everyone else has reached the end.
//
// Covers: LAW-5 ENG-49 ENG-70
func TestQuick(t *testing.T) {
	labs.Only(t)
	for _, section := range order {
		t.Run(section, func(t *testing.T) {
			t.Parallel()
			var out, log bytes.Buffer
			b := &bench{out: &out, log: &log, dir: t.TempDir(), reps: 1, noisy: 1, sizes: tiny}
			if err := b.run(t.Context(), section); err != nil {
				t.Fatalf("%v\n%s", err, log.String())
			}
			checkTables(t, section, out.String())
		})
	}
}

// badNumber matches what a figure looks like that could not be computed.
var badNumber = regexp.MustCompile(`NaN|Inf|%!`)

func checkTables(t *testing.T, section, text string) {
	t.Helper()
	if !strings.Contains(text, "\n### "+section+":") {
		t.Fatalf("no table of %s in\n%s", section, text)
	}
	columns := 0
	for line := range strings.Lines(text) {
		switch {
		case !strings.HasPrefix(line, "|"):
			columns = 0
		case columns == 0:
			columns = strings.Count(line, "|")
		case strings.Count(line, "|") != columns:
			t.Errorf("the row %q has other columns than its table", line)
		}
		if badNumber.MatchString(line) {
			t.Errorf("no figure in %q", line)
		}
	}
}

func TestChoose(t *testing.T) {
	names, err := choose("disk,work")
	if err != nil || fmt.Sprint(names) != "[disk work]" {
		t.Errorf("choose = %v, %v", names, err)
	}
	if _, err := choose("disk,speed"); err == nil || !strings.Contains(err.Error(), "work, first, disk, growth, parked, cancel, serve") {
		t.Errorf("an unknown section gives %v, want the ones there are", err)
	}
}

// TestTree pins the shape of the tree that is cancelled: the nodes and levels that the target names.
func TestTree(t *testing.T) {
	var count func(nodes, depth int) (all, deepest int)
	count = func(nodes, depth int) (all, deepest int) {
		if nodes == 1 {
			return 1, 0
		}
		all = 1
		for _, below := range subtrees(nodes-1, depth) {
			n, d := count(below, depth-1)
			all, deepest = all+n, max(deepest, d+1)
		}
		return all, deepest
	}
	for _, s := range []sizes{full, tiny} {
		if nodes, depth := count(s.nodes, s.depth); nodes != s.nodes || depth != s.depth {
			t.Errorf("the tree has %d nodes and is %d deep, want %d and %d", nodes, depth, s.nodes, s.depth)
		}
	}
	if n := leaves(full.nodes, full.depth); n != 69 {
		t.Errorf("the tree has %d leaves, want 69", n)
	}
}

func TestPercentile(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for p, want := range map[float64]float64{0.5: 2, 0.99: 4, 0.01: 1} {
		if got := percentile(values, p); got != want {
			t.Errorf("percentile %v = %v, want %v", p, got, want)
		}
	}
	if got := percentile(nil, 0.5); got != 0 {
		t.Errorf("percentile of nothing = %v", got)
	}
}
