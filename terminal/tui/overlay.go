package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
	"rein/terminal/tui/pick"
)

// An overlay lies over the timeline and gets the keys. Esc closes it.
type overlay interface {
	rows(m *Model, width, height int) []string
	key(m *Model, k tea.KeyPressMsg) tea.Cmd
	paste(text string)
	wheel(m *Model, by int) tea.Cmd
	click(m *Model, row int) tea.Cmd
	cursor() (x, y int, ok bool)
}

// A listing is a list to choose from.
type listing struct {
	list   *pick.List
	at     pick.Cursor
	choose func(*Model, pick.Item) tea.Cmd
	act    func(*Model, pick.Item, rune) tea.Cmd // keys that the list offers beside Enter; nil: there are none
	first  func(*Model, tea.KeyPressMsg) bool    // takes keys before the list does; nil: it gets all of them
}

func (l *listing) rows(_ *Model, width, height int) []string {
	rows, at := l.list.Rows(width, height)
	l.at = at
	return rows
}

func (l *listing) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	if l.first != nil && l.first(m, k) {
		return nil
	}
	return l.acted(m, l.list.Key(k))
}

func (l *listing) acted(m *Model, act pick.Act) tea.Cmd {
	switch {
	case act.Closed:
		m.over = nil
	case act.Chosen != nil && act.Action != 0 && l.act != nil:
		return l.act(m, *act.Chosen, act.Action)
	case act.Chosen != nil && act.Action == 0:
		m.over = nil
		return l.choose(m, *act.Chosen)
	}
	return nil
}

func (l *listing) paste(text string) { l.list.Paste(text) }
func (l *listing) wheel(_ *Model, by int) tea.Cmd {
	l.list.Wheel(by)
	return nil
}

func (l *listing) click(m *Model, row int) tea.Cmd { return l.acted(m, l.list.Click(row)) }
func (l *listing) cursor() (x, y int, ok bool)     { return l.at.X, l.at.Y, true }

// A question asks the person for a line of text.
type question struct {
	title, about string
	input        *edit.Input
	x, y         int
	then         func(*Model, string) tea.Cmd
	live         func(*Model, string) // sees the text while it is typed; nil: nobody
}

func (m *Model) ask(title, about, text string, then func(*Model, string) tea.Cmd) {
	q := &question{title: title, about: about, input: edit.New(m.t, nil), then: then}
	q.input.Plain()
	q.input.Set(text)
	m.over = q
}

func (q *question) rows(m *Model, width, height int) []string {
	t := m.t
	rows := []string{"", " " + t.Strong(q.title)}
	for _, row := range look.Fold(q.about, width-2) {
		if row != "" {
			rows = append(rows, " "+t.Dim(row))
		}
	}
	input, x, y := q.input.Rows(width, max(1, height-len(rows)-2))
	q.x, q.y = x, len(rows)+y
	rows = append(rows, input...)
	return append(rows, " "+t.Dim("Enter does it, Esc goes back"))
}

func (q *question) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "esc" {
		m.over = nil
		return nil
	}
	event := q.input.Key(k)
	if q.live != nil {
		q.live(m, q.input.Text())
	}
	if event.Send == nil {
		return nil
	}
	m.over = nil
	return q.then(m, event.Send.Text)
}

func (q *question) paste(text string)           { q.input.Paste(text) }
func (q *question) wheel(*Model, int) tea.Cmd   { return nil }
func (q *question) click(*Model, int) tea.Cmd   { return nil }
func (q *question) cursor() (x, y int, ok bool) { return q.x, q.y, true }

// A text is something to read, such as the keys.
type text struct {
	lines func(m *Model, width int) []string
	top   int
	most  int
}

func (v *text) rows(m *Model, width, height int) []string {
	rows := v.lines(m, width)
	v.most = max(0, len(rows)-height)
	v.top = min(v.top, v.most)
	return rows[v.top:min(len(rows), v.top+height)]
}

func (v *text) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "j", "down":
		v.scroll(1)
	case "k", "up":
		v.scroll(-1)
	case "space", "pgdown":
		v.scroll(10)
	case "pgup":
		v.scroll(-10)
	case "esc", "q", "enter", "?", "f1":
		m.over = nil
	}
	return nil
}

func (v *text) paste(string) {}
func (v *text) wheel(_ *Model, by int) tea.Cmd {
	v.scroll(by)
	return nil
}

func (v *text) scroll(by int) { v.top = min(max(0, v.top+by), v.most) }

func (v *text) click(*Model, int) tea.Cmd   { return nil }
func (v *text) cursor() (x, y int, ok bool) { return 0, 0, false }

// newFind asks what to look for in the timeline, and shows the newest place while it is typed.
func newFind(m *Model) *question {
	q := &question{title: "Find in the timeline", about: "n and N go to the next place and the one before", input: edit.New(m.t, nil)}
	q.input.Set(m.found)
	q.live = func(m *Model, text string) {
		m.found = text
		m.page.Find(text, m.page.Height()-1, true)
	}
	q.then = func(m *Model, text string) tea.Cmd {
		m.found, m.focus = text, onPage
		m.findNext(true)
		return nil
	}
	return q
}

