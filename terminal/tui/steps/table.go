package steps

import (
	"strconv"
	"strings"
	"time"

	"rein/api"
	"rein/internal/units"
	"rein/terminal/tui/look"
)

// sizes are how wide what stands in the columns is.
type sizes struct {
	key, kind, state int
	tokens, cost     bool
}

func (s *sizes) fit(t look.Theme, step api.Step) {
	const widest = 10
	s.key = min(max(s.key, look.Cells(keyOf(step)), len("step")), widest)
	s.kind = max(s.kind, look.Cells(kindOf(step)), len("kind"))
	s.state = max(s.state, look.Cells(stateOf(t, step).tried(len(step.Attempts))), len("state"))
	if step.Usage != nil {
		s.tokens = true
		s.cost = s.cost || step.Usage.Micros > 0
	}
}

// columns are the cells of each column; 0: it is left out.
type columns struct {
	look.Theme
	width, key, kind, state, what, took, tokens, cost int
}

// What is left for the words of a step decides which columns there are.
const (
	leastWhat = 16
	tookCells = 10
	sumCells  = 6
	costCells = 7
)

// columns leaves out what says least until the words of a step have room: what it cost, its kind, and the word of its
// state, whose sign stays.
func (s sizes) columns(t look.Theme, width int) columns {
	c := columns{Theme: t, width: width, key: s.key, kind: s.kind, state: s.state, took: tookCells}
	if s.tokens {
		c.tokens = sumCells
	}
	if s.cost {
		c.cost = costCells + look.Cells(t.Currency.Of(""))
	}
	for _, column := range []*int{nil, &c.cost, &c.tokens, &c.kind, &c.state, &c.took, &c.key} {
		if column != nil {
			*column = 0
		}
		if c.what = c.room(); c.what >= leastWhat {
			break
		}
	}
	c.what = max(c.what, 1)
	return c
}

// room is what the other columns leave.
func (c columns) room() int {
	room := c.width - 1 - 2 - 1 // the mark, the sign, and the edge
	for _, column := range []int{c.key, c.kind, c.state, c.took, c.tokens, c.cost} {
		if column > 0 {
			room -= column + 1
		}
	}
	return room
}

// line sets cells beside each other.
func (c columns) line(mark, key, kind, sign, state, what, took, tokens, cost string) string {
	row := mark
	left := func(text string, cells int) {
		if cells > 0 {
			row += look.Pad(c.Cut(text, cells), cells) + " "
		}
	}
	right := func(text string, cells int) {
		if cells > 0 {
			row += " " + look.Left(c.Cut(text, cells), cells)
		}
	}
	left(key, c.key)
	left(kind, c.kind)
	left(sign, 1)
	left(state, c.state)
	row += look.Pad(c.Cut(what, c.what), c.what)
	right(took, c.took)
	right(tokens, c.tokens)
	right(cost, c.cost)
	return c.Cut(strings.TrimRight(row, " "), c.width)
}

func (c columns) names() string {
	return c.Dim(look.Plainly(c.line(" ", "step", "kind", "", "state", "what", "took", "tokens", "cost")))
}

// row is a step. What others wrote is in one column of it.
func (c columns) row(s api.Step, what string, chosen bool, now time.Time) string {
	const deepest = 4
	state := stateOf(c.Theme, s)
	words := strings.Repeat("  ", min(depthOf(s), deepest))
	if w := waited(s, now); w >= time.Second {
		words += c.Waits("waited "+look.Span(w)) + " " + c.Signs.Note + " "
	}
	mark, key := " ", keyOf(s)
	if len(key) > c.key && c.key > 1 { // the end of it tells it from its neighbours
		key = c.Signs.More + key[len(key)-c.key+1:]
	}
	tokens, cost := c.spent(s)
	text := words + what
	if chosen {
		mark, text = c.Accent(c.Signs.Person), words+c.Chosen(what)
	}
	return c.line(mark, key, c.Dim(kindOf(s)), state.paint(state.sign), state.paint(state.tried(len(s.Attempts))), text, c.Dim(took(s, now)), c.Dim(tokens), c.Dim(cost))
}

func (c columns) spent(s api.Step) (tokens, cost string) {
	if s.Usage == nil {
		return "", ""
	}
	if n := s.Usage.Input + s.Usage.Output; n > 0 {
		tokens = look.Count(n)
	}
	if s.Usage.Micros > 0 {
		cost = c.Money(s.Usage.Micros)
	}
	return tokens, cost
}

// head is the row above the table.
func (l *List) head(width int) string {
	t := l.theme
	row := " " + t.Label("STEPS") + "  " + units.Count(int64(len(l.rows)), "step")
	if hidden := len(l.all) - len(l.rows); hidden > 0 {
		row += t.Dim(" " + t.Signs.Note + " " + units.Number(int64(hidden)) + " of its own not shown")
	}
	part := ""
	if len(l.rows) > l.page || l.next != "" {
		part = strconv.Itoa(l.top+1) + " to " + strconv.Itoa(min(l.top+l.page, len(l.rows))) + " of "
		if l.next != "" {
			part += "more than "
		}
		part += strconv.Itoa(len(l.rows))
	}
	if look.Cells(row)+look.Cells(part) >= width {
		return t.Cut(row, width)
	}
	return t.Spread(row, t.Dim(part+" "), width)
}
