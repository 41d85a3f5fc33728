package main

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A style is how a cell looks. Colours are those of the terminal, 0 to 15; -1 is the usual one.
type style struct {
	colour, ground                                 int
	bold, dim, italic, underlined, reverse, struck bool
}

var plain = style{colour: -1, ground: -1}

// A cell is one place of the screen. A wide character is in the first of its two; the second is empty.
type cell struct {
	text  string
	style style
}

// cells reads a screen as tmux captures it with colours.
func cells(screen string) (rows [][]cell) {
	now := plain
	for line := range strings.SplitSeq(screen, "\n") {
		var row []cell
		for line != "" {
			if codes, rest, ok := sgr(line); ok {
				now, line = now.changed(codes), rest
				continue
			}
			text, width := ansi.FirstGraphemeCluster(line, ansi.GraphemeWidth)
			line = line[len(text):]
			row = append(row, cell{text, now})
			for range width - 1 {
				row = append(row, cell{"", now})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// sgr takes a change of style off the beginning of a line.
func sgr(line string) (codes []string, rest string, ok bool) {
	text, ok := strings.CutPrefix(line, "\x1b[")
	if !ok {
		return nil, line, false
	}
	list, rest, ok := strings.Cut(text, "m")
	return strings.Split(list, ";"), rest, ok
}

// changed is the style after some codes.
func (s style) changed(codes []string) style {
	for _, code := range codes {
		n, err := strconv.Atoi(code)
		switch {
		case err != nil, n == 0:
			s = plain
		case n >= 30 && n <= 37:
			s.colour = n - 30
		case n >= 90 && n <= 97:
			s.colour = n - 90 + 8
		case n == 39:
			s.colour = -1
		case n >= 40 && n <= 47:
			s.ground = n - 40
		case n == 49:
			s.ground = -1
		default:
			s.mark(n)
		}
	}
	return s
}

func (s *style) mark(n int) {
	switch n {
	case 1:
		s.bold = true
	case 2:
		s.dim = true
	case 3:
		s.italic = true
	case 4:
		s.underlined = true
	case 7:
		s.reverse = true
	case 9:
		s.struck = true
	case 22:
		s.bold, s.dim = false, false
	case 27:
		s.reverse = false
	}
}
