package tree

import (
	"strings"
	"time"

	"rein/terminal/tui/look"
)

// A pen draws runs as rows of one width.
type pen struct {
	look.Theme
	width int
	tall  int // rows of each run
	now   time.Time
}

const (
	indent = 2  // cells that each depth is further in
	narrow = 60 // cells below which it is one
)

// node draws a run. The question is outside text and ends its row; the second row begins with rein's own words.
func (p pen) node(all []node, i int, chosen bool) []string {
	n, s := all[i], p.stateOf(all[i])
	lead := p.lines(all, i) + p.caret(n) + " "
	text := title(n.Timeline)
	mark := " "
	if chosen {
		mark = p.Accent(p.Signs.Person)
	}
	first := mark + p.Dim(lead) + s.paint(s.sign) + " "
	if p.tall == 1 {
		return []string{p.Cut(first+p.alone(n, s, text, chosen, p.width-look.Cells(first)), p.width)}
	}
	second := mark + p.Dim(p.under(all, i)) + "   "
	return []string{
		p.Cut(first+p.title(n, text, chosen, p.width-look.Cells(first)), p.width),
		p.Cut(second+p.about(n, s, p.width-look.Cells(second)), p.width),
	}
}

func (p pen) title(n node, text string, chosen bool, room int) string {
	text = p.Cut(text, room)
	switch {
	case chosen:
		return p.Chosen(look.Plainly(text))
	case !n.Ended.IsZero():
		return p.Dim(look.Plainly(text))
	}
	return text
}

// about is what is said below the question: the state, facts as far as they fit, and what was said about the state.
func (p pen) about(n node, s state, room int) string {
	facts := p.facts(n)
	wants := min(look.Cells(s.said), 24)
	if s.said != "" {
		wants += 5
	}
	for len(facts) > 0 && look.Cells(s.word)+look.Cells(p.listed(facts))+wants > room {
		facts = facts[:len(facts)-1]
	}
	row := s.paint(s.word) + p.Dim(p.listed(facts))
	if s.said == "" {
		return row
	}
	return row + "   " + p.said(s, room-look.Cells(row)-3)
}

func (p pen) listed(facts []string) string {
	if len(facts) == 0 {
		return ""
	}
	between := " " + p.Signs.Note + " "
	return between + strings.Join(facts, between)
}

// alone is all of it in one row: what others said at the left, and the state and facts in a column of their own, into
// which no text of others reaches.
func (p pen) alone(n node, s state, text string, chosen bool, room int) string {
	column := min(64, p.width*2/5)
	if column < 2*len("waiting for you") {
		return p.title(n, text, chosen, room)
	}
	facts := p.facts(n)
	for len(facts) > 0 && look.Cells(s.word)+look.Cells(p.listed(facts)) > column {
		facts = facts[:len(facts)-1]
	}
	right := s.paint(p.Cut(s.word, column)) + p.Dim(p.listed(facts))
	room -= column + 2
	row := p.title(n, text, chosen, room)
	if left := room - look.Cells(row) - 3; s.said != "" && left > 8 {
		row += "   " + p.said(s, left)
	}
	return look.Pad(row, room) + "  " + right
}

// said is what others said about a state, behind the mark that says who.
func (p pen) said(s state, room int) string {
	said := s.said
	if s.mark != "" {
		said = s.mark + " " + said
	}
	if s.calls {
		return s.paint(p.Cut(said, room))
	}
	return p.Dim(p.Cut(said, room))
}

// caret says whether there is something below a run, and whether it is shown.
func (p pen) caret(n node) string {
	switch {
	case n.folded:
		return p.Signs.Shut
	case len(n.Children) > 0:
		return p.Signs.Open
	case n.depth > 0:
		return p.Signs.Flat
	}
	return " "
}

// lines are the branches that lead to a run.
func (p pen) lines(all []node, i int) string {
	n := all[i]
	if n.depth == 0 {
		return ""
	}
	branch := p.Signs.Branch
	if n.last {
		branch = p.Signs.LastBranch
	}
	return p.bounded(p.before(all, n.above) + branch + strings.Repeat(p.Signs.Flat, p.indent()-1))
}

// under are the branches beside the second row of a run.
func (p pen) under(all []node, i int) string {
	down := " "
	if n := all[i]; len(n.Children) > 0 && !n.folded {
		down = p.Signs.Descends
	}
	return p.bounded(p.before(all, i)) + down
}

// before are the branches that pass a run on their way to later ones.
func (p pen) before(all []node, i int) string {
	n := all[i]
	if n.depth == 0 {
		return ""
	}
	down := p.Signs.Descends
	if n.last {
		down = " "
	}
	return p.before(all, n.above) + down + strings.Repeat(" ", p.indent()-1)
}

func (p pen) indent() int {
	if p.width < narrow {
		return 1
	}
	return indent
}

// bounded leaves two thirds of the row to the run: of a very deep one, the branches nearest to it are shown.
func (p pen) bounded(lines string) string {
	most := p.width / 3
	runes := []rune(lines) // each is one cell
	if len(runes) <= most || most < 2 {
		return string(runes[:min(len(runes), max(most, 0))])
	}
	return p.Signs.More + string(runes[len(runes)-most+1:])
}
