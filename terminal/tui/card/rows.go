package card

import (
	"strconv"
	"time"

	"rein"
	"rein/internal/units"
	"rein/terminal"
)

// A form is how much is said around what is asked. A small box says less.
type form struct {
	clipped bool // what is asked does not fit
	short   bool // the keys in a word each; patterns and choices are with what is asked
	bare    bool // without who asks, in which mode and until when
	within  bool // what the call can do is with what is asked, too
	least   int  // how many rows of what is asked there must be
}

// The forms in the order in which they are tried, for what is approved and for what has choices. Choices are worth more
// than who asks.
var (
	approving = []form{
		{},
		{short: true},
		{clipped: true, least: 4},
		{clipped: true, short: true, least: 3},
		{clipped: true, short: true, bare: true, least: 2},
		{clipped: true, short: true, bare: true, within: true, least: 1},
	}
	choosing = []form{
		{},
		{bare: true},
		{clipped: true, least: 4},
		{clipped: true, bare: true, least: 2},
		{clipped: true, bare: true, within: true, least: 2},
		{clipped: true, short: true, bare: true, within: true, least: 1},
	}
)

const (
	leastWidth  = 24
	leastHeight = 6
)

// A row of the box. A rule is a line across, with a label: only rein draws one.
type row struct {
	text string
	rule bool
}

// Rows draws the card in at most so many rows. What is drawn is what counts as shown.
func (c *Card) Rows(width, height int, now time.Time) []string {
	inner, room := width-4, height-3
	if width < leastWidth || height < leastHeight {
		return c.tooSmall(width, height)
	}
	if c.doing == editing {
		return c.editor(width, room, now)
	}
	forms := choosing
	if c.decides() {
		forms = approving
	}
	for _, f := range forms {
		above, below := c.above(inner, f), c.below(inner, f, now)
		left, least := room-len(below), f.least
		if c.reading && !f.short {
			least = 2 * f.least // what is read is worth more than long words
		}
		if len(above) <= left || f.clipped && left >= least {
			if f.clipped || !c.reading {
				return c.draw(above, below, left, width)
			}
		}
	}
	return c.tooSmall(width, height)
}

// draw frames as much of what is asked as there is room for, and everything below it.
func (c *Card) draw(above, below []row, left, width int) []string {
	c.cramped = false
	c.total, c.window = len(above), min(len(above), left)
	c.top = max(0, min(c.top, c.total-c.window))
	from := 0
	if c.reading {
		from = c.top
	}
	c.read(above, from)
	rows := append([]row{}, above[from:from+c.window]...)
	if len(rows) > 0 {
		rows = append(rows, row{c.where(from), true})
	}
	return c.frame(append(rows, below...), width)
}

// where says which part of what is asked is in the box; empty: all of it.
func (c *Card) where(from int) string {
	hidden := c.total - from - c.window
	switch {
	case c.reading:
		return "rows " + strconv.Itoa(from+1) + "-" + strconv.Itoa(from+c.window) + " of " + units.Number(int64(c.total))
	case hidden == 0:
		return ""
	case c.isQuestion():
		return c.theme.Signs.More + " " + units.Count(int64(hidden), "more line") + " (PgDn)"
	}
	return c.theme.Signs.More + " " + units.Count(int64(hidden), "more line") + " (v)"
}

// frame draws the box.
func (c *Card) frame(rows []row, width int) []string {
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.text
	}
	framed := c.theme.Box(c.title(), c.state(), texts, width, c.theme.Waits)
	for i, r := range rows {
		if r.rule {
			framed[i+1] = c.theme.Divide(r.text, width, c.theme.Waits)
		}
	}
	return framed
}

func (c *Card) state() string {
	if c.sent {
		return "sending"
	}
	return c.theme.Waits("waits for you")
}

// title says in the upper edge what will happen.
func (c *Card) title() string {
	subject := c.subject
	switch {
	case c.ask.Kind == rein.AskQuestion:
		return "question"
	case subject == "":
		return terminal.Wants(c.ask)
	case c.ask.Kind == rein.AskUnknown:
		subject = "Did it happen? " + subject
	}
	return c.theme.Strong(unframed(c.theme, subject))
}

// tooSmall is a box that cannot show what is asked, so that nothing can be approved in it.
func (c *Card) tooSmall(width, height int) []string {
	c.cramped = true
	text := c.theme.Waits(c.theme.Signs.Dot+" waits for you") + ": " + c.title()
	rows := []string{c.theme.Cut(text, width), c.theme.Cut("make the window larger to answer", width)}
	return rows[:max(0, min(height, len(rows)))]
}

// editor draws the arguments that are being edited.
func (c *Card) editor(width, room int, now time.Time) []string {
	inner := width - 4
	f := form{}
	if room < 12 {
		f.short = true
	}
	below := c.below(inner, f, now)
	if most := max(2, room-3); len(below) > most {
		below = below[:most]
	}
	var rows []row
	for _, text := range c.args.rows(c.theme, inner, max(1, room-len(below))) {
		rows = append(rows, row{text: text})
	}
	rows = append(rows, row{"the arguments", true})
	return c.frame(append(rows, below...), width)
}
