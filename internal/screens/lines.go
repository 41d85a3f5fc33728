package main

import (
	"fmt"
	"slices"
	"strings"
)

// strokes are the characters that are drawn as lines, so that they meet: which sides of the cell each one reaches, as
// left, right, up and down.
var strokes = map[string][4]bool{
	"─": {true, true, false, false}, "│": {false, false, true, true},
	"┌": {false, true, false, true}, "┐": {true, false, false, true}, "└": {false, true, true, false}, "┘": {true, false, true, false},
	"├": {false, true, true, true}, "┤": {true, false, true, true}, "┬": {true, true, false, true}, "┴": {true, true, true, false}, "┼": {true, true, true, true},
}

// lines draws the lines of a frame, one path for each look.
func (f frame) lines(b *strings.Builder) {
	paths := map[string]*strings.Builder{}
	for y, row := range f.rows {
		for x, c := range row {
			sides, ok := strokes[c.text]
			if !ok {
				continue
			}
			class := (&piece{style: c.style}).class()
			if paths[class] == nil {
				paths[class] = &strings.Builder{}
			}
			trace(paths[class], sides, (float64(x)+.5)*cellWidth, (float64(y)+.5)*cellHeight)
		}
	}
	classes := make([]string, 0, len(paths))
	for class := range paths {
		classes = append(classes, class)
	}
	slices.Sort(classes)
	for _, class := range classes {
		fmt.Fprintf(b, `<path%s d="%s"/>`, class, paths[class])
	}
}

// trace draws the lines of one cell around its middle.
func trace(b *strings.Builder, sides [4]bool, x, y float64) {
	left, right, up, down := x, x, y, y
	if sides[0] {
		left -= cellWidth / 2
	}
	if sides[1] {
		right += cellWidth / 2
	}
	if sides[2] {
		up -= cellHeight / 2
	}
	if sides[3] {
		down += cellHeight / 2
	}
	if left < right {
		fmt.Fprintf(b, "M%.1f %.1fH%.1f", left, y, right)
	}
	if up < down {
		fmt.Fprintf(b, "M%.1f %.1fV%.1f", x, up, down)
	}
}
