// Package steps draws the steps of a run as a table, and one step in full. It asks nobody for them: what has to happen is
// an Act.
package steps

import (
	"slices"
	"time"

	"rein"
	"rein/api"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

// A List is the steps of one run, as far as they were read.
type List struct {
	theme  look.Theme
	all    []api.Step
	what   []string // what each of them does
	next   rein.StepKey
	known  bool // a page came
	own    bool // what rein does for itself is shown too
	chosen rein.StepKey
	top    int          // the first row of the table that is on the screen
	asked  rein.StepKey // after which step more was asked for last
	hint   string       // why the last key did nothing

	rows  []int // which steps are shown
	sizes sizes
	page  int   // how many fit on the screen
	drawn []int // which row of the table each row of the last drawing is; -1: none
}

// NewList returns the list of a run whose steps have not come yet.
func NewList(t look.Theme) *List { return &List{theme: t, page: 20} }

// Set takes in a page: steps that are known are replaced, new ones come after them. The timeline of the run, if it is
// known, says what calls and children are about. More says that the next page is wanted; it comes after Next.
func (l *List) Set(page api.Steps, of *timeline.Timeline) (more bool) {
	at := make(map[rein.StepKey]int, len(l.all))
	for i, s := range l.all {
		at[s.Key] = i
	}
	arguments := argumentsOf(of)
	for _, s := range page.Steps {
		i, known := at[s.Key]
		if !known {
			i = len(l.all)
			at[s.Key] = i
			l.all, l.what = append(l.all, s), append(l.what, "")
		}
		l.all[i], l.what[i] = s, whatOf(s, of, arguments)
	}
	l.next, l.known = page.Next, true
	l.arrange()
	return l.wantsMore()
}

// After is the step after which a page has to begin so that everything is in it that may have changed.
func (l *List) After() rein.StepKey {
	open := slices.IndexFunc(l.all, func(s api.Step) bool {
		return s.Ended.IsZero() && (s.State == api.StepRunning || s.State == api.StepWaiting)
	})
	if open < 0 {
		open = len(l.all)
	}
	if open == 0 {
		return ""
	}
	return l.all[open-1].Key
}

// Next is the step after which the next page begins; empty: there is none.
func (l *List) Next() rein.StepKey { return l.next }

// arrange finds out which steps are shown, and how wide the columns are.
func (l *List) arrange() {
	l.rows, l.sizes = l.rows[:0], sizes{}
	for i, s := range l.all {
		if l.own || !isOwn(s) {
			l.rows = append(l.rows, i)
			l.sizes.fit(l.theme, s)
		}
	}
}

// at is the row of the chosen step or, if that is not shown, of the last one before it.
func (l *List) at() int {
	row := 0
	for i, step := range l.rows {
		if l.all[step].Key == l.chosen {
			return i
		}
	}
	chosen := slices.IndexFunc(l.all, func(s api.Step) bool { return s.Key == l.chosen })
	for i, step := range l.rows {
		if step <= chosen {
			row = i
		}
	}
	return row
}

// wantsMore reports, once, that the end of what was read is near and there is more.
func (l *List) wantsMore() bool {
	if l.next == "" || l.next == l.asked || l.at()+2*l.page < len(l.rows) {
		return false
	}
	l.asked = l.next
	return true
}

const (
	minHead  = 6  // rows from which on there is a row above the table
	minNames = 10 // and one with the names of its columns
	minFact  = 9  // from which on one row below it is about the chosen step
	minFacts = 16 // and two
	minFoot  = 3  // from which on the keys are named
)

// Rows draws the table. There are as many rows as the height, so that the keys are on the last one.
func (l *List) Rows(width, height int, now time.Time) []string {
	if width < 1 || height < 1 {
		return nil
	}
	l.drawn = l.drawn[:0]
	if len(l.rows) == 0 {
		return l.empty(width, height)
	}
	facts := l.facts(width, height, now)
	head, names, foot := height >= minHead, height >= minNames, height >= minFoot
	l.page = max(1, height-len(facts)-count(head)-count(names)-count(foot))
	chosen := l.at()
	l.top = min(max(l.top, chosen-l.page+1), chosen, max(0, len(l.rows)-l.page))
	l.chosen = l.all[l.rows[chosen]].Key
	c := l.sizes.columns(l.theme, width)
	var rows []string
	if head {
		rows = append(rows, l.head(width))
	}
	if names {
		rows = append(rows, c.names())
	}
	for range rows {
		l.drawn = append(l.drawn, -1)
	}
	for row := l.top; row < min(len(l.rows), l.top+l.page); row++ {
		rows = append(rows, c.row(l.all[l.rows[row]], l.what[l.rows[row]], row == chosen, now))
		l.drawn = append(l.drawn, row)
	}
	return l.withFoot(rows, facts, width, height)
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// withFoot fills the rows up, and adds what is said of the chosen step and the keys.
func (l *List) withFoot(rows, facts []string, width, height int) []string {
	foot := []string{}
	if height >= minFoot {
		row := " " + l.theme.Hints(l.hints(), width-1)
		if l.hint != "" {
			row = l.theme.Waits(l.theme.Cut(" "+l.hint, width))
		}
		foot = append(foot, row)
	}
	for len(rows) < height-len(facts)-len(foot) {
		rows = append(rows, "")
	}
	return append(append(rows, facts...), foot...)
}

func (l *List) empty(width, height int) []string {
	text := " Reading the steps" + l.theme.Signs.More
	switch {
	case l.known && len(l.all) > 0:
		text = " Only steps of its own so far: press i"
	case l.known:
		text = " No steps yet."
	}
	return l.withFoot([]string{l.theme.Dim(l.theme.Cut(text, width))}, nil, width, height)
}
