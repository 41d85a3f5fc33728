package view

import (
	"slices"
	"strings"

	"rein/terminal/tui/look"
)

// A search is what somebody looks for in the timeline.
type search struct {
	query string
}

// Find looks for a text from a row on, down or up, and returns the row that has it. Case does not matter.
func (p *Page) Find(query string, from int, up bool) (row int, ok bool) {
	p.found.query = query
	if query == "" {
		return 0, false
	}
	want, height := strings.ToLower(query), p.Height()
	by := 1
	if up {
		by = -1
	}
	for n, row := 0, from; n < height; n, row = n+1, row+by {
		at := (row%height + height) % height
		if rows := p.Rows(at, 1); len(rows) == 1 && strings.Contains(strings.ToLower(look.Plainly(rows[0])), want) {
			return at, true
		}
	}
	return 0, false
}

// marked shows where rows have what somebody looks for.
func (p *Page) marked(rows []string) []string {
	if p.found.query == "" {
		return rows
	}
	want, rows := strings.ToLower(p.found.query), slices.Clone(rows)
	for i, row := range rows {
		plain := look.Plainly(row)
		lower := strings.ToLower(plain)
		if len(lower) != len(plain) || !strings.Contains(lower, want) {
			continue
		}
		rows[i] = p.highlight(plain, lower, want)
	}
	return rows
}

func (p *Page) highlight(plain, lower, want string) string {
	var b strings.Builder
	for {
		at := strings.Index(lower, want)
		if at < 0 {
			return b.String() + plain
		}
		b.WriteString(plain[:at] + p.theme.Chosen(plain[at:at+len(want)]))
		plain, lower = plain[at+len(want):], lower[at+len(want):]
	}
}
