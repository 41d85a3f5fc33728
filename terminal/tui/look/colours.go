package look

import (
	"image/color"
	"slices"

	"charm.land/lipgloss/v2"
)

// Colours say which of the terminal's colours a screen is drawn with.
type Colours string

const (
	Auto  Colours = "auto" // as suits the background, if the terminal says which it has
	Light Colours = "light"
	Dark  Colours = "dark"
	None  Colours = "none" // bold, dim and reversed text stay
)

// Every lists the colours that there are.
func Every() []Colours { return []Colours{Auto, Light, Dark, None} }

// Known reports whether there are such colours.
func (c Colours) Known() bool { return slices.Contains(Every(), c) }

// inks are the colours of a theme; nil: that of the text around it.
type inks struct{ good, bad, waits, runs, accent, fact color.Color }

// usual can be read on both backgrounds. On a light one yellow and cyan are hard to read, on a dark one red and blue are.
var (
	usual = inks{lipgloss.Green, lipgloss.Red, lipgloss.Yellow, lipgloss.Blue, lipgloss.Magenta, lipgloss.Cyan}
	light = inks{lipgloss.Green, lipgloss.Red, lipgloss.Magenta, lipgloss.Blue, lipgloss.Magenta, lipgloss.Blue}
	dark  = inks{lipgloss.Green, lipgloss.BrightRed, lipgloss.BrightYellow, lipgloss.BrightBlue, lipgloss.Magenta, lipgloss.Cyan}
)

// Paint has everything that uses the theme, and its copies, painted with other colours from the next frame on. Ground is
// the background of the terminal, for Auto: Light or Dark; else it is not known.
func (t Theme) Paint(c, ground Colours) {
	if t.inks == nil {
		return
	}
	if c == Auto {
		c = ground
	}
	switch c {
	case Light:
		*t.inks = light
	case Dark:
		*t.inks = dark
	case None:
		*t.inks = inks{}
	default:
		*t.inks = usual
	}
}

func (t Theme) ink() inks {
	if t.inks == nil {
		return usual
	}
	return *t.inks
}

func paint(s string, c color.Color) string {
	if c == nil {
		return s
	}
	return styled(s, lipgloss.NewStyle().Foreground(c))
}
