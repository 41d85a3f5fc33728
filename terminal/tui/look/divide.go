package look

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Divide draws a line across a Box: what is above it is another's, what is below is not. No text inside the box can
// draw one, because it begins in the frame.
func (t Theme) Divide(label string, width int, paint func(string) string) string {
	s := t.Signs
	if label != "" {
		label = " " + t.Cut(label, width-6) + " "
	}
	return paint(s.Branch) + label + paint(repeat(s.Flat, width-2-Cells(label))+s.Joins)
}

// Break breaks a text into rows that fit and leaves nothing out, no space either: what somebody approves must be there.
// A row ends behind a space where it can. One that has none at its end is full.
func Break(s string, cells int) (rows []string) {
	for line := range strings.SplitSeq(s, "\n") {
		for {
			n := fitting(line, max(cells, 2))
			rows = append(rows, line[:n])
			if line = line[n:]; line == "" {
				break
			}
		}
	}
	return rows
}

// fitting is how many bytes of a line go on a row.
func fitting(line string, cells int) int {
	column, space := 0, 0
	for i := 0; i < len(line); {
		size, wide := 1, 1
		if line[i] >= 0x80 || i+1 < len(line) && line[i+1] >= 0x80 {
			var cluster string
			cluster, wide = ansi.FirstGraphemeCluster(line[i:], ansi.GraphemeWidth)
			size = len(cluster)
		}
		if column+wide > cells {
			if space > 0 && 2*(column-Cells(line[space:i])) >= cells {
				return space
			}
			return i
		}
		i, column = i+size, column+wide
		if line[i-1] == ' ' {
			space = i
		}
	}
	return len(line)
}
