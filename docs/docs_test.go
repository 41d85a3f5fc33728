package docs_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// pages are the documents that people read, by their path from the root of the repository.
func pages(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.md")
	inside, err2 := filepath.Glob("internal/*.md")
	if err := errors.Join(err, err2); err != nil || len(names) == 0 || len(inside) == 0 {
		t.Fatal("there are no pages: ", err)
	}
	names = append(names, inside...)
	all := map[string]string{}
	for _, name := range append(names, "../README.md", "../CONTRIBUTING.md", "../CHANGELOG.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

var shown = regexp.MustCompile("(?s)<!-- (examples/[^ ]+\\.go) -->\n```go\n(.*?)```\n")

// Code that a page takes from a file below examples/ is in that file as it is, so the tests compile it.
func TestExamples(t *testing.T) {
	t.Parallel()
	found := 0
	for name, page := range pages(t) {
		for _, block := range shown.FindAllStringSubmatch(page, -1) {
			found++
			code, err := os.ReadFile(filepath.Join("..", block[1]))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if !strings.Contains(string(code), block[2]) {
				t.Errorf("%s shows code that is not in %s: copy it again\n%s", name, block[1], block[2])
			}
		}
	}
	if found < 8 {
		t.Errorf("found only %d pieces of code", found)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s:]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link to a file, and to a heading of a page, leads somewhere.
func TestLinks(t *testing.T) {
	t.Parallel()
	all, headings := pages(t), map[string]map[string]bool{}
	for name, page := range all {
		headings[name] = anchors(page)
	}
	for name, page := range all {
		for _, l := range link.FindAllStringSubmatch(page, -1) {
			path, anchor, _ := strings.Cut(l[1], "#")
			target := filepath.Join(filepath.Dir(name), path)
			if path == "" {
				target = name
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, l[1], err)
			} else if known, ok := headings[target]; ok && anchor != "" && !known[anchor] {
				t.Errorf("%s links to %s: the page has no such heading", name, l[1])
			}
		}
	}
}

// anchors are the headings of a page as links name them.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		name := strings.ToLower(strings.ReplaceAll(h[1], "`", ""))
		name = dropped.ReplaceAllString(name, "")
		all[strings.ReplaceAll(name, " ", "-")] = true
	}
	return all
}

var (
	decision = regexp.MustCompile(`(?m)^### D(\d+) (.+)$`)
	content  = regexp.MustCompile(`(?m)^- \[D(\d+)\]\(#[^)]+\) (.+)$`)
)

// People cite decisions by number: numbers are not used twice and none is left out, and the contents
// list all decisions in the order of the page.
func TestDecisions(t *testing.T) {
	t.Parallel()
	page := pages(t)["internal/decisions.md"]
	stated, listed := decision.FindAllStringSubmatch(page, -1), content.FindAllStringSubmatch(page, -1)
	seen := map[int]bool{}
	for i, d := range stated {
		n, err := strconv.Atoi(d[1])
		if err != nil || seen[n] || n < 1 || n > len(stated) {
			t.Errorf("D%s (%s): there are %d decisions, numbered from 1; use the next free number", d[1], d[2], len(stated))
		}
		seen[n] = true
		if i >= len(listed) || listed[i][1] != d[1] || listed[i][2] != d[2] {
			t.Fatalf("D%s (%s) has no line in the contents, or not at its place", d[1], d[2])
		}
	}
	if len(listed) != len(stated) {
		t.Errorf("the contents list %d decisions, the page has %d", len(listed), len(stated))
	}
}
