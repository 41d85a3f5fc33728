package coverage

import (
	"fmt"
	"slices"
	"strings"
)

const head = `# Which test holds which requirement

Written by ` + "`make generate`" + ` from the ` + "`Covers:`" + ` lines of the tests and [requirements.md](requirements.md); do not edit.
`

// render writes the document. It holds no line numbers, so that it changes only when claims do.
func render(reqs *requirements, claims []claim) string {
	places := map[string][]string{}
	for _, c := range claims {
		row := fmt.Sprintf("| %s | %s | %s |\n", c.id, c.file, c.test)
		if !slices.Contains(places[c.id], row) {
			places[c.id] = append(places[c.id], row)
		}
	}
	var b strings.Builder
	b.WriteString(head)
	b.WriteString("\n## By capability\n\n| capability | delivered | covered | of |\n|---|---|---|---|\n")
	for _, name := range reqs.capabilities {
		b.WriteString(capabilityRow(reqs, places, name))
	}
	b.WriteString("\n## By requirement\n\n| ID | file | test |\n|---|---|---|\n")
	var open []string
	for _, r := range reqs.list {
		if len(places[r.id]) == 0 {
			open = append(open, r.id)
		}
		for _, row := range places[r.id] {
			b.WriteString(row)
		}
	}
	fmt.Fprintf(&b, "\n## Not covered yet\n\n%s\n", orNone(open))
	return b.String()
}

func capabilityRow(reqs *requirements, places map[string][]string, name string) string {
	covered, of := 0, 0
	for _, r := range reqs.list {
		if r.by[0] != name {
			continue
		}
		of++
		if len(places[r.id]) > 0 {
			covered++
		}
	}
	delivered := "no"
	if slices.Contains(reqs.delivered, name) {
		delivered = "yes"
	}
	return fmt.Sprintf("| %s | %s | %d | %d |\n", name, delivered, covered, of)
}

// orNone lists IDs, a line per family.
func orNone(ids []string) string {
	if len(ids) == 0 {
		return "Nothing: every requirement has a test."
	}
	var b strings.Builder
	family := ""
	for _, id := range ids {
		f, _, _ := strings.Cut(id, "-")
		switch {
		case family == "":
			b.WriteString("- ")
		case f != family:
			b.WriteString("\n- ")
		default:
			b.WriteString(" ")
		}
		family = f
		b.WriteString(id)
	}
	return b.String()
}
