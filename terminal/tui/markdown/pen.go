package markdown

import (
	"strings"

	"rein/terminal/tui/look"
)

// A pen is how a text is drawn: a colour, and whether it is bold or dim.
type pen uint8

const (
	fact pen = iota + 1
	keyword
	literal
	added
	removed

	colours pen = 7
	bold    pen = 8
	dim     pen = 16
)

// pens are what has to be written before and after a text. The theme is asked once for each.
type pens struct {
	theme look.Theme
	made  [2 * dim]*[2]string
}

func newPens(t look.Theme) *pens { return &pens{theme: t} }

func (p *pens) of(k pen) (before, after string) {
	if p.made[k] == nil {
		const probe = "x"
		before, after, _ := strings.Cut(p.paint(probe, k), probe)
		p.made[k] = &[2]string{before, after}
	}
	return p.made[k][0], p.made[k][1]
}

func (p *pens) paint(s string, k pen) string {
	switch k & colours {
	case fact:
		s = p.theme.Fact(s)
	case keyword:
		s = p.theme.Accent(s)
	case literal, added:
		s = p.theme.Good(s)
	case removed:
		s = p.theme.Bad(s)
	}
	if k&dim != 0 {
		s = p.theme.Dim(s)
	}
	if k&bold != 0 {
		s = p.theme.Strong(s)
	}
	return s
}

func (d *drawer) paint(s string, k pen) string {
	before, after := d.pens.of(k)
	return before + s + after
}
