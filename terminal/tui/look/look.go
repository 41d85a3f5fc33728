// Package look is how all parts of the full-screen terminal look: colours out of the terminal's own sixteen, signs, and
// text that is cut and folded to cells. It knows nothing of runs.
package look

import (
	"charm.land/lipgloss/v2"

	"rein/internal/units"
)

// A Theme says what the screen can show. The zero value is a terminal with ASCII only; what it paints is taken off the
// text again by the program where there are no colours (NO_COLOR).
type Theme struct {
	Signs Signs
	// Currency is that of amounts of money.
	Currency units.Currency
	inks     *inks // shared by all copies; nil: the usual ones
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

// New returns the theme of a terminal, in the usual colours.
func New(unicode bool) Theme {
	own := usual
	if unicode {
		return Theme{Signs: Nice, inks: &own}
	}
	return Theme{Signs: Plain, inks: &own}
}

// Good is for what went well.
func (t Theme) Good(s string) string { return paint(s, t.ink().good) }

// Bad is for what failed, and for danger.
func (t Theme) Bad(s string) string { return paint(s, t.ink().bad) }

// Waits is for what waits for a person.
func (t Theme) Waits(s string) string { return paint(s, t.ink().waits) }

// Runs is for what is at work.
func (t Theme) Runs(s string) string { return paint(s, t.ink().runs) }

// Accent is for what can be acted on.
func (t Theme) Accent(s string) string { return paint(s, t.ink().accent) }

// Fact is for code and other facts in a text.
func (t Theme) Fact(s string) string { return paint(s, t.ink().fact) }

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

func styled(s string, style lipgloss.Style) string {
	if s == "" {
		return ""
	}
	return style.Inline(true).Render(s)
}
