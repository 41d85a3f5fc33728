package markdown

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extension "github.com/yuin/goldmark/extension/ast"

	"rein/terminal/tui/look"
)

func (d *drawer) list(n *ast.List, p place) []string {
	all, number := pile{}, n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		all.blank = all.blank || blankBefore(d.src, position(item))
		all.add(d.item(item, number, p), false)
		p.marked = false
		number++
	}
	return all.rows
}

// item draws an item of a list with its rows below each other. Where that would leave too little room, lists inside
// are not moved to the right any more.
func (d *drawer) item(n ast.Node, number int, p place) []string {
	marker := d.marker(n, number)
	if p.width < narrow+len(marker) {
		return d.flat(n, marker, p)
	}
	inner := place{width: p.width - look.Cells(marker), marked: true, quoted: p.quoted}
	return indented(d.blocks(n, inner), marker)
}

// flat draws an item without room for a second one below it.
func (d *drawer) flat(n ast.Node, marker string, p place) []string {
	cells := look.Cells(marker)
	if p.width < 2*cells {
		return d.blocks(n, p)
	}
	all, inner := pile{}, place{width: p.width - cells, marked: true, quoted: p.quoted}
	for _, c := range children(n) {
		all.blank = all.blank || blankBefore(d.src, position(c))
		if list, ok := c.(*ast.List); ok {
			all.add(d.list(list, p), false)
		} else {
			all.add(indented(d.block(c, inner), marker), isHeading(c))
		}
		if all.begun {
			marker, inner.marked = strings.Repeat(" ", cells), false
		}
	}
	if !all.begun {
		return indented(nil, marker)
	}
	return all.rows
}

// indented puts a marker before the first row, and as many spaces before the others.
func indented(rows []string, marker string) []string {
	if len(rows) == 0 {
		return []string{strings.TrimRight(marker, " ")}
	}
	spaces := strings.Repeat(" ", look.Cells(marker))
	for i, row := range rows {
		switch {
		case i == 0:
			rows[i] = marker + row
		case row != "":
			rows[i] = spaces + row
		}
	}
	return rows
}

// marker is what stands before an item: its number, the box of a task, or a bullet.
func (d *drawer) marker(item ast.Node, number int) string {
	if task := taskOf(item); task != nil {
		if task.IsChecked {
			return "[x] "
		}
		return "[ ] "
	}
	if list, ok := item.Parent().(*ast.List); ok && list.IsOrdered() {
		return strconv.Itoa(number) + string(list.Marker) + " "
	}
	if d.theme.Signs == look.Plain {
		return "- "
	}
	return "• "
}

func taskOf(item ast.Node) *extension.TaskCheckBox {
	if first := item.FirstChild(); first != nil {
		if task, ok := first.FirstChild().(*extension.TaskCheckBox); ok {
			return task
		}
	}
	return nil
}
