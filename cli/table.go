package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// columns prints rows with their columns below each other.
func (c *call) columns(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(safe(cell)))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			if last := len(row) - 1; i == last {
				line += c.fitting(cell, utf8.RuneCountInString(line))
				break
			}
			line += fmt.Sprintf("%-*s  ", widths[i], safe(cell))
		}
		c.print("%s\n", strings.TrimRight(line, " "))
	}
}

// leastRoom is what a last column gets in a terminal that is too narrow for the columns before it.
const leastRoom = 16

// fitting cuts the last cell of a row to what the terminal has room for. Where nobody reads along it is
// whole.
func (c *call) fitting(cell string, column int) string {
	width := c.out.Screen.Columns()
	if width == 0 || !c.out.Screen.Text {
		return safe(cell)
	}
	return short(cell, max(leastRoom, width-column-1))
}
