package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"rein"
	"rein/terminal/tui/look"
)

// How the screen is divided.
const (
	widest    = 110 // cells of text: longer rows are hard to read
	withSide  = 150 // from this width on what is at hand stands beside the timeline
	sideWidth = 36
	inputMost = 8
	todoMost  = 4

	titleLeast = 24 // cells of a title that stay when the workspace is named beside it
	besideCard = 8  // rows that an ask leaves to everything else, however much it has to show
)

// textWidth is how wide the timeline is.
func (m *Model) textWidth() int {
	return min(m.width-m.side(), widest)
}

// side is how wide the column beside the timeline is.
func (m *Model) side() int {
	if m.width < withSide {
		return 0
	}
	return sideWidth
}

// pageRows is how many rows the timeline has.
func (m *Model) pageRows() int {
	return max(1, m.height-1-len(m.below()))
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, ReportFocus: true, WindowTitle: m.windowTitle()}
	if m.o.Mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.quitting {
		v.AltScreen = false
		return v
	}
	below := m.below()
	rows := append([]string{m.header()}, m.middle(max(1, m.height-1-len(below)))...)
	v.Cursor = m.cursor(len(rows) + len(below))
	rows = append(rows, below...)
	if len(rows) > m.height {
		rows = rows[len(rows)-m.height:]
	}
	for i, row := range rows {
		rows[i] = m.t.Cut(row, m.width)
	}
	v.Content = strings.Join(rows, "\n")
	return v
}

// windowTitle says in the terminal's title what waits.
func (m *Model) windowTitle() string {
	title := "rein: " + m.title()
	if n := len(m.cards.open); n > 0 {
		title = "? " + title
	}
	return title
}

// header names the session, and how its runs work.
func (m *Model) header() string {
	t := m.t
	facts := []string{m.flow(), string(m.mode())}
	if model := m.model(); model != "" {
		facts = append(facts, look.SafeLine(model))
	}
	asks := ""
	if m.waiting > 0 {
		asks = t.Waits(waitWords(m.waiting)) + "  "
	}
	join := func(facts []string) string { return asks + t.Dim(strings.Join(facts, " "+t.Signs.Note+" ")) }
	right := join(facts)
	if w := m.workspace(); w != "" {
		full := join(append(facts, look.SafeLine(w)))
		if look.Cells(full)+min(look.Cells(m.title()), titleLeast)+4 <= m.width {
			right = full
		}
	}
	return t.Spread(" "+t.Strong(m.title()), right+" ", m.width)
}

func waitWords(n int) string {
	if n == 1 {
		return "1 more waits for you"
	}
	return number(int64(n)) + " more wait for you"
}

func (m *Model) flow() string {
	if e := m.active(); e != nil && e.line != nil && e.line.Flow != "" {
		return look.SafeLine(e.line.Flow)
	}
	if m.task.Flow != "" {
		return look.SafeLine(m.task.Flow)
	}
	return "default flow"
}

func (m *Model) workspace() string {
	if e := m.newest(); e != nil && e.line != nil && e.line.Workspace != "" {
		return e.line.Workspace
	}
	return m.task.Workspace
}

// model is the model that answers. A preset may name one, which is not known here.
func (m *Model) model() string {
	if m.task.Model == "" && m.task.Preset == "" {
		return m.usual
	}
	return m.task.Model
}

// middle is the timeline, or what lies over it, with the column beside it.
func (m *Model) middle(most int) []string {
	if m.over != nil {
		return fill(m.over.rows(m, m.width, most), most)
	}
	rows := m.page.Rows(m.top, most)
	if len(rows) == 0 {
		rows = m.empty()
	}
	rows = fill(rows, most)
	if side := m.sideRows(most); side != nil {
		for i := range rows {
			rows[i] = look.Pad(rows[i], m.width-m.side()) + side[i]
		}
	}
	if n := m.below0(); n > 0 {
		last := len(rows) - 1
		pill := m.t.Chosen(" " + number(int64(n)) + " new rows below, End shows them ")
		rows[last] = look.Pad(strings.Repeat(" ", max(0, (m.textWidth()-look.Cells(pill))/2))+pill, 0)
	}
	return rows
}

// below0 is how many rows came since the view stopped following the end.
func (m *Model) below0() int {
	if m.tail || m.page.Height() <= m.seen {
		return 0
	}
	return m.page.Height() - m.seen
}

func fill(rows []string, most int) []string {
	if len(rows) > most {
		rows = rows[:most]
	}
	for len(rows) < most {
		rows = append(rows, "")
	}
	return rows
}

