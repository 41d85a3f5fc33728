package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A mutant is one broken function.
type mutant struct {
	name string
	why  string // the promise that breaks
	dir  string // the folder of the package
	fn   string // Func, or Type.Method
	from string // what is replaced in the function; empty: its whole body
	to   string
	by   []tests // which must notice
}

// tests are tests of a package.
type tests struct{ dir, pattern string }

var nameShape = regexp.MustCompile(`^[a-z0-9-]+$`)

// parse reads the list. A mutant is a heading of the second level, the lines "Why: …", "Func: folder
// name" and "Test: folder pattern", and one block of code (the new body) or two (a part of the body,
// and what takes its place). Everything before the first heading is prose.
func parse(text string) ([]mutant, error) {
	var all []mutant
	var wrong []error
	seen := map[string]bool{}
	parts := strings.Split("\n"+text, "\n## ")
	for _, part := range parts[1:] {
		m, err := parseOne(part)
		if err == nil && seen[m.name] {
			err = errors.New("the name is there twice")
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("mutants.md: %s: %w", m.name, err))
		}
		seen[m.name] = true
		all = append(all, m)
	}
	return all, errors.Join(wrong...)
}

func parseOne(part string) (m mutant, err error) {
	head, rest, _ := strings.Cut(part, "\n")
	m.name = strings.TrimSpace(head)
	blocks := strings.Split("\n"+rest, "\n```")
	for line := range strings.Lines(blocks[0]) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		first, second, _ := strings.Cut(value, " ")
		switch key {
		case "":
		case "Why":
			m.why = value
		case "Func":
			m.dir, m.fn = first, second
		case "Test":
			m.by = append(m.by, tests{first, second})
		default:
			return m, fmt.Errorf("%q is not Why, Func or Test", key)
		}
	}
	if err := m.code(blocks[1:]); err != nil {
		return m, err
	}
	return m, m.check()
}

// code takes what stands between fences: each block is an opening "go\n…" and a closing "\n…".
func (m *mutant) code(blocks []string) error {
	var code []string
	for i := 0; i+1 < len(blocks); i += 2 {
		body, ok := strings.CutPrefix(blocks[i], "go\n")
		if !ok || strings.TrimSpace(blocks[i+1]) != "" {
			return errors.New("code stands in ```go blocks, with nothing else around them")
		}
		code = append(code, body)
	}
	switch {
	case len(blocks)%2 != 0 || len(code) < 1 || len(code) > 2:
		return errors.New("want one block of code (a body) or two (a part of it, and what takes its place)")
	case len(code) == 1:
		m.to = code[0]
	default:
		m.from, m.to = code[0], code[1]
		if strings.TrimSpace(m.from) == "" {
			return errors.New("the first block is empty")
		}
	}
	return nil
}

func (m *mutant) check() error {
	switch {
	case !nameShape.MatchString(m.name):
		return errors.New("a name has small letters, digits and dashes")
	case m.why == "":
		return errors.New("there is no line Why: which promise breaks")
	case m.fn == "":
		return errors.New("there is no line Func: folder name")
	case len(m.by) == 0:
		return errors.New("there is no line Test: folder pattern")
	}
	for _, t := range m.by {
		if _, err := regexp.Compile(t.pattern); t.pattern == "" || err != nil {
			return fmt.Errorf("%q %q is not a folder and a pattern of go test -run", t.dir, t.pattern)
		}
	}
	return nil
}
