package steps

import (
	"strconv"

	"rein"
	"rein/api"
	"rein/terminal/tui/look"
)

// A Detail is one step in full.
type Detail struct {
	theme look.Theme
	run   rein.RunID
	step  api.Step
	what  *content // nil: the step has not come yet
	part  int      // the part that is copied
	top   int      // the first row on the screen
	hint  string

	rows  []row // the content, folded for width
	width int
	page  int // how many rows fit on the screen

	find search
}

// A row is a line or a piece of one, as wide as the screen.
type row struct {
	line int  // which line it is of
	rest bool // it is not the beginning of the line
	text string
}

// NewDetail returns the view of a step that has not come yet.
func NewDetail(t look.Theme) *Detail { return &Detail{theme: t, page: 20} }

// Set takes in a step of a run. More of the step that is shown leaves what is on the screen where it is.
func (d *Detail) Set(run rein.RunID, step api.StepDetail) {
	if run != d.run || step.Step.Key != d.step.Key || d.what == nil {
		d.part, d.top, d.find = 0, 0, search{}
	}
	d.run, d.step, d.what = run, step.Step, contentOf(d.theme, step)
	d.part = min(d.part, len(d.what.parts)-1)
	d.width = 0 // it is folded again
}

// Rows draws what is on the screen. There are as many rows as the height, so that the keys are on the last one.
func (d *Detail) Rows(width, height int) []string {
	if width < 1 || height < 1 {
		return nil
	}
	body := height - count(height >= minHead) - count(height >= minFoot)
	d.page = body
	rows := make([]string, 0, height)
	if height >= minHead {
		rows = append(rows, d.head(width))
	}
	if d.what == nil {
		rows = append(rows, d.theme.Dim(d.theme.Cut(" Reading the step"+d.theme.Signs.More, width)))
	} else {
		d.fold(width)
		for i := d.top; i < min(len(d.rows), d.top+body); i++ {
			rows = append(rows, d.draw(i))
		}
	}
	if height < minFoot {
		return rows[:min(len(rows), height)]
	}
	for len(rows) < height-1 {
		rows = append(rows, "")
	}
	return append(rows, d.foot(width))
}

// fold breaks the lines into rows, if the width is another one. What was on the screen stays on it.
func (d *Detail) fold(width int) {
	if width != d.width {
		line := 0
		if d.top < len(d.rows) {
			line = d.rows[d.top].line
		}
		d.rows, d.width, d.top = d.rows[:0], width, 0
		for i, l := range d.what.lines {
			if i == line {
				d.top = len(d.rows)
			}
			d.rows = d.pieces(d.rows, i, l.text, max(1, width-2-count(width > 3)))
		}
		d.find.among(d)
		d.show()
	}
	d.top = min(max(d.top, 0), max(0, len(d.rows)-d.page))
}

// pieces adds the rows of a line. Those after the first of rein's own are further in, so that a value which is broken
// there cannot look like the next fact.
func (d *Detail) pieces(rows []row, i int, text string, room int) []row {
	if len(text) <= room || look.Cells(text) <= room { // no character is wider than its bytes are many
		return append(rows, row{i, false, text})
	}
	if v := d.what.lines[i].voice; v == fact || v == label {
		room = max(1, room-len(further))
	}
	for n, piece := range look.Fold(text, room) {
		if len(piece) > room {
			piece = d.theme.Cut(piece, room)
		}
		rows = append(rows, row{i, n > 0, piece})
	}
	return rows
}

const further = "  "

// draw sets a row behind the mark that says whose words it is.
func (d *Detail) draw(i int) string {
	t, r := d.theme, d.rows[i]
	l := d.what.lines[r.line]
	text := d.find.marked(t, i, r.text)
	lead := "  "
	switch l.voice {
	case label:
		if l.part == d.part {
			lead = t.Accent(t.Signs.Person) + " "
		}
		text = t.Label(text)
	case fact:
		lead = "   "
	case model:
		lead = " " + t.Dim(t.Signs.Gutter) + " "
	case other:
		lead = " " + t.Dim(t.Signs.Fold) + " "
	}
	if r.rest && (l.voice == fact || l.voice == label) {
		lead += further
	}
	return t.Cut(lead+text, d.width)
}

func (d *Detail) head(width int) string {
	t := d.theme
	row := " " + t.Label("STEP")
	if d.what != nil {
		s := stateOf(t, d.step)
		row += " " + look.SafeLine(string(d.step.Key)) + "  " + kindOf(d.step) + "  " + s.paint(s.sign+" "+s.word)
	}
	place := ""
	if len(d.rows) > d.page && d.what != nil {
		place = strconv.Itoa(min(100, 100*(d.top+d.page)/len(d.rows))) + " % "
	}
	return t.Spread(row, t.Dim(place), width)
}
