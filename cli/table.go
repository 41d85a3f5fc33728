package cli

import (
	"strings"

	"rein/terminal"
)

// columns prints rows with their columns below each other. At a terminal the last cell is cut to what there is room for;
// where nobody reads along it is whole.
func (c *call) columns(rows [][]string) {
	c.printLines(grid{rows: rows, room: c.room()}.lines())
}

// advice is columns for rows whose last cell must not be cut: it is folded.
func (c *call) advice(rows [][]string) {
	c.printLines(grid{rows: rows, room: c.room(), fold: true}.lines())
}

func (c *call) printLines(lines []string) {
	for _, line := range lines {
		c.out.Print("%s\n", line)
	}
}

// room is how many cells a line may take, or 0 where nobody reads along.
func (c *call) room() int {
	if !c.out.Screen.Text {
		return 0
	}
	return c.out.Screen.Columns() - 1
}

// noted are rows for standard error.
func (c *call) noted(rows [][]string) []string {
	room := 0
	if terminal.Is(c.out.Stderr) {
		room = c.out.Screen.Columns() - 1
	}
	return grid{rows: rows, room: room}.lines()
}

// A grid is rows of texts of others, with their columns below each other.
type grid struct {
	rows [][]string
	room int  // 0: as much as they need
	fold bool // the last cell is folded, and not cut
}

// What a last column needs that is cut, or folded. In a terminal that is too narrow for it the cells of a row follow each
// other.
const (
	leastRoom   = 16
	leastFolded = 24
)

func (g grid) lines() (lines []string) {
	widths, before := g.widths()
	least := leastRoom
	if g.fold {
		least = leastFolded
	}
	narrow := g.room > 0 && before+least > g.room
	for _, row := range g.rows {
		if narrow {
			lines = append(lines, g.narrow(row))
			continue
		}
		line, last := "", row[len(row)-1]
		for i, cell := range row[:len(row)-1] {
			line += pad(safe(cell), widths[i]) + "  "
		}
		lines = append(lines, strings.TrimRight(g.last(line, last, before), " "))
	}
	return lines
}

// widths returns how wide the columns are, but for the last, and where that begins.
func (g grid) widths() (widths []int, before int) {
	for _, row := range g.rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], terminal.Cells(safe(cell)))
		}
	}
	for _, w := range widths {
		before += w + len("  ")
	}
	return widths, before
}

// last puts the last cell behind a line.
func (g grid) last(line, cell string, before int) string {
	switch {
	case g.room == 0:
		return line + safe(cell)
	case g.fold:
		lead := len(line) - len(strings.TrimLeft(line, " "))
		return terminal.Wrap(line+safe(cell), g.room, before-lead)
	}
	return line + terminal.Cut(cell, g.room-before)
}

// narrow lets the cells of a row follow each other, on as many lines as they need. One that fits a line is not folded.
func (g grid) narrow(row []string) string {
	const indent = "  "
	var lines []string
	line := ""
	for i, cell := range row {
		text := strings.TrimRight(safe(cell), " ")
		if i == len(row)-1 && !g.fold {
			text = terminal.Cut(cell, 2*g.room)
		}
		size := terminal.Cells(text)
		switch {
		case text == "":
		case line == "":
			line = text
		case terminal.Cells(line)+len("  ")+size > g.room && len(indent)+size <= g.room:
			lines, line = append(lines, line), indent+text
		default:
			line += "  " + text
		}
	}
	last := terminal.Wrap(line, g.room, len(indent))
	return strings.Join(append(lines, last), "\n")
}

func pad(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-terminal.Cells(text)))
}
