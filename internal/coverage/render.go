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
	held := tested(reqs, claims)
	var b strings.Builder
	b.WriteString(head)
	b.WriteString(`
A requirement is covered when every capability that it names is delivered and has a test. ` + "`ID/capability`" + ` is a test of one that the requirement names after the first.

## By capability

| capability | delivered | tested | of |
|---|---|---|---|
`)
	for _, name := range reqs.capabilities {
		b.WriteString(capabilityRow(reqs, held, name))
	}
	b.WriteString(openRows(reqs, held))
	b.WriteString("\n## By requirement\n\n| ID | file | test |\n|---|---|---|\n")
	places := rows(claims)
	for _, r := range reqs.list {
		for _, part := range append([]string{""}, r.by...) {
			for _, row := range places[claim{id: r.id, part: part}] {
				b.WriteString(row)
			}
		}
	}
	return b.String()
}

// rows are the lines of the table, by what they claim.
func rows(claims []claim) map[claim][]string {
	places := map[claim][]string{}
	for _, c := range claims {
		key, name := claim{id: c.id, part: c.part}, c.id
		if c.part != "" {
			name += "/" + c.part
		}
		row := fmt.Sprintf("| %s | %s | %s |\n", name, c.file, c.test)
		if !slices.Contains(places[key], row) {
			places[key] = append(places[key], row)
		}
	}
	return places
}

// capabilityRow counts every requirement that names the capability, wherever it stands in the row.
func capabilityRow(reqs *requirements, held map[string]bool, name string) string {
	tested, of := 0, 0
	for _, r := range reqs.list {
		if !slices.Contains(r.by, name) {
			continue
		}
		of++
		if held[r.id+"/"+name] {
			tested++
		}
	}
	delivered := "no"
	if slices.Contains(reqs.delivered, name) {
		delivered = "yes"
	}
	return fmt.Sprintf("| %s | %s | %d | %d |\n", name, delivered, tested, of)
}

// openRows says how many requirements are covered, and what the others miss.
func openRows(reqs *requirements, held map[string]bool) string {
	var b strings.Builder
	open := 0
	for _, r := range reqs.list {
		if missing := reqs.missing(r, held); missing != "" {
			open++
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.id, missing, r.what)
		}
	}
	head := fmt.Sprintf("\n## Open\n\n%d of %d requirements are covered.\n", len(reqs.list)-open, len(reqs.list))
	if open == 0 {
		return head
	}
	return head + "\n| ID | is missing | what |\n|---|---|---|\n" + b.String()
}
