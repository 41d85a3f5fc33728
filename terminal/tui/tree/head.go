package tree

import (
	"strconv"

	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

// head is the row above the tree: how many runs there are and what they took, and which of them are on the screen.
func (v *Tree) head(root *timeline.Timeline, nodes []node, width int) string {
	t := v.theme
	all, unfinished := runs(root)
	between := " " + t.Signs.Note + " "
	row := " " + t.Label("TREE") + "  " + units.Count(int64(all), "run")
	if n := waiting(root, ""); n > 0 {
		row += between + t.Waits(units.Number(int64(n))+" "+wait(n)+" for you")
	}
	if unfinished > 0 && unfinished < all {
		row += between + units.Number(int64(unfinished)) + " unfinished"
	}
	if all == 1 {
		row += between + t.Dim("it has started no others")
	}
	part := v.part(root, nodes)
	if look.Cells(row)+look.Cells(part) >= width {
		part = ""
	}
	return t.Spread(row, part, width)
}

// part says which part of the tree is on the screen or, if that is all of it, what it took.
func (v *Tree) part(root *timeline.Timeline, nodes []node) string {
	if len(nodes) > v.page {
		first := shown(nodes, v.top)
		last := min(first+v.page, len(nodes))
		return v.theme.Dim(strconv.Itoa(first+1) + " to " + strconv.Itoa(last) + " of " + strconv.Itoa(len(nodes)) + " ")
	}
	used := root.TreeUsage()
	switch tokens := used.Input + used.Output; {
	case used.Micros > 0:
		return v.theme.Dim(look.Count(tokens) + " tok " + v.theme.Signs.Note + " " + v.theme.Money(used.Micros) + " ")
	case tokens > 0:
		return v.theme.Dim(look.Count(tokens) + " tok ")
	}
	return ""
}