// empty is what a new session shows: what to do, and one example.
func (m *Model) empty() []string {
	t := m.t
	if m.session != "" && len(m.entries) > 0 {
		return []string{"", " " + t.Dim("Reading"+t.Signs.More)}
	}
	rows := []string{""}
	for _, row := range look.Fold(look.SafeLine(m.o.Notice), m.textWidth()-2) {
		if row != "" {
			rows = append(rows, " "+t.Waits(row))
		}
	}
	if m.o.Notice != "" {
		rows = append(rows, "")
	}
	for _, row := range look.Fold("Say what you want done. Nothing changes without your approval.", m.textWidth()-2) {
		rows = append(rows, " "+row)
	}
	rows = append(rows, "")
	for _, line := range [][2]string{
		{"What is in this folder?", "for example"},
		{"/", "shows every command"},
		{"@", "attaches a file"},
		{"!", "runs a command in the shell"},
		{"Shift+Tab", "changes how much is asked: plan, ask, edits, sandbox"},
		{"F1", "lists the keys"},
	} {
		rows = append(rows, m.keyRows(line[0], line[1], m.textWidth(), t.Dim)...)
	}
	return rows
}

// sideRows is the column beside the timeline on wide screens.
func (m *Model) sideRows(most int) []string {
	if m.side() == 0 {
		return nil
	}
	t, inner := m.t, m.side()-2
	rows := []string{t.Label("RUN")}
	rows = append(rows, m.facts()...)
	if todo := m.todo(); todo != nil {
		rows = append(rows, "", t.Label("TODO"))
		for _, item := range todo.Items {
			rows = append(rows, m.todoRow(item))
		}
	}
	if e := m.newest(); e != nil && e.line != nil && len(e.line.Children) > 0 {
		rows = append(rows, "", t.Label("TREE"), number(int64(len(e.line.Children)))+" runs below (Ctrl+T)")
	}
	for i := range rows {
		rows[i] = t.Dim(t.Signs.Flat[:0]) + "  " + t.Cut(rows[i], inner)
	}
	return fill(rows, most)
}

func (m *Model) todo() *rein.Todo {
	e := m.newest()
	if e == nil || e.line == nil || e.line.Todo == nil || len(e.line.Todo.Items) == 0 {
		return nil
	}
	return e.line.Todo
}

func (m *Model) todoRow(item rein.TodoItem) string {
	t := m.t
	switch item.State {
	case rein.TodoDone:
		return t.Dim(t.Signs.Done + " " + look.SafeLine(item.Text))
	case rein.TodoDoing:
		return t.Runs(t.Signs.Doing) + " " + look.SafeLine(item.Text)
	}
	return t.Signs.Todo + " " + look.SafeLine(item.Text)
}

// pinned is the list of things to do, above the input: what is being done, and what comes next.
func (m *Model) pinned() []string {
	todo := m.todo()
	if todo == nil || m.side() > 0 || m.height < 16 || m.over != nil {
		return nil
	}
	done := 0
	var open []string
	for _, item := range todo.Items {
		if item.State == rein.TodoDone {
			done++
			continue
		}
		open = append(open, "   "+m.todoRow(item))
	}
	if len(open) == 0 {
		return nil
	}
	most := todoMost
	if m.cards.shown != nil {
		most = 1
	}
	more := ""
	if len(open) > most {
		more = ", " + number(int64(len(open)-most)) + " more"
		open = open[:most]
	}
	head := " " + m.t.Label("TODO") + " " + m.t.Dim(number(int64(done))+" of "+number(int64(len(todo.Items)))+" done"+more)
	return append([]string{head}, open...)
}

// below is everything under the timeline: the list of things to do, an ask, the status and the input.
func (m *Model) below() []string {
	if m.over != nil {
		return m.status()
	}
	var rows []string
	rows = append(rows, m.pinned()...)
	if c := m.cards.shown; c != nil {
		rows = append(rows, c.Rows(m.width, max(8, m.height-besideCard), m.now)...)
	}
	rows = append(rows, m.input.Menu(m.width, 6)...)
	rows = append(rows, m.status()...)
	input, _, _ := m.input.Rows(m.width, inputMost)
	return append(rows, input...)
}

// cursor is where the terminal's cursor is: in the input, or nowhere.
func (m *Model) cursor(height int) *tea.Cursor {
	if m.over != nil {
		x, y, ok := m.over.cursor()
		if !ok {
			return nil
		}
		return tea.NewCursor(x, y+1)
	}
	if m.focus != onInput {
		return nil
	}
	rows, x, y := m.input.Rows(m.width, inputMost)
	c := tea.NewCursor(x, min(height, m.height)-len(rows)+y)
	c.Blink = false
	return c
}