// findNext shows the next place that has what somebody looks for.
func (m *Model) findNext(up bool) {
	from := m.top + m.pageRows()
	if up {
		from = m.top - 1
		if m.tail {
			from = m.page.Height() - 1
		}
	}
	row, ok := m.page.Find(m.found, from, up)
	if !ok {
		if m.found != "" {
			m.say("not found in what is read: " + look.SafeLine(m.found))
		}
		return
	}
	m.scrollTo(row - m.pageRows()/2)
	m.page.Choose(m.page.ItemAt(row))
}

// keysHelp lists the keys, by where they hold.
var keysHelp = []keyGroup{
	{"Writing", [][2]string{
		{"Enter", "send: starts a run, or steers the one that is active"},
		{"Ctrl+J, Shift+Enter", "new line"},
		{"Up, Down", "what you typed before"},
		{"@  /  !", "a file or note, a command, a line of shell"},
		{"Ctrl+G", "write in your editor ($VISUAL, $EDITOR)"},
		{"Ctrl+_", "undo what you typed"},
	}},
	{"Course", [][2]string{
		{"Esc", "stop the run after its step; twice: now"},
		{"Shift+Tab", "the next mode: plan, ask, edits, sandbox"},
		{"Tab", "from the input to what asks, to the timeline, and back"},
		{"Ctrl+C twice", "leave; runs continue"},
		{"Ctrl+Z", "suspend the screen; fg in your shell brings it back"},
	}},
	{"What asks you", [][2]string{
		{"a", "allow once; of a plan: accept"},
		{"s", "allow exactly this for the session"},
		{"A", "always allow the pattern shown"},
		{"e  E", "edit the arguments, here or in your editor"},
		{"r", "reject with a reason"},
		{"v", "view all of it"},
		{"m", "the mode in which the work continues after a plan"},
		{"x", "show what is masked"},
		{"1 2 3, Enter", "answer with a choice, or with your own words"},
		{"Ctrl+D", "leave a question without an answer"},
	}},
	{"Timeline", [][2]string{
		{"PgUp PgDn, Ctrl+Up Down", "scroll, from anywhere; End follows what is new"},
		{"j k", "the next item, the one before"},
		{"o, Enter", "open or fold; of a run below: its timeline"},
		{"Ctrl+O", "open or fold all"},
		{"/  n  N", "find, next, previous"},
		{"y", "copy the item"},
		{"s", "its steps, with the prompt as it was sent"},
		{"t", "the tree of runs"},
		{"u", "undo what the last run changed"},
	}},
	{"Tree", [][2]string{
		{"Enter", "open the run's timeline"},
		{"a  n", "answer what the run asks; the next run that waits"},
		{"m  M", "give it another task; send it a message"},
		{"d", "delete it, and everything below it"},
		{"s  p", "stop it; pause it or let it continue"},
		{"c", "leave a comment for people"},
		{"o", "fold or unfold what is below it"},
	}},
	{"Steps", [][2]string{
		{"Enter", "open the step: facts, prompt, reply, arguments, result"},
		{"f", "fork: repeat the run up to here, then go another way"},
		{"i  e", "show rein's own steps; the next step that failed"},
		{"Tab, [ ]", "the next part of a step, the one before"},
		{"y  /", "copy the part; find in the step"},
	}},
	{"Everything", [][2]string{
		{"Ctrl+K", "commands and sessions, with a search"},
		{"Ctrl+T", "the tree of runs"},
		{"F1, ?", "these keys"},
		{"Ctrl+L", "draw again"},
	}},
}

// A keyGroup is keys that hold in one place.
type keyGroup struct {
	title string
	keys  [][2]string
}

func newHelp() *text {
	return &text{lines: func(m *Model, width int) []string {
		var rows []string
		for _, part := range keysHelp {
			rows = append(rows, "", " "+m.t.Label(part.title))
			for _, key := range part.keys {
				rows = append(rows, m.keyRows(key[0], key[1], width, func(s string) string { return s })...)
			}
		}
		return rows
	}}
}

// keyRows is a key and what it does, beside it or, where that is too narrow, below it.
func (m *Model) keyRows(key, does string, width int, paint func(string) string) (rows []string) {
	const lead, column, least = 3, 24, 30
	indent := lead + column
	if width-indent < least {
		rows, indent = []string{"   " + m.t.Accent(key)}, 2*lead
	}
	for i, row := range look.Fold(does, max(1, width-indent)) {
		if i == 0 && len(rows) == 0 {
			rows = append(rows, "   "+m.t.Accent(look.Pad(key, column))+paint(row))
			continue
		}
		rows = append(rows, strings.Repeat(" ", indent)+paint(row))
	}
	return rows
}
