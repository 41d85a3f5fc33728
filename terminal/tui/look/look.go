// Package look is how all parts of the full-screen terminal look: colours out of the terminal's own sixteen, signs, and
// text that is cut and folded to cells. It knows nothing of runs.
package look

import (
	"image/color"

	"charm.land/lipgloss/v2"
)

// A Theme says what the screen can show. The zero value is a terminal with ASCII only; what it paints is taken off the
// text again by the program where there are no colours (NO_COLOR).
type Theme struct {
	Signs Signs
	Dark  bool // the background is dark
}

// Signs are the marks that do without colour. Each is one cell wide.
type Signs struct {
	Person, Gutter, Fold, Open, Shut, Dot, Ring, OK, Fail, Unsure, Note, More                             string
	Done, Doing, Todo                                                                                     string
	TopLeft, TopRight, BottomLeft, BottomRight, Flat, Upright, Joins, Branch, LastBranch, Descends, Thumb string
}

// Two sets of signs: for terminals that show Unicode, and for those that do not.
var (
	Nice = Signs{
		Person: "›", Gutter: "│", Fold: "┊", Open: "▾", Shut: "▸", Dot: "●", Ring: "○", OK: "✓", Fail: "✗", Unsure: "?", Note: "·", More: "…",
		Done: "☑", Doing: "◐", Todo: "☐",
		TopLeft: "┌", TopRight: "┐", BottomLeft: "└", BottomRight: "┘", Flat: "─", Upright: "│", Joins: "┤", Branch: "├", LastBranch: "└", Descends: "│", Thumb: "┃",
	}
	Plain = Signs{
		Person: ">", Gutter: "|", Fold: ":", Open: "v", Shut: "+", Dot: "*", Ring: "o", OK: "v", Fail: "x", Unsure: "?", Note: "-", More: "~",
		Done: "x", Doing: "~", Todo: "_",
		TopLeft: "+", TopRight: "+", BottomLeft: "+", BottomRight: "+", Flat: "-", Upright: "|", Joins: "|", Branch: "|", LastBranch: "`", Descends: "|", Thumb: "#",
	}
)

// New returns the theme of a terminal.
func New(unicode, dark bool) Theme {
	if unicode {
		return Theme{Signs: Nice, Dark: dark}
	}
	return Theme{Signs: Plain, Dark: dark}
}

// Good is for what went well.
func (Theme) Good(s string) string { return paint(s, lipgloss.Green) }

// Bad is for what failed, and for danger.
func (Theme) Bad(s string) string { return paint(s, lipgloss.Red) }

// Waits is for what waits for a person.
func (Theme) Waits(s string) string { return paint(s, lipgloss.Yellow) }

// Runs is for what is at work.
func (Theme) Runs(s string) string { return paint(s, lipgloss.Blue) }

// Accent is for what can be acted on.
func (Theme) Accent(s string) string { return paint(s, lipgloss.Magenta) }

// Fact is for code and other facts in a text.
func (Theme) Fact(s string) string { return paint(s, lipgloss.Cyan) }

// Dim is for what is there if somebody looks for it.
func (Theme) Dim(s string) string { return styled(s, lipgloss.NewStyle().Faint(true)) }

// Strong is for what somebody should read first.
func (Theme) Strong(s string) string { return styled(s, lipgloss.NewStyle().Bold(true)) }

// Chosen is for the row under the cursor of a list, and for what a search found.
func (Theme) Chosen(s string) string { return styled(s, lipgloss.NewStyle().Reverse(true)) }

// Label is for rein's own words before something: "PLAN", "MODE".
func (t Theme) Label(s string) string {
	return styled(s, lipgloss.NewStyle().Bold(true).Faint(true))
}

func paint(s string, c color.Color) string { return styled(s, lipgloss.NewStyle().Foreground(c)) }

func styled(s string, style lipgloss.Style) string {
	if s == "" {
		return ""
	}
	return style.Inline(true).Render(s)
}
