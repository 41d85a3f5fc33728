package markdown

import "strings"

// code draws lines of code, a little to the right. What continues is the rest of a block that was too long.
func (d *drawer) code(lines []string, language string, p place, continues bool) []string {
	const indent = 2
	inner := p
	if p.width >= narrow+indent {
		inner.width -= indent
	}
	lines = trimmed(lines, !continues)
	var rows []string
	l := languages()[strings.ToLower(language)]
	for _, line := range lines {
		for _, row := range d.verbatim(d.coloured(l, shallow(line, inner.width/2)), inner) {
			if row != "" && inner.width < p.width {
				row = "  " + row
			}
			rows = append(rows, row)
		}
		inner.marked = false
	}
	return rows
}

// shallow returns a line that begins with no more than that many spaces.
func shallow(line string, most int) string {
	text := strings.TrimLeft(line, " ")
	return line[max(0, len(line)-len(text)-most):]
}
