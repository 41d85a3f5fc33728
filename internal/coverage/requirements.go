package coverage

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// requirements is docs/internal/requirements.md, read.
type requirements struct {
	list         []requirement
	capabilities []string // in the order of the document
	delivered    []string
}

// requirement is one row. It needs all capabilities of by.
type requirement struct {
	id, what string
	by       []string
}

// claimOf is how a test claims one capability of the requirement.
func (q requirement) claimOf(part string) string {
	if part == q.by[0] {
		return q.id
	}
	return q.id + "/" + part
}

// missing says why the requirement is not covered; empty: it is.
func (r *requirements) missing(q requirement, held map[string]bool) string {
	var why []string
	for _, part := range q.by {
		switch {
		case !slices.Contains(r.delivered, part) && held[q.id+"/"+part]:
			why = append(why, part+" (tested)")
		case !slices.Contains(r.delivered, part):
			why = append(why, part)
		case !held[q.id+"/"+part]:
			why = append(why, part+" (no test)")
		}
	}
	return strings.Join(why, ", ")
}

func (r *requirements) find(id string) (requirement, bool) {
	i := slices.IndexFunc(r.list, func(q requirement) bool { return q.id == id })
	if i < 0 {
		return requirement{}, false
	}
	return r.list[i], true
}

// refuse says what is wrong with a claim; empty: nothing.
func (r *requirements) refuse(c claim) string {
	q, ok := r.find(c.id)
	switch {
	case !ok:
		return fmt.Sprintf("%s is not in %s", c.id, RequirementsFile)
	case c.part != "" && !slices.Contains(q.by, c.part):
		return fmt.Sprintf("%s/%s: %s names %s", c.id, c.part, c.id, strings.Join(q.by, ", "))
	}
	return ""
}

var idShape = regexp.MustCompile(`^[A-Z]+-[A-Z]?[0-9]+$`)

// parseRequirements reads three things: rows of three cells (| ID | what | brought by |), rows of
// two cells whose first is a capability in backquotes, and the line "Delivered: a, b" ("none" if
// nothing is). Everything else is prose.
func parseRequirements(text string) (*requirements, error) {
	r := &requirements{}
	var wrong []error
	said := false
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		var err error
		if names, ok := strings.CutPrefix(line, "Delivered:"); ok {
			said = true
			r.delivered = list(names)
		} else if strings.HasPrefix(line, "|") {
			err = r.row(line)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", n, err))
		}
	}
	if !said {
		wrong = append(wrong, errors.New(`there is no line "Delivered: …"`))
	}
	return r, errors.Join(append(wrong, r.unknownNames()...)...)
}

// list splits "a, b"; "none" is the empty list.
func list(names string) []string {
	var out []string
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name != "" && name != "none" {
			out = append(out, name)
		}
	}
	return out
}

func (r *requirements) row(line string) error {
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	first := cells[0]
	switch {
	case first == "ID" || first == "capability" || strings.Trim(first, "-:") == "":
		return nil // a head, or the line under it
	case len(cells) == 2 && strings.HasPrefix(first, "`"):
		r.capabilities = append(r.capabilities, strings.Trim(first, "`"))
		return nil
	case len(cells) != 3:
		return fmt.Errorf("a row has %d cells, want | ID | what | brought by |: %s", len(cells), line)
	case !idShape.MatchString(first):
		return fmt.Errorf("%q does not look like an ID", first)
	case slices.ContainsFunc(r.list, func(q requirement) bool { return q.id == first }):
		return fmt.Errorf("%s is there twice", first)
	case cells[1] == "" || len(list(cells[2])) == 0:
		return fmt.Errorf("%s: an empty cell", first)
	}
	r.list = append(r.list, requirement{id: first, what: cells[1], by: list(cells[2])})
	return nil
}

// unknownNames finds capabilities that are used and not explained, or explained and not used.
func (r *requirements) unknownNames() []error {
	var wrong []error
	known := func(where, name string) {
		if !slices.Contains(r.capabilities, name) {
			wrong = append(wrong, fmt.Errorf("%s: there is no capability %q", where, name))
		}
	}
	for _, name := range r.delivered {
		known("Delivered", name)
	}
	for _, q := range r.list {
		for _, name := range q.by {
			known(q.id, name)
		}
	}
	for _, name := range r.capabilities {
		if !slices.ContainsFunc(r.list, func(q requirement) bool { return slices.Contains(q.by, name) }) {
			wrong = append(wrong, fmt.Errorf("no requirement names the capability %q: nothing would show that it is missing", name))
		}
	}
	return wrong
}
